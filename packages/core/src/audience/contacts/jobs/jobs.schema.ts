import { z } from 'zod';
import {
  accepting,
  jobOf,
  namedEnum,
  notGiven,
  optionalText,
  readJsonText,
  recordId,
  typeNames,
  uuid,
} from '../../../base/kernel/schemas.ts';
import { type ColumnMapping, readMapping } from '../imports/mapping.rules.ts';

export const jobIdInput = z.object({
  jobId: z.string().meta({ description: 'Id of the job, from the reply that started it.', format: 'uuid' }),
});

export const queuedJob = z
  .object({
    message: z.string().meta({ description: 'What happens next.', examples: ['The import has been queued'] }),
    jobId: recordId.describe('Id of the job, for asking after its progress.'),
  })
  .register(typeNames, { name: 'QueuedJob' });

const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });

export const importJob = jobOf(
  z.object({
    totalRows: count('Rows of the file, without the header.', 120),
    successCount: count('Rows that were imported.', 119),
    createdCount: count('Contacts that were created.', 100),
    updatedCount: count('Contacts that existed before.', 19),
    failureCount: count('Rows that failed.', 1),
    errors: z
      .array(
        z.object({
          row: z
            .int()
            .min(1)
            .meta({ description: 'Number of the row, 1 for the first after the header.', examples: [7] }),
          email: z
            .string()
            .meta({ description: 'Address of the row, as in the file.', examples: ['nobody@'] }),
          error: z.string().meta({ description: 'Why the row failed.', examples: ['Invalid email address'] }),
        }),
      )
      .describe('The first 100 failures.'),
  }),
).register(typeNames, { name: 'ImportJob' });

export const bulkJob = jobOf(
  z.object({
    operation: namedEnum('BulkJobResultOperation', ['subscribe', 'unsubscribe', 'delete', 'add']).describe(
      'What the job does.',
    ),
    totalRequested: count('Contacts that were asked for.', 120),
    successCount: count('Contacts that changed.', 100),
    unchangedCount: count('Contacts that were in the wanted state already.', 19),
    failureCount: count('Contacts that failed, unknown ids included.', 1),
    errors: z
      .array(
        z.object({
          contactId: recordId.describe('Id of the contact.'),
          email: z
            .string()
            .nullable()
            .meta({ description: 'Address of the contact; null for an unknown id.', examples: [null] }),
          error: z.string().meta({ description: 'Why the change failed.', examples: ['Contact not found'] }),
        }),
      )
      .describe('The first 100 failures.'),
    added: count('Contacts that became members of the segment. Only of the operation `add`.', 87).optional(),
  }),
).register(typeNames, { name: 'BulkJob' });

const contactIds = z.array(uuid).min(1).max(1_000);

const bulkFilter = z.object({
  search: optionalText(255).meta({
    description: 'Part of the address, in any case. At most 255 characters.',
    examples: ['@example.com'],
  }),
  subscribed: notGiven(z.boolean()).describe(
    'Only contacts that are subscribed, or only those that are not.',
  ),
});

const excludeIds = z.array(uuid).max(10_000);

const bulkForms = z.xor([
  z
    .object({
      mode: z.literal('ids').nullish().describe('`ids`, which is the default.'),
      contactIds: contactIds.describe('Ids of the contacts, 1 to 1,000.'),
    })
    .meta({ title: 'By id' }),
  z
    .object({
      mode: z.literal('query').describe('`query`: all contacts that match the filter.'),
      filter: bulkFilter.describe('Which contacts, at the time of the call. `{}` means all.'),
      excludeIds: excludeIds.nullish().describe('Contacts to leave out, at most 10,000.'),
    })
    .meta({ title: 'By query' }),
]);

/** Contacts by id, or all that match a filter at the time of the call. */
const bulkFields = z
  .object({
    mode: notGiven(namedEnum('BulkSubscribeContactsMode', ['ids', 'query'])).describe(
      '`ids` for the contacts listed, `query` for those that match the filter. Default `ids`.',
    ),
    contactIds: notGiven(contactIds).describe('Ids of the contacts, 1 to 1,000. Required by `ids`.'),
    filter: notGiven(bulkFilter).describe('Which contacts, at the time of the call. Required by `query`.'),
    excludeIds: notGiven(excludeIds).describe('Contacts to leave out of a `query`, at most 10,000.'),
  })
  .superRefine(({ mode, contactIds, filter }, ctx) => {
    const missing = mode === 'query' ? (filter ? null : 'filter') : contactIds ? null : 'contactIds';
    if (missing === null) return;
    ctx.addIssue({ code: 'custom', params: { code: 'required' }, path: [missing], message: 'Required' });
  });

export const bulkInput = accepting(bulkFields, bulkForms);

/** 5 MB (behaviour B8.3), in bytes. */
export const importLimitBytes = 5 * 1024 * 1024;

/** A mapping as JSON, because the field of a form holds only text. */
const mappingText = z
  .string()
  .max(500_000)
  .transform((text, ctx): ColumnMapping => {
    const value = readJsonText(text, ctx);
    if (ctx.issues.length > 0) return z.NEVER;
    const { mapping, issues } = readMapping(value);
    if (mapping) return mapping;
    for (const { path, message } of issues) ctx.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  })
  .meta({
    description:
      'What the columns of the file become, as a JSON object by their headers: `email` for the address, `data.<field>` for a contact field, null to skip the column. Columns that it does not name keep their meaning.',
    examples: ['{"E-mail":"email","Plan name":"data.plan","Notes":null}'],
  });

export const importInput = z.object({
  csv: z
    .union([z.string(), z.instanceof(Uint8Array)])
    .meta({ type: 'string' })
    .meta({
      description: 'The file, at most 5 MB: a header with a column `email`, then one contact per row.',
      examples: ['email,plan\ncustomer@example.com,pro\n'],
    }),
  subscribed: notGiven(
    z
      .union([z.boolean(), z.enum(['true', 'false'])])
      .transform((value) => value === true || value === 'true')
      .meta({ type: 'boolean' }),
  ).describe('Whether new contacts are subscribed; default true. Existing contacts keep their state.'),
  mapping: notGiven(mappingText),
  segmentId: notGiven(uuid).describe('A static segment to which the imported contacts are added.'),
  fileName: optionalText(255).meta({
    description: 'Name of the file, for the list of imports. At most 255 characters.',
    examples: ['customers.csv'],
  }),
});
