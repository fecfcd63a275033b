import { importLimitBytes, importTooLarge, startContactImport } from '@postrider/core/audience/contacts';
import {
  importBasis,
  importEncoding,
  importKind,
  importMappingExample,
  importTexts,
} from '@postrider/core/audience/contacts/contract';
import { z } from 'zod';
import type { RestDoor } from './door.ts';
import { openFormScope } from './form-scope.ts';
import { mount } from './mount.ts';
import type { FormFile, FormParts } from './read-form.ts';

/** The form as the API reference shows it. */
const form = z
  .object({
    file: z
      .file()
      .optional()
      .meta({
        description: `${importTexts.csv} Its name ends in \`.csv\`, or its type is \`text/csv\`. Required without \`from\`.`,
        examples: ['email,plan\ncustomer@example.com,pro\n'],
      }),
    subscribed: z
      .enum(['true', 'false', 'keep'])
      .optional()
      .meta({ description: importTexts.subscribed, examples: ['keep'] }),
    mapping: z
      .string()
      .optional()
      .meta({ description: importTexts.mapping, examples: [importMappingExample] }),
    segmentId: z
      .uuid()
      .optional()
      .meta({ description: importTexts.segmentId, examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'] }),
    basis: importBasis.optional().meta({ description: importTexts.basis, examples: ['given'] }),
    wordingId: z
      .uuid()
      .optional()
      .meta({ description: importTexts.wordingId, examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'] }),
    consentAt: z
      .string()
      .optional()
      .meta({ description: importTexts.consentAt, examples: ['2026-05-01T10:00:00Z'] }),
    consentSource: z
      .string()
      .optional()
      .meta({ description: importTexts.consentSource, examples: ['Trade fair in Hanover'] }),
    kind: importKind.optional().meta({ description: importTexts.kind, examples: ['contacts'] }),
    encoding: importEncoding.optional().meta({ description: importTexts.encoding, examples: ['auto'] }),
    dryRun: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: importTexts.dryRun, examples: ['true'] }),
    from: z
      .uuid()
      .optional()
      .meta({ description: importTexts.from, examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'] }),
  })
  .describe('A form with one file, or the id of a dry run.');

export function mountContactImport(door: RestDoor): void {
  openFormScope(door, {
    fileSize: importLimitBytes,
    tooLarge: importTooLarge,
    inputOf,
    mountIn: (scope) =>
      mount(scope, 'POST', '/contacts/import', startContactImport, {
        status: 202,
        form,
        flat: ({ csv, from }) =>
          csv === undefined && from === undefined ? 'file is required and must be a CSV file' : null,
      }),
  });
}

/** Without a CSV file, `csv` is absent. */
function inputOf({ files, fields }: FormParts) {
  const file = files.find((each) => each.field === 'file' && isCsv(each));
  const options = Object.keys(form.shape).filter((name) => name !== 'file' && (fields[name] ?? '') !== '');
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
