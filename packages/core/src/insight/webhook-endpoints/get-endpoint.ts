import { query } from '../../base/kernel/index.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { endpointIdInput, endpointOutput } from './webhook-endpoints.schema.ts';

export const getEndpoint = query({
  name: 'webhooks.get',
  summary: 'Returns a webhook endpoint',
  permission: 'webhooks:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: endpointIdInput,
  output: endpointOutput,
  handler: (ctx, { id }) => requireEndpoint(ctx, id),
});
