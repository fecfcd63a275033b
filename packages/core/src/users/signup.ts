import { AppError, acceptedLanguage, command, conflict, newId } from '../kernel/index.ts';
import { mayCreateAccount } from './first-signup.ts';
import { joinByInvitation, requireInvitation } from './invitation.ts';
import { hashPassword } from './password.ts';
import { sendVerification } from './send-verification.ts';
import { countClientAttempt } from './sign-in-limits.ts';
import { accountOutput, signupInput } from './users.schema.ts';
import { addressTaken, hasUsers, insertUser } from './users.store.ts';

export const signup = command({
  name: 'auth.signup',
  summary: 'Creates an account with an email address and a password',
  permission: 'public',
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'PROJECT_DISABLED', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  input: signupInput,
  output: accountOutput,
  async prepare({ services, request, db }, { email, password, invitation }) {
    await countClientAttempt(services, request.ip);
    if (invitation !== undefined) await requireInvitation(db, invitation, email);
    else if (services.config.SIGNUPS_DISABLED && (await hasUsers(db))) throw signupsDisabled();
    if (await addressTaken(db, email)) throw taken();
    return hashPassword(password);
  },
  async handler(ctx, { email, invitation: token }, passwordHash) {
    const { db } = ctx;
    const invitation = token === undefined ? null : await requireInvitation(db, token, email);
    const id = newId();
    if (!invitation && !(await mayCreateAccount(db, ctx.services.config))) throw signupsDisabled();
    const language = acceptedLanguage(ctx.request.acceptLanguage);
    if (!(await insertUser(db, { id, email, passwordHash, language }))) throw taken();
    if (invitation) await joinByInvitation(ctx, invitation, id);
    else if (ctx.services.config.VERIFY_SIGNUP_EMAIL) await sendVerification(ctx, { id, email, language });
    ctx.audit({ targetType: 'user', targetId: id });
    return { id, email };
  },
});

const signupsDisabled = (): AppError =>
  new AppError('FORBIDDEN', 'Sign-ups are disabled', {
    suggestion: 'Ask an owner or admin of a project to invite you',
  });

const taken = (): AppError =>
  conflict('An account with this address already exists', { suggestion: 'Log in instead' });
