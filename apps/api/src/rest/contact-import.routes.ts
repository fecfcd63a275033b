import { importLimitBytes, importTooLarge, startContactImport } from '@postrider/core/contacts';
import { z } from 'zod';
import type { RestDoor } from './door.ts';
import { openFormScope } from './form-scope.ts';
import { mount } from './mount.ts';
import type { FormFile, FormParts } from './read-form.ts';

/** The form as the API reference shows it. */
const form = z
  .object({
    file: z.file().meta({
      description:
        'The CSV file, at most 5 MB: a header with a column `email`, then one contact per row. Its name ends in `.csv`, or its type is `text/csv`.',
      examples: ['email,plan\ncustomer@example.com,pro\n'],
    }),
    subscribed: z
      .enum(['true', 'false'])
      .optional()
      .meta({
        description:
          'Whether new contacts are subscribed; default `true`. Existing contacts keep their state.',
        examples: ['true'],
      }),
  })
  .describe('A form with one file.');

export function mountContactImport(door: RestDoor): void {
  openFormScope(door, {
    fileSize: importLimitBytes,
    tooLarge: importTooLarge,
    inputOf,
    mountIn: (scope) =>
      mount(scope, 'POST', '/contacts/import', startContactImport, {
        status: 202,
        form,
        flat: ({ csv }) => (csv === undefined ? 'file is required and must be a CSV file' : null),
      }),
  });
}

/** Without a CSV file, `csv` is absent. */
function inputOf({ files, fields: { subscribed } }: FormParts) {
  const file = files.find((each) => each.field === 'file' && isCsv(each));
  return {
    ...(file ? { csv: file.bytes } : {}),
    ...(subscribed === undefined || subscribed === '' ? {} : { subscribed }),
  };
}

/** A part that is a file only by its type has no name. */
const isCsv = ({ filename, contentType }: FormFile): boolean =>
  filename?.toLowerCase().endsWith('.csv') === true || contentType.toLowerCase() === 'text/csv';
