import { projectIdOf, query } from '../../base/kernel/index.ts';
import { endpointListOutput, listEndpointsInput } from './webhook-endpoints.schema.ts';
import { findEndpoints } from './webhook-endpoints.store.ts';

export const listEndpoints = query({
  name: 'webhooks.list',
  summary: 'Lists the webhook endpoints of the project, newest first',
  permission: 'webhooks:read',
  input: listEndpointsInput,
  output: endpointListOutput,
  handler: (ctx) => findEndpoints(ctx.db, projectIdOf(ctx)),
});
