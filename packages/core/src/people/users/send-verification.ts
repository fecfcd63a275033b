import type { Addressee, CommandContext } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { verificationMail } from './account-mail.ts';
import { storeToken } from './auth-tokens.store.ts';
import { newMailedToken } from './mailed-token.ts';

/** How long a verification link is valid (behaviour B4.16). */
export const verificationLifetimeMs = 24 * 60 * 60 * 1000;

/** Sends a verification link to a user's address; it replaces an earlier link. */
export async function sendVerification(
  ctx: CommandContext,
  { id, ...to }: { id: string } & Addressee,
): Promise<void> {
  const { services, db } = ctx;
  const { token, hash } = newMailedToken();
  await storeToken(db, newId(), {
    userId: id,
    kind: 'VERIFY_EMAIL',
    hash,
    expiresAt: new Date(Date.now() + verificationLifetimeMs),
  });
  await services.platformMail.write(db, verificationMail(services.config, to, token));
  ctx.afterCommit(() => services.platformMail.notify());
}
