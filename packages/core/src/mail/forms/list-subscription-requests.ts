import { readTopics } from '../../audience/topics/index.ts';
import { cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { presentRequest } from './present-request.ts';
import { countRequests, pageOfRequests } from './requests.store.ts';
import { listRequestsInput, requestList } from './subscription-requests.schema.ts';

export const listSubscriptionRequests = query({
  name: 'subscriptionRequests.list',
  summary: 'Lists subscription requests, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listRequestsInput,
  output: requestList,
  async handler(ctx, input) {
    const projectId = projectIdOf(ctx);
    const cursors = cursorsOf('subscriptionRequests.list', input);
    const after = cursors.after();
    const search = { status: input.status };
    const rows = await pageOfRequests(ctx.db, projectId, search, { after, take: input.limit + 1 });
    const topics = await readTopics(ctx.db, projectId);
    const total = after ? 0 : await countRequests(ctx.db, projectId, search);
    return cursors.page(
      rows.map((row) => presentRequest(row, topics)),
      ({ requestedAt }) => requestedAt,
      total,
    );
  },
});
