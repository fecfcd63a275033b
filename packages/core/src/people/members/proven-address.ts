import { AppError, type Context, userIdOf } from '../../base/kernel/index.ts';
import { findUser } from '../users/index.ts';

/**
 * The caller's id and address. An invitation belongs to whoever has proven its address, also where unproven ones may sign in.
 *
 * @throws AppError EMAIL_VERIFICATION_REQUIRED
 */
export async function requireProvenAddress(ctx: Context): Promise<{ userId: string; email: string }> {
  const userId = userIdOf(ctx);
  const user = await findUser(ctx.db, userId);
  if (user?.emailVerified) return { userId, email: user.email };
  throw new AppError('EMAIL_VERIFICATION_REQUIRED', 'Your email address is not verified yet', {
    suggestion: 'Open the link in the verification email, or request a new one',
  });
}

export const noSuchInvitation = (): AppError =>
  new AppError('RESOURCE_NOT_FOUND', 'This invitation does not exist or has expired', {
    suggestion: 'Ask for a new invitation',
  });
