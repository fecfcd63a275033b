import { command, invalid } from '../kernel/index.ts';
import { sendVerification } from './send-verification.ts';
import { countClientAttempt, countMail } from './sign-in-limits.ts';
import { requestVerificationInput, successOutput } from './users.schema.ts';
import { findUser, findUserByEmail } from './users.store.ts';

export const requestVerification = command({
  name: 'auth.requestVerification',
  summary: 'Sends a new verification link to an address that has not been verified.',
  permission: 'public',
  errors: ['RATE_LIMIT_EXCEEDED'],
  input: requestVerificationInput,
  output: successOutput,
  async prepare({ services, actor, request, db }, { email }) {
    if (actor.type === 'user') {
      const user = await findUser(db, actor.userId);
      if (!user || user.emailVerified) return null;
      await countMail(services, 'verification', user.email).orThrow();
      return user;
    }
    await countClientAttempt(services, request.ip);
    if (email === undefined) throw invalid([{ field: 'email', code: 'required', message: 'Required' }]);
    // The same reply for every address, so that it does not reveal which ones have an account.
    const user = await findUserByEmail(db, email);
    if (!user || user.emailVerified) return null;
    return (await countMail(services, 'verification', email).isWithinLimit()) ? user : null;
  },
  async handler(ctx, _input, user) {
    if (user) await sendVerification(ctx, { id: user.id, email: user.email, language: user.language });
    return { success: true as const };
  },
});
