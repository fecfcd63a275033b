import { importLimitBytes, importTooLarge, startContactImport } from '@postrider/core/audience/contacts';
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
    mapping: z
      .string()
      .optional()
      .meta({
        description:
          'What the columns of the file become, as a JSON object by their headers: `email` for the address, `data.<field>` for a contact field, null to skip the column. Columns that it does not name keep their meaning.',
        examples: ['{"E-mail":"email","Plan name":"data.plan","Notes":null}'],
      }),
    segmentId: z
      .uuid()
      .optional()
      .meta({
        description: 'A static segment to which the imported contacts are added.',
        examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'],
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
function inputOf({ files, fields }: FormParts) {
  const file = files.find((each) => each.field === 'file' && isCsv(each));
  const options = ['subscribed', 'mapping', 'segmentId'].filter((name) => (fields[name] ?? '') !== '');
  return {
    ...(file ? { csv: file.bytes, fileName: shownName(file) } : {}),
    ...Object.fromEntries(options.map((name) => [name, fields[name]])),
  };
}

/** The name is only shown, so a strange one is no reason to refuse the file. */
const shownName = ({ filename = '' }: FormFile): string =>
  filename
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(-250)
    .toWellFormed();

/** A part that is a file only by its type has no name. */
const isCsv = ({ filename, contentType }: FormFile): boolean =>
  filename?.toLowerCase().endsWith('.csv') === true || contentType.toLowerCase() === 'text/csv';
