import { z } from 'zod';
import { isoDate, namedEnum, notGiven, optionalText, typeNames, uuid } from '../../kernel/schemas.ts';

export const jobIdInput = z.object({ jobId: z.string() });

export const queuedJob = z
  .object({ message: z.string(), jobId: z.string() })
  .register(typeNames, { name: 'QueuedJob' });

const jobState = namedEnum('ImportJobState', ['waiting', 'active', 'completed', 'failed']);

const jobOf = <Result extends z.ZodType>(result: Result) =>
  z.object({
    id: z.string(),
    state: jobState,
    progress: z.int().min(0).max(100),
    result: result.nullable(),
    failedReason: z.string().nullable(),
    createdAt: isoDate,
    completedAt: isoDate.nullable(),
  });

export const importJob = jobOf(
  z.object({
    totalRows: z.int(),
    successCount: z.int(),
    createdCount: z.int(),
    updatedCount: z.int(),
    failureCount: z.int(),
    errors: z.array(z.object({ row: z.int(), email: z.string(), error: z.string() })),
  }),
).register(typeNames, { name: 'ImportJob' });

export const bulkJob = jobOf(
  z.object({
    operation: namedEnum('BulkJobResultOperation', ['subscribe', 'unsubscribe', 'delete']),
    totalRequested: z.int(),
    successCount: z.int(),
    unchangedCount: z.int(),
    failureCount: z.int(),
    errors: z.array(z.object({ contactId: z.string(), email: z.string().nullable(), error: z.string() })),
  }),
).register(typeNames, { name: 'BulkJob' });

/** Contacts by id, or all that match a filter at the time of the call. */
export const bulkInput = z
  .object({
    mode: notGiven(namedEnum('BulkSubscribeContactsMode', ['ids', 'query'])),
    contactIds: notGiven(z.array(uuid).min(1).max(1_000)),
    filter: notGiven(z.object({ search: optionalText(255), subscribed: notGiven(z.boolean()) })),
    excludeIds: notGiven(z.array(uuid).max(10_000)),
  })
  .superRefine(({ mode, contactIds, filter }, ctx) => {
    const missing = mode === 'query' ? (filter ? null : 'filter') : contactIds ? null : 'contactIds';
    if (missing === null) return;
    ctx.addIssue({ code: 'custom', params: { code: 'required' }, path: [missing], message: 'Required' });
  });

/** 5 MB (behaviour B8.3), in bytes. */
export const importLimitBytes = 5 * 1024 * 1024;

export const importInput = z.object({
  csv: z
    .union([z.string(), z.instanceof(Uint8Array)])
    .meta({ type: 'string' })
    .describe('The file, at most 5 MB: a header with a column `email`, then one contact a row'),
  subscribed: notGiven(
    z
      .union([z.boolean(), z.enum(['true', 'false'])])
      .transform((value) => value === true || value === 'true')
      .meta({ type: 'boolean' }),
  ).describe('State of contacts that are new; default true'),
});
