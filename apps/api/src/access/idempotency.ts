import { createHash } from 'node:crypto';
import { type AppError, badRequest } from '@postrider/core/base/kernel';
import type { FastifyRequest } from 'fastify';

const printable = /^[\x20-\x7e]+$/;
const longestKey = 255;

/** Behaviour B8.4: 1 to 255 printable ASCII characters. @param longest where a door takes longer ones */
export const isIdempotencyKey = (key: string, longest = longestKey): boolean =>
  key.length <= longest && printable.test(key);

export const badIdempotencyKey = (longest = longestKey): AppError =>
  badRequest(`The Idempotency-Key must have 1 to ${longest} printable ASCII characters`);

/** Several headers of this name arrive joined as one key, so there is always one key per request. */
export function keyHeaderOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const value = headers['idempotency-key'];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The digest of a body, in the form of the field Content-Digest (RFC 9530). */
export const digestOf = (body: Buffer): string =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
