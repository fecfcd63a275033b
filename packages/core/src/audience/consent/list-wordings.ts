import { cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { listWordingsInput, wordingList } from './consent.schema.ts';
import { countWordings, findWordings } from './wordings.store.ts';

export const listWordings = query({
  name: 'wordings.list',
  summary: 'Lists the exact words that people agree to, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listWordingsInput,
  output: wordingList,
  async handler(ctx, input) {
    const projectId = projectIdOf(ctx);
    const cursors = cursorsOf('wordings.list', input);
    const after = cursors.after();
    const [rows, total] = await Promise.all([
      findWordings(ctx.db, projectId, after, input.limit + 1),
      after ? 0 : countWordings(ctx.db, projectId),
    ]);
    return cursors.page(rows, ({ createdAt }) => createdAt, total);
  },
});
