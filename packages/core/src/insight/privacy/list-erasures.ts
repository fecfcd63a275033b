import { cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { countErasures, findErasures } from './erasures.store.ts';
import { presentErasures } from './present-erasure.ts';
import { erasureList, listErasuresInput } from './privacy.schema.ts';

export const listErasures = query({
  name: 'privacy.listErasures',
  summary: 'Lists the receipts of erasures, newest first',
  permission: 'privacy:manage',
  errors: ['BAD_REQUEST'],
  input: listErasuresInput,
  output: erasureList,
  async handler(ctx, input) {
    const cursors = cursorsOf('privacy.listErasures', input);
    const after = cursors.after();
    const projectId = projectIdOf(ctx);
    const [rows, total] = await Promise.all([
      findErasures(ctx.db, projectId, after, input.limit + 1),
      after ? 0 : countErasures(ctx.db, projectId),
    ]);
    const presented = await presentErasures(ctx.db, rows);
    return cursors.page(presented, ({ requestedAt }) => requestedAt, total);
  },
});
