import { AppError, type Context, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { type EndpointRow, findEndpoint } from './webhook-endpoints.store.ts';

export const endpointNotFound = (): AppError =>
  new AppError('RESOURCE_NOT_FOUND', 'Webhook endpoint not found');

/** @throws AppError RESOURCE_NOT_FOUND */
export async function requireEndpoint(ctx: Context, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(ctx.db, projectIdOf(ctx), id);
  if (!endpoint) throw endpointNotFound();
  return endpoint;
}

/** @throws AppError RESOURCE_NOT_FOUND; CONFLICT when it is disabled, because nothing would be sent */
export async function requireEnabledEndpoint(ctx: Context, id: string): Promise<EndpointRow> {
  const endpoint = await requireEndpoint(ctx, id);
  if (endpoint.enabled) return endpoint;
  throw conflict('This webhook endpoint is disabled', { suggestion: suggestions.CONFLICT.endpointDisabled });
}
