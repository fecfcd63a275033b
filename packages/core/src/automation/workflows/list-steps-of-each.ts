import { z } from 'zod';
import { idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { stepExecution } from './executions.schema.ts';
import { failuresOf } from './executions.store.ts';
import { stepsOfEach } from './executions-of-each.store.ts';
import { stepNames } from './step-names.store.ts';
import { asObject } from './workflows.store.ts';

/** The steps that several executions took; GraphQL's nested lists use it. */
export const listStepsOfEach = query({
  name: 'workflows.stepsOfEach',
  summary: 'Lists the steps that each execution took, in order of start',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(z.object({ id: z.string(), stepExecutions: z.array(stepExecution) })),
  async handler(ctx, { ids }) {
    const projectId = projectIdOf(ctx);
    const rows = await stepsOfEach(ctx.db, projectId, ids);
    const names = await stepNames(ctx.db, projectId, [...new Set(rows.map(({ stepId }) => stepId))]);
    const byExecution = Map.groupBy(rows, ({ executionId }) => executionId);
    return ids.map((id) => ({
      id,
      stepExecutions: (byExecution.get(id) ?? []).map((row) => ({
        ...row,
        output: row.output === null ? null : asObject(row.output),
        failures: failuresOf(row),
        step: names.get(row.stepId) ?? null,
      })),
    }));
  },
});
