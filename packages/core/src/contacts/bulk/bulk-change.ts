import { command, newId, projectIdOf } from '../../kernel/index.ts';
import { changeContactsJob } from '../contacts.jobs.ts';
import { matchesFilter } from '../contacts.store.ts';
import type { BulkOperation } from '../jobs/jobs.rules.ts';
import { bulkInput, queuedJob } from '../jobs/jobs.schema.ts';
import { insertJob, insertJobContacts, insertMatchingContacts } from '../jobs/jobs.store.ts';

const bulkChange = (operation: BulkOperation, name: string, summary: string) =>
  command({
    name,
    summary,
    permission: 'data:write',
    input: bulkInput,
    output: queuedJob,
    async handler(ctx, { mode, contactIds = [], filter, excludeIds = [] }) {
      const projectId = projectIdOf(ctx);
      const jobId = newId();
      const kind = `bulk-${operation}` as const;
      const total =
        mode === 'query'
          ? await insertMatchingContacts(
              ctx.db,
              jobId,
              matchesFilter({
                projectId,
                search: filter?.search,
                status:
                  filter?.subscribed === undefined
                    ? undefined
                    : filter.subscribed
                      ? 'subscribed'
                      : 'not-subscribed',
              }),
              excludeIds,
            )
          : await insertJobContacts(ctx.db, jobId, contactIds);
      await insertJob(ctx.db, { id: jobId, projectId, kind, input: { total } });
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
