import type { FastifyRequest } from 'fastify';

/**
 * Whether a request matches no route. The router matches an empty segment as a parameter, so `/contacts/` would be a contact without
 * an id.
 */
export const isUnknown = ({ is404, params }: FastifyRequest): boolean =>
  is404 ||
  Object.entries(params as Record<string, string>).some(([name, value]) => name !== '*' && value === '');
