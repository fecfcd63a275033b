import type { z } from 'zod';
import { type CommandContext, command, projectIdOf, projectOf } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { numberedChoices, statedBy } from '../../consent/index.ts';
import { changeContactsJob } from '../contacts.jobs.ts';
import { settledData } from '../fields/definitions.ts';
import type { BulkInput, ListedOperation } from '../jobs/jobs.rules.ts';
import {
  type BulkSelection,
  bulkDeleteInput,
  bulkInput,
  bulkTopicsInput,
  bulkUpdateInput,
  queuedJob,
} from '../jobs/jobs.schema.ts';
import { insertJob, insertJobContacts } from '../jobs/jobs.store.ts';
import { selectContacts } from './select-contacts.ts';

/** Stores a job for the contacts that a request selects. @param more what the job needs to know besides them */
export async function queueBulkChange(
  ctx: CommandContext,
  operation: ListedOperation,
  { mode, contactIds = [], filter, excludeIds = [] }: BulkSelection,
  more: Omit<BulkInput, 'total' | 'listedTo'> = {},
): Promise<{ message: string; jobId: string }> {
  const projectId = projectIdOf(ctx);
  const jobId = newId();
  const kind = `bulk-${operation}` as const;
  const job = { id: jobId, projectId };
  const input =
    mode === 'query'
      ? await selectContacts(ctx.db, job, { ...filter, excludeIds })
      : { total: await insertJobContacts(ctx.db, jobId, contactIds) };
  await insertJob(ctx.db, { ...job, kind, input: { ...more, ...input } });
  ctx.afterCommit(() => ctx.services.workflows.signalDebounced(changeContactsJob, { jobId }));
  return { message: `Bulk ${operation} queued`, jobId };
}

/** Who asks for a change of subscriptions, and what is stated of the consent: what its acts tell besides the door. */
async function authorOf(
  ctx: CommandContext,
  consent: z.output<typeof bulkInput>['consent'],
): Promise<NonNullable<BulkInput['said']>> {
  const stated = await statedBy(ctx, projectIdOf(ctx), consent);
  const { by: _, source: _source, reason: _reason, always: _always, ...said } = stated;
  return said;
}

const bulkChange = (operation: 'subscribe' | 'unsubscribe', name: string, summary: string) =>
  command({
    name,
    summary,
    permission: 'data:write',
    risk: 'large',
    input: bulkInput,
    output: queuedJob,
    async handler(ctx, { consent, ...selection }) {
      const queued = await queueBulkChange(ctx, operation, selection, { said: await authorOf(ctx, consent) });
      ctx.audit({ targetType: 'job', targetId: queued.jobId });
      return queued;
    },
  });

export const bulkSubscribeContacts = bulkChange(
  'subscribe',
  'contacts.bulkSubscribe',
  'Subscribes many contacts in the background',
);
export const bulkUnsubscribeContacts = bulkChange(
  'unsubscribe',
  'contacts.bulkUnsubscribe',
  'Unsubscribes many contacts in the background',
);

export const bulkDeleteContacts = command({
  name: 'contacts.bulkDelete',
  summary: 'Deletes many contacts in the background',
  permission: 'data:write',
  risk: 'large',
  allowDisabled: true,
  input: bulkDeleteInput,
  output: queuedJob,
  async handler(ctx, selection) {
    const queued = await queueBulkChange(ctx, 'delete', selection);
    ctx.audit({ targetType: 'job', targetId: queued.jobId });
    return queued;
  },
});

export const bulkTopicsOfContacts = command({
  name: 'contacts.bulkTopics',
  summary: 'Makes choices of topics for many contacts, in the background',
  permission: 'data:write',
  risk: 'large',
  input: bulkTopicsInput,
  output: queuedJob,
  async handler(ctx, { consent, topics, ...selection }) {
    const choices = await numberedChoices(ctx.db, projectIdOf(ctx), topics);
    const queued = await queueBulkChange(ctx, 'topics', selection, {
      said: await authorOf(ctx, consent),
      topics: choices,
    });
    ctx.audit({ targetType: 'job', targetId: queued.jobId });
    return queued;
  },
});

export const bulkUpdateContacts = command({
  name: 'contacts.bulkUpdate',
  summary: 'Writes the same fields into the data of many contacts, in the background',
  permission: 'data:write',
  risk: 'large',
  input: bulkUpdateInput,
  output: queuedJob,
  async handler(ctx, { data: { set, unset, structured = [] }, ...selection }) {
    const given = { set, unset, structured };
    // What cannot be stored is refused now; the definitions at the time of each batch decide what is.
    await settledData(ctx, { ...given, transient: {} }, 'strict');
    const { timeZone } = projectOf(ctx);
    const queued = await queueBulkChange(ctx, 'update', selection, { data: given, timeZone });
    const keys = [...Object.keys(set), ...unset, ...structured.map(({ key }) => key)];
    ctx.audit({ targetType: 'job', targetId: queued.jobId, changed: keys.map((key) => `data.${key}`) });
    return queued;
  },
});
