import type { Services } from '../../base/kernel/services.ts';
import { debouncePerKey } from '../../base/lib/debounce.ts';
import { newId } from '../../base/lib/index.ts';
import { passwordResetMail, verificationMail } from './account-mail.ts';
import { storeToken } from './auth-tokens.store.ts';
import { newMailedToken } from './mailed-token.ts';
import { type PendingMail, takePendingMail } from './pending-mail.store.ts';
import { resetLifetimeMs } from './reset-link.ts';
import { verificationLifetimeMs } from './send-verification.ts';
import { countMail } from './sign-in-limits.ts';
import { findUserByEmail } from './users.store.ts';

const beforeAll = '00000000-0000-0000-0000-000000000000';
/** Between the answer of a request and its work, in milliseconds: the time of an answer says nothing about the address. */
const delayMs = 100;

/**
 * Does what requests for links by email mean, also those that a process which has ended left. A failed one stays for the next time.
 *
 * @returns how many were handled
 */
export async function sendPendingMail(services: Services): Promise<number> {
  let after = beforeAll;
  let handled = 0;
  for (;;) {
    const taken: { id: string | null } = { id: null };
    try {
      const isDone = await services.database.prisma.$transaction(async (db) => {
        const mail = await takePendingMail(db, after);
        taken.id = mail?.id ?? null;
        if (mail) await send({ ...services, db }, mail);
        return mail === null;
      });
      if (isDone) return handled;
      handled += 1;
      services.platformMail.notify();
    } catch (error) {
      services.log.error({ err: error }, 'a link that was asked for could not be written');
      if (taken.id === null) return handled;
    }
    after = taken.id ?? after;
  }
}

/** Has the requests handled shortly afterwards. */
export const sendPendingMailSoon = debouncePerKey(sendPendingMail, {
  keyOf: ({ config }) => config.DATABASE_URL,
  delayMs,
  pauseMs: () => delayMs,
});

type Sender = Services & { db: Parameters<typeof takePendingMail>[0] };

async function send(services: Sender, { kind, email }: PendingMail): Promise<void> {
  const { db, config, platformMail } = services;
  const user = await findUserByEmail(db, email);
  if (!user || (kind === 'VERIFICATION' && user.emailVerified)) return;
  if (!(await countMail(services, kind === 'VERIFICATION' ? 'verification' : 'reset', email).isWithinLimit()))
    return;
  const { token, hash } = newMailedToken();
  const lifetimeMs = kind === 'VERIFICATION' ? verificationLifetimeMs : resetLifetimeMs;
  await storeToken(db, newId(), {
    userId: user.id,
    kind: kind === 'VERIFICATION' ? 'VERIFY_EMAIL' : 'RESET_PASSWORD',
    hash,
    expiresAt: new Date(Date.now() + lifetimeMs),
  });
  const mailOf = kind === 'VERIFICATION' ? verificationMail : passwordResetMail;
  await platformMail.write(db, mailOf(config, { email, language: user.language }, token));
}
