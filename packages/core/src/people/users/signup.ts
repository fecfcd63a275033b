import { AppError, command, conflict, suggestions } from '../../base/kernel/index.ts';
import { acceptedLanguage, newId } from '../../base/lib/index.ts';
import { mayCreateAccount, type SignupAnswer, signupAnswer } from './first-signup.ts';
import { joinByInvitation, requireInvitation } from './invitation.ts';
import { hashPassword } from './password.ts';
import { sendVerification } from './send-verification.ts';
import { countClientAttempt } from './sign-in-limits.ts';
import { accountOutput, signupInput } from './users.schema.ts';
import { addressTaken, insertUser } from './users.store.ts';

export const signup = command({
  name: 'auth.signup',
  summary: 'Creates an account with an email address and a password',
  permission: 'public',
  risk: 'closed',
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'PROJECT_DISABLED', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  input: signupInput,
  output: accountOutput,
  async prepare({ services, request, db }, { email, password, invitation, setupToken }) {
    await countClientAttempt(services, request.ip);
    if (invitation !== undefined) await requireInvitation(db, invitation, email);
    else requireYes(await signupAnswer(db, services, setupToken));
    if (await addressTaken(db, email)) throw taken();
    return hashPassword(password);
  },
  async handler(ctx, { email, invitation: token, setupToken }, passwordHash) {
    const { db } = ctx;
    const invitation = token === undefined ? null : await requireInvitation(db, token, email);
    const id = newId();
    if (!invitation) requireYes(await mayCreateAccount(db, ctx.services, setupToken));
    const language = acceptedLanguage(ctx.request.acceptLanguage);
    if (!(await insertUser(db, { id, email, passwordHash, language }))) throw taken();
    if (invitation) await joinByInvitation(ctx, invitation, id);
    else if (ctx.services.config.VERIFY_SIGNUP_EMAIL) await sendVerification(ctx, { id, email, language });
    ctx.audit({ targetType: 'user', targetId: id });
    return { id, email };
  },
});

function requireYes(answer: SignupAnswer): void {
  if (answer === 'disabled') {
    throw new AppError('FORBIDDEN', 'Sign-ups are disabled', {
      suggestion: 'Ask an owner or admin of a project to invite you',
    });
  }
  if (answer === 'needs_setup_token') {
    throw new AppError('FORBIDDEN', 'The first account of this installation needs its set-up token', {
      details: { setupToken: true },
      suggestion: 'Open the link in the log of the api, or that of `npm run admin -- setup-link`',
    });
  }
}

const taken = (): AppError =>
  conflict('An account with this address already exists', { suggestion: suggestions.CONFLICT.accountExists });
