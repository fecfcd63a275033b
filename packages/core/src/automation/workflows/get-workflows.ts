import { z } from 'zod';
import { idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { workflowShape } from './workflows.schema.ts';
import { findWorkflows, presentWorkflows } from './workflows.store.ts';

/** Loads the workflows referenced by many records in one query; the doors' batch loaders use it. */
export const getWorkflows = query({
  name: 'workflows.getMany',
  summary: 'Returns workflows by their ids',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(workflowShape),
  async handler(ctx, { ids }) {
    return presentWorkflows(ctx.db, await findWorkflows(ctx.db, projectIdOf(ctx), ids));
  },
});
