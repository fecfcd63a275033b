import type { Actor, Span } from '@postrider/core/base/kernel';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** null where nothing is traced */
    span: Span | null;
  }
}

/**
 * Follows the trace that a caller names, once it is known who that is. Public keys are in pages that anyone can read, and anyone can ask
 * for a page: their requests begin traces of their own.
 */
export function followTrace({ span }: FastifyRequest, actor: Actor): void {
  const isSecret = actor.type === 'key' && actor.key === 'secret' && actor.named?.scope !== 'track';
  if (isSecret || actor.type === 'user') span?.follow();
}
