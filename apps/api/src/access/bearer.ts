import { AppError } from '@postrider/core/base/kernel';

const bearerPattern = /^bearer +(\S+)$/i;

/** The key of an `Authorization` header. @throws AppError INVALID_API_KEY for another scheme or form */
export function bearerOf(authorization: string): string {
  const key = bearerPattern.exec(authorization.trim())?.[1];
  if (key !== undefined) return key;
  throw new AppError('INVALID_API_KEY', 'The Authorization header must be "Bearer <API key>"');
}
