import type { FastifyRequest } from 'fastify';

/**
 * Whether a request matches no route. The router matches an empty segment as a parameter, so `/contacts/` would be a contact without
 * an id.
 */
export function isUnknown({ is404, params }: FastifyRequest): boolean {
  if (is404) return true;
  const given = params as Record<string, string>;
  for (const name in given) if (name !== '*' && given[name] === '') return true;
  return false;
}
