import { command, projectIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  changeContactsJob,
  insertJob,
  insertJobFile,
  queuedJob,
  totalOfContacts,
} from '../contacts/index.ts';
import { lockStatic } from './add-segment-members.ts';
import { assertFilterTree } from './graph.store.ts';
import { addMatchingInput } from './segments.schema.ts';

export const addMatchingMembers = command({
  name: 'segments.addMatching',
  summary: 'Adds the contacts that match a condition to a static segment, in the background',
  permission: 'data:write',
  risk: 'large',
  errors: ['SEGMENT_NOT_FOUND', 'CONFLICT'],
  input: addMatchingInput,
  output: queuedJob,
  async handler(ctx, { id, condition }) {
    const projectId = projectIdOf(ctx);
    await assertFilterTree(ctx.db, projectId, condition, 'condition');
    await lockStatic(ctx, id);
    const jobId = newId();
    const contacts = await totalOfContacts(ctx.db, projectId);
    await insertJob(ctx.db, {
      id: jobId,
      projectId,
      kind: 'bulk-add',
      input: { segmentId: id, contacts, seen: 0 },
    });
    await insertJobFile(ctx.db, jobId, projectId, Buffer.from(JSON.stringify(condition)));
    ctx.audit({ targetType: 'segment', targetId: id, changed: ['members'] });
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(changeContactsJob, { jobId }));
    return { message: 'Adding matching contacts queued', jobId };
  },
});
