import { command, invalid } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { addPendingMail } from './pending-mail.store.ts';
import { sendPendingMailSoon } from './pending-mail.ts';
import { sendVerification } from './send-verification.ts';
import { countClientAttempt, countMail } from './sign-in-limits.ts';
import { requestVerificationInput, successOutput } from './users.schema.ts';
import { findUser } from './users.store.ts';

export const requestVerification = command({
  name: 'auth.requestVerification',
  summary: 'Sends a new verification link to an address that has not been verified.',
  permission: 'public',
  risk: 'closed',
  optionalSession: true,
  errors: ['RATE_LIMIT_EXCEEDED'],
  input: requestVerificationInput,
  output: successOutput,
  async prepare({ services, actor, request, db }, { email }) {
    if (actor.type !== 'user') {
      await countClientAttempt(services, request.ip);
      if (email === undefined) throw invalid([{ field: 'email', code: 'required', message: 'Required' }]);
      return { email, user: null };
    }
    // The user of a session knows whether the address has an account.
    const user = await findUser(db, actor.userId);
    if (!user || user.emailVerified) return { email: null, user: null };
    await countMail(services, 'verification', user.email).orThrow();
    return { email: null, user };
  },
  async handler(ctx, _input, { email, user }) {
    if (user) await sendVerification(ctx, { id: user.id, email: user.email, language: user.language });
    if (email !== null) {
      await addPendingMail(ctx.db, { id: newId(), kind: 'VERIFICATION', email });
      ctx.afterCommit(() => sendPendingMailSoon(ctx.services));
    }
    return { success: true as const };
  },
});
