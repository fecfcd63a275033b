import { z } from 'zod';
import {
  instant,
  namedEnum,
  notGiven,
  optionalText,
  queryBoolean,
  readJsonText,
  uuid,
} from '../../../base/kernel/schemas.ts';
import { csvEncodings } from '../../../base/lib/csv-encoding.rules.ts';
import { longestSource } from '../../consent/consent.rules.ts';
import { importBases, importKinds } from './header.rules.ts';
import { type ColumnMapping, readMapping } from './mapping.rules.ts';

/** A mapping as JSON, because the field of a form holds only text. */
const mappingText = z
  .string()
  .max(500_000)
  .transform((text, ctx): ColumnMapping => {
    const value = readJsonText(text, ctx);
    if (ctx.issues.length > 0) return z.NEVER;
    const { mapping, issues } = readMapping(value);
    if (mapping) return mapping;
    for (const { path, code, message } of issues)
      ctx.addIssue({ code: 'custom', path, message, ...(code && { params: { code } }) });
    return z.NEVER;
  });

/** The options as every door describes them. */
export const importTexts = {
  csv: 'The CSV file, at most 5 MB: a header with a column for the email address, then one contact per row.',
  subscribed:
    'What the file says about everybody in it, where no column does: `true` (default) creates subscribed contacts and leaves existing ones as they are; `false` also unsubscribes existing ones, as their own opt-out; `keep` says nothing, so that new contacts are not subscribed. Nobody who opted out is subscribed.',
  mapping:
    'What the columns of the file become, as a JSON object by their headers: `email` for the address, `externalId` for the id in your own system, `subscribed`, `status` or `snoozedUntil` for the subscription, `topics.<key>` for a choice, `consent.at`, `.ip`, `.source`, `.confirmedAt`, `.confirmedIp` or `.unsubscribedAt` for what is known of a consent, `data.<field>` for a contact field, null to skip the column; or `{to, type, format, separator}` with a type `TEXT`, `NUMBER`, `BOOLEAN`, `DATE`, `DATETIME` or `LIST`. Columns that it does not name keep their meaning.',
  basis:
    'What the subscription of those whom `subscribed` subscribes rests on, where no column says more: a consent `given` by them, or an existing `customer` relation.',
  wordingId: 'Id of the wording that the people agreed to whom the import subscribes.',
  consentAt: 'When they agreed, for rows that have no time of their own. Not in the future.',
  consentSource: 'Where they agreed, in your words, for rows that do not say it. At most 200 characters.',
  segmentId: 'A static segment to which the imported contacts are added.',
  kind: 'What the rows are: `contacts` (default), `optOuts` for people who opted out, or `suppressions` for addresses that get no email at all.',
  encoding:
    'The encoding of the file. `auto` (default) is UTF-8, or what a byte order mark at its beginning says.',
  dryRun:
    'Reads the whole file and reports what an import would do, without storing anything. The file is kept for an hour.',
  from: 'The job of a dry run of the last hour, whose file is imported; instead of a file.',
} as const;

export const importEncoding = namedEnum('ImportEncoding', csvEncodings);
export const importKind = namedEnum('ImportKind', importKinds);

export const importBasis = namedEnum('ImportBasis', importBases);

export const importMappingExample =
  '{"E-mail":"email","Plan name":"data.plan","Joined":{"to":"data.joined","type":"DATE","format":"DD/MM/YYYY"},"Notes":null}';

export const importInput = z
  .object({
    csv: notGiven(z.union([z.string(), z.instanceof(Uint8Array)]).meta({ type: 'string' })).meta({
      description: `${importTexts.csv} Required without \`from\`.`,
      examples: ['email,plan\ncustomer@example.com,pro\n'],
    }),
    subscribed: notGiven(
      z
        .union([z.boolean(), z.enum(['true', 'false', 'keep'])])
        .transform((value) => (value === 'keep' ? value : value === true || value === 'true'))
        .meta({ type: 'boolean' }),
    ).describe(importTexts.subscribed),
    keep: notGiven(z.boolean()).describe(
      '`keep` of a form, where `subscribed` is a boolean. Not together with `subscribed`.',
    ),
    mapping: notGiven(mappingText).meta({
      description: importTexts.mapping,
      examples: [importMappingExample],
    }),
    basis: notGiven(importBasis).describe(importTexts.basis),
    wordingId: notGiven(uuid).describe(importTexts.wordingId),
    consentAt: notGiven(instant).describe(importTexts.consentAt),
    consentSource: optionalText(longestSource).meta({
      description: importTexts.consentSource,
      examples: ['Trade fair in Hanover'],
    }),
    segmentId: notGiven(uuid).describe(importTexts.segmentId),
    kind: notGiven(importKind).describe(importTexts.kind),
    encoding: notGiven(importEncoding).describe(importTexts.encoding),
    dryRun: queryBoolean('dryRun').describe(importTexts.dryRun),
    from: notGiven(uuid).describe(importTexts.from),
    fileName: optionalText(255).meta({
      description: 'Name of the file, for the list of imports. At most 255 characters.',
      examples: ['customers.csv'],
    }),
  })
  .superRefine(({ csv, from, kind = 'contacts', segmentId, subscribed, keep, ...given }, ctx) => {
    const complain = (field: string, code: string, message: string): void =>
      ctx.addIssue({ code: 'custom', params: { code }, path: [field], message });
    if (csv === undefined && from === undefined) complain('csv', 'required', 'Required');
    if (csv !== undefined && from !== undefined)
      complain('from', 'unsupported_field', 'Give a file or the job of a dry run, not both');
    if (keep === true && subscribed !== undefined)
      complain('keep', 'unsupported_field', 'Not together with subscribed');
    if (given.consentAt !== undefined && new Date(given.consentAt) > new Date())
      complain('consentAt', 'invalid_date', 'Must not be in the future');
    if (kind === 'contacts') return;
    if (segmentId !== undefined) complain('segmentId', 'unsupported_field', 'Only for an import of contacts');
    if (subscribed !== undefined || keep === true)
      complain('subscribed', 'unsupported_field', 'Only for an import of contacts');
    for (const name of ['basis', 'wordingId', 'consentAt', 'consentSource'] as const)
      if (given[name] !== undefined && given[name] !== '')
        complain(name, 'unsupported_field', 'Only for an import of contacts');
  });
