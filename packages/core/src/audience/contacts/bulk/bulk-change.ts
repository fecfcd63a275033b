import type { z } from 'zod';
import { type CommandContext, command, projectIdOf } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { type NumberedChoices, numberedChoices, statedBy } from '../../consent/index.ts';
import { changeContactsJob } from '../contacts.jobs.ts';
import type { ListedOperation } from '../jobs/jobs.rules.ts';
import { type BulkSelection, bulkInput, bulkTopicsInput, queuedJob } from '../jobs/jobs.schema.ts';
import { insertJob, insertJobContacts } from '../jobs/jobs.store.ts';
import { selectContacts } from './select-contacts.ts';

/** What all changes are but for their input. */
const bulk = (operation: ListedOperation) =>
  ({
    permission: 'data:write',
    risk: 'large',
    allowDisabled: operation === 'delete',
    output: queuedJob,
  }) as const;

/** Stores the job of a change with the list of its contacts, or the beginning of it. */
async function queue(
  ctx: CommandContext,
  operation: ListedOperation,
  { mode, contactIds = [], filter, excludeIds = [], consent }: BulkSelection,
  topics?: NumberedChoices,
): Promise<z.output<typeof queuedJob>> {
  const projectId = projectIdOf(ctx);
  const jobId = newId();
  const kind = `bulk-${operation}` as const;
  const job = { id: jobId, projectId };
  const said = await statedBy(ctx, projectId, consent);
  const { by: _, source: _source, reason: _reason, always: _always, ...author } = said;
  const listed =
    mode === 'query'
      ? await selectContacts(ctx.db, job, { ...filter, excludeIds })
      : { total: await insertJobContacts(ctx.db, jobId, contactIds) };
  const input = operation === 'delete' ? listed : { ...listed, said: author, ...(topics && { topics }) };
  await insertJob(ctx.db, { ...job, kind, input });
  ctx.audit({ targetType: 'job', targetId: jobId });
  ctx.afterCommit(() => ctx.services.workflows.signalDebounced(changeContactsJob, { jobId }));
  return { message: `Bulk ${operation} queued`, jobId };
}

const bulkChange = (operation: ListedOperation, name: string, summary: string) =>
  command({
    ...bulk(operation),
    name,
    summary,
    input: bulkInput,
    handler: (ctx, selection) => queue(ctx, operation, selection),
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

export const bulkDeleteContacts = bulkChange(
  'delete',
  'contacts.bulkDelete',
  'Deletes many contacts in the background',
);

export const bulkTopicsOfContacts = command({
  ...bulk('topics'),
  name: 'contacts.bulkTopics',
  summary: 'Makes choices of topics for many contacts in the background',
  input: bulkTopicsInput,
  handler: async (ctx, { topics, ...selection }) =>
    queue(ctx, 'topics', selection, await numberedChoices(ctx.db, projectIdOf(ctx), topics)),
});
