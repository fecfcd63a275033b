import { z } from 'zod';
import { idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { executionShape } from './executions.schema.ts';
import { presentExecution } from './executions.store.ts';
import { findExecutions } from './executions-of-each.store.ts';

/** Loads the executions referenced by many records in one query; the doors' batch loaders use it. */
export const getExecutions = query({
  name: 'workflows.getExecutions',
  summary: 'Returns executions by their ids',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(executionShape),
  async handler(ctx, { ids }) {
    return (await findExecutions(ctx.db, projectIdOf(ctx), ids)).map(presentExecution);
  },
});
