import { badRequest } from '@postrider/core/base/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { keyHeaderOf } from './idempotency.ts';

/**
 * Whether the request is carried out and undone (behaviour B15.11). What is neither true nor false is refused: taken for false, it
 * would do what its caller wanted to try.
 *
 * @throws AppError BAD_REQUEST for another value, and beside an idempotency key, which a dry run would not use up
 */
export function dryRunOf(request: Pick<FastifyRequest, 'headers'>, reply: FastifyReply): boolean {
  const given = request.headers['dry-run'];
  if (given === undefined) return false;
  const text = String(given).trim().toLowerCase();
  if (text !== 'true' && text !== 'false') throw badRequest('The header Dry-Run must be true or false');
  if (text === 'false') return false;
  if (keyHeaderOf(request) !== undefined) {
    throw badRequest('A dry run takes no Idempotency-Key: it would not use it up', {
      suggestion: 'Leave one of the two headers out',
    });
  }
  reply.header('dry-run', 'true');
  return true;
}

/** @throws AppError BAD_REQUEST on paths without a credential: they have no dry run, and must not do what their caller wants to try */
export function refuseDryRunOf(
  request: Pick<FastifyRequest, 'headers' | 'method'>,
  reply: FastifyReply,
): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (dryRunOf(request, reply)) throw badRequest('This path has no dry run');
}
