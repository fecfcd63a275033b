import { z } from 'zod';
import {
  cursorsOf,
  filterEnum,
  pageOfEach,
  pagesOf,
  pagesOfEach,
  projectIdOf,
  query,
} from '../../base/kernel/index.ts';
import { executionShape, executionStatus } from './executions.schema.ts';
import { presentExecution } from './executions.store.ts';
import { countExecutionsOfEach, executionsOfEach } from './executions-of-each.store.ts';

/** The executions of several contacts, workflows or events; GraphQL's nested lists use it. */
export const listExecutionsOfEach = query({
  name: 'workflows.executionsOfEach',
  summary: 'Lists the executions of each contact, workflow or event that started them, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  internal: true,
  input: z.object({
    ...pageOfEach,
    parent: z.enum(['contactId', 'workflowId', 'sourceEventId']),
    status: filterEnum('status', executionStatus).describe('Only executions in this state.'),
  }),
  output: pagesOfEach(executionShape),
  async handler(ctx, { ids, totals, ...input }) {
    const { parent, status, limit } = input;
    const after = cursorsOf('workflows.executionsOfEach', input).after();
    const search = { projectId: projectIdOf(ctx), parent, ids, status };
    const [rows, counts] = await Promise.all([
      executionsOfEach(ctx.db, search, { after, take: limit + 1 }),
      totals && !after ? countExecutionsOfEach(ctx.db, search) : [],
    ]);
    return pagesOf({ ids, limit }, rows.map(presentExecution), (row) => row[parent], counts);
  },
});
