import { z } from 'zod';
import { idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { stepName } from './executions.schema.ts';
import { stepNames } from './step-names.store.ts';

/** Loads the names of the steps referenced by many executions in one query; the doors' batch loaders use it. */
export const getSteps = query({
  name: 'workflows.getSteps',
  summary: 'Returns the names and types of steps by their ids',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(stepName),
  async handler(ctx, { ids }) {
    return [...(await stepNames(ctx.db, projectIdOf(ctx), ids)).values()];
  },
});
