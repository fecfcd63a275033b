import { z } from 'zod';
import {
  accepting,
  jobOf,
  namedEnum,
  notGiven,
  optionalText,
  recordId,
  typeNames,
  uuid,
} from '../../../base/kernel/schemas.ts';
import { requiredChoices, statedConsent } from '../../consent/consent.schema.ts';
import { changedData } from '../contacts.schema.ts';

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
    dryRun: z.boolean().meta({ description: 'Whether nothing was stored.', examples: [false] }),
    encoding: z
      .string()
      .nullable()
      .meta({ description: 'The encoding that the file was read in.', examples: ['utf-8'] }),
    separator: z
      .string()
      .nullable()
      .meta({ description: 'What the cells of the file are separated by.', examples: [','] }),
    skippedColumns: z
      .array(z.string())
      .meta({ description: 'Columns that were not stored.', examples: [['id']] }),
    unreadCount: count('Cells that could not be read as the type of their column.', 0),
    columns: z
      .array(
        z
          .object({
            header: z.string().meta({ description: 'Name of the column.', examples: ['Plan name'] }),
            to: z.string().meta({ description: 'What it became.', examples: ['data.plan'] }),
            type: z
              .string()
              .nullable()
              .meta({
                description:
                  'The type of its values. Null where it is no contact field, and in an export of contacts, whose cells have types of their own.',
                examples: ['TEXT'],
              }),
            format: z
              .string()
              .nullable()
              .meta({
                description: 'How its values are written, where the type has formats.',
                examples: [null],
              }),
            read: count('Cells that were read.', 119),
            unread: count('Cells that could not be read.', 0),
            yes: count('Cells that say yes.', 100)
              .nullable()
              .describe('Of `subscribed`, `status` and topics: cells that say yes; otherwise null.'),
            no: count('Cells that say no.', 19)
              .nullable()
              .describe('Of `subscribed`, `status` and topics: cells that say no; otherwise null.'),
            examples: z
              .array(
                z
                  .object({
                    row: count('Number of the row.', 7),
                    value: z.string().meta({ description: 'The cell.', examples: ['18,5o'] }),
                  })
                  .register(typeNames, { name: 'UnreadCell' }),
              )
              .meta({ description: 'The first 5 cells that could not be read.' }),
          })
          .register(typeNames, { name: 'ImportedColumn' }),
      )
      .describe('The columns that were stored.'),
    subscribedCount: count('People whom the import subscribed.', 100),
    unsubscribedCount: count(
      'People whom the import unsubscribed, or created as unsubscribed because the file says so.',
      0,
    ),
    optedOutCount: count(
      'People who did not receive marketing email before, and do not now; for opt-outs, all who have opted out afterwards.',
      0,
    ),
    suppressedCount: count('People whose address is on the suppression list afterwards.', 0),
  }),
).register(typeNames, { name: 'ImportJob' });

export const bulkJob = jobOf(
  z.object({
    operation: namedEnum('BulkJobResultOperation', [
      'subscribe',
      'unsubscribe',
      'topics',
      'delete',
      'add',
      'update',
    ]).describe('What the job does.'),
    totalRequested: count('Contacts that were asked for.', 120),
    successCount: count('Contacts that changed.', 100),
    unchangedCount: count('Contacts that were in the wanted state already.', 19),
    refusedCount: count(
      'Contacts that stay as they are, because a bulk change does not end an opt-out or a pause of the recipient.',
      0,
    ).default(0),
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
  text: optionalText(255).meta({
    description: 'Part of the address or of the name, as in the list of contacts. At most 255 characters.',
    examples: ['novak'],
  }),
  subscribed: notGiven(z.boolean()).describe(
    'Only contacts that are subscribed, or only those that are not.',
  ),
});

const excludeIds = z.array(uuid).max(10_000);

const byId = z.object({
  mode: z.literal('ids').nullish().describe('`ids`, which is the default.'),
  contactIds: contactIds.describe('Ids of the contacts, 1 to 1,000.'),
});
const byQuery = z.object({
  mode: z.literal('query').describe('`query`: all contacts that match the filter.'),
  filter: bulkFilter.describe('Which contacts, at the time of the call. `{}` means all.'),
  excludeIds: excludeIds.nullish().describe('Contacts to leave out, at most 10,000.'),
});

/** The two forms of a selection, with what else the request says. */
const formsWith = <Also extends z.ZodRawShape>(also: Also) =>
  z.xor([
    z.object({ ...byId.shape, ...also }).meta({ title: 'By id' }),
    z.object({ ...byQuery.shape, ...also }).meta({ title: 'By query' }),
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

export type BulkSelection = z.output<typeof bulkFields>;

export const bulkDeleteInput = accepting(bulkFields, formsWith({}));

const stating = { consent: statedConsent };

export const bulkInput = accepting(bulkFields.safeExtend(stating), formsWith(stating));

const choosing = { ...stating, topics: requiredChoices };

export const bulkTopicsInput = accepting(bulkFields.safeExtend(choosing), formsWith(choosing));

const changes = {
  data: changedData.meta({
    description:
      'What to write into the data of each contact, merged key by key: null removes a key. At least one key. A field that is defined as a list takes an array, which replaces it, or `{add, remove}`.',
    examples: [{ plan: 'team', trialEnds: null }],
  }),
};

export const bulkUpdateInput = accepting(bulkFields.safeExtend(changes), formsWith(changes));

const segment = { segmentId: uuid.describe('Id of the segment, which must be `STATIC`.') };

export const bulkAddInput = accepting(bulkFields.safeExtend(segment), formsWith(segment));

/** 5 MB (behaviour B8.3), in bytes. */
export const importLimitBytes = 5 * 1024 * 1024;
