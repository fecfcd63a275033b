import { type AppError, badRequest } from '@postrider/core/base/kernel';

const acceptable = /^[\x20-\x7e]{1,255}$/;

/** Behaviour B8.4: 1 to 255 printable ASCII characters. */
export const isIdempotencyKey = (key: string): boolean => acceptable.test(key);

export const badIdempotencyKey = (): AppError =>
  badRequest('The Idempotency-Key must have 1 to 255 printable ASCII characters');
