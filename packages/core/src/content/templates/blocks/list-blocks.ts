import { cursorsOf, projectIdOf, query } from '../../../base/kernel/index.ts';
import { blockList, listBlocksInput } from './blocks.schema.ts';
import { countBlocks, findBlocks } from './blocks.store.ts';

export const listBlocks = query({
  name: 'blocks.list',
  summary: 'Lists the saved blocks, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listBlocksInput,
  output: blockList,
  async handler(ctx, input) {
    const cursors = cursorsOf('blocks.list', input);
    const after = cursors.after();
    const search = { projectId: projectIdOf(ctx), search: input.search };
    const [rows, total] = await Promise.all([
      findBlocks(ctx.db, search, after, input.limit + 1),
      after ? 0 : countBlocks(ctx.db, search),
    ]);
    return cursors.page(rows, ({ createdAt }) => createdAt, total);
  },
});
