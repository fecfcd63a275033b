import { cursorsOf, projectOf, query } from '../../base/kernel/index.ts';
import { periodOf } from '../../base/lib/index.ts';
import { presentEntry } from './present-entry.ts';
import { listRequestsInput, requestList } from './requests.schema.ts';
import { countEntries, findEntries } from './requests.store.ts';

export const listRequests = query({
  name: 'requests.list',
  summary: 'Lists requests with a key of the project, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listRequestsInput,
  output: requestList,
  async handler(ctx, input) {
    const { limit, cursor: _cursor, ...filter } = input;
    const cursors = cursorsOf('requests.list', input);
    const after = cursors.after();
    const { id: projectId, timeZone } = projectOf(ctx);
    const search = { ...filter, ...periodOf(filter, timeZone, 'excluded'), projectId };
    const [rows, total] = await Promise.all([
      findEntries(ctx.db, search, after, limit + 1),
      after ? 0 : countEntries(ctx.db, search),
    ]);
    const entries = rows.map((row) => ({ ...presentEntry(row), at: row.at.toISOString() }));
    return cursors.page(entries, ({ at }) => at, total);
  },
});
