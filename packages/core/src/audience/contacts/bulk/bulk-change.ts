import { command, projectIdOf } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { statedBy } from '../../consent/index.ts';
import { changeContactsJob } from '../contacts.jobs.ts';
import type { ListedOperation } from '../jobs/jobs.rules.ts';
import { bulkInput, queuedJob } from '../jobs/jobs.schema.ts';
import { insertJob, insertJobContacts } from '../jobs/jobs.store.ts';
import { selectContacts } from './select-contacts.ts';

const bulkChange = (operation: ListedOperation, name: string, summary: string) =>
  command({
    name,
    summary,
    permission: 'data:write',
    risk: 'large',
    allowDisabled: operation === 'delete',
    input: bulkInput,
    output: queuedJob,
    async handler(ctx, { mode, contactIds = [], filter, excludeIds = [], consent }) {
      const projectId = projectIdOf(ctx);
      const jobId = newId();
      const kind = `bulk-${operation}` as const;
      const job = { id: jobId, projectId };
      const {
        by: _,
        source: _source,
        reason: _reason,
        always: _always,
        ...said
      } = await statedBy(ctx, projectId, consent);
      const listed =
        mode === 'query'
          ? await selectContacts(ctx.db, job, { ...filter, excludeIds })
          : { total: await insertJobContacts(ctx.db, jobId, contactIds) };
      const input = operation === 'delete' ? listed : { ...listed, said };
      await insertJob(ctx.db, { ...job, kind, input });
      ctx.audit({ targetType: 'job', targetId: jobId });
      ctx.afterCommit(() => ctx.services.workflows.signalDebounced(changeContactsJob, { jobId }));
      return { message: `Bulk ${operation} queued`, jobId };
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

export const bulkDeleteContacts = bulkChange(
  'delete',
  'contacts.bulkDelete',
  'Deletes many contacts in the background',
);
