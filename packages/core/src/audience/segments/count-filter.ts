import { projectIdOf, query } from '../../base/kernel/index.ts';
import { assertFilterTree } from './graph.store.ts';
import { countFilterInput, filterCount } from './segments.schema.ts';
import { countMatching, withinTime } from './segments.store.ts';

export const countFilter = query({
  name: 'segments.count',
  summary: 'Counts the contacts that currently match a condition',
  permission: 'data:read',
  input: countFilterInput,
  output: filterCount,
  async handler(ctx, { condition }) {
    const projectId = projectIdOf(ctx);
    const known = await assertFilterTree(ctx.db, projectId, condition, 'condition');
    const count = await ctx.services.database.prisma.$transaction(
      (db) => withinTime(db, () => countMatching(db, projectId, condition, known)),
      { timeout: 30_000 },
    );
    return { count };
  },
});
