import {
  AppError,
  type CommandContext,
  type Context,
  command,
  emptyObject,
  type FieldError,
  invalid,
  userIdOf,
} from '../../base/kernel/index.ts';
import { findTokenUser, takeToken } from './auth-tokens.store.ts';
import { findJoinedProjects, lockAccount, removeUser } from './deletion.store.ts';
import { hashOfToken } from './mailed-token.ts';
import { checkPassword } from './password.ts';
import { requireNoProjects } from './require-no-projects.ts';
import { hasSecondFactor } from './second-factors/second-factors.store.ts';
import { prepareOwnProof } from './second-factors/use-proof.ts';
import { countAccountAttempt } from './sign-in-limits.ts';
import { type DeleteMeInput, deleteMeInput } from './users.schema.ts';
import { type Credentials, findCredentialsById } from './users.store.ts';

/**
 * A session alone must not be enough: whoever stole one could destroy the account. It takes what the account has, a password or else a
 * link in an email, and its second factor.
 */
export const deleteMe = command({
  name: 'users.deleteMe',
  summary: 'Deletes the account of the signed-in user, who must not own a project any more',
  permission: 'self',
  risk: 'closed',
  errors: ['INVALID_CREDENTIALS', 'EMAIL_VERIFICATION_REQUIRED', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  input: deleteMeInput,
  output: emptyObject,
  async prepare(ctx, { currentPassword, token, code, passkey }) {
    const user = await findCredentialsById(ctx.db, userIdOf(ctx));
    if (!user) throw goneAccount();
    const isProtected = await hasSecondFactor(ctx.db, user.id);
    requireGiven({ currentPassword, token, code, passkey }, user.passwordHash !== null, isProtected);
    await requireNoProjects(ctx.db, user.id);
    const link = user.passwordHash === null ? await requireLink(ctx, user, token ?? '') : null;
    if (link === null) await requirePassword(ctx, user, currentPassword ?? '');
    const accept = isProtected ? await prepareOwnProof(ctx, { code, passkey }) : null;
    return { user, link, accept };
  },
  async handler(ctx, _input, { user: { id, tokenVersion }, link, accept }) {
    const { db, services } = ctx;
    const account = await lockAccount(db, id);
    if (!account) throw goneAccount();
    await requireNoProjects(db, id);
    if (account.tokenVersion !== tokenVersion) throw wrongPassword();
    if (accept) await accept(ctx);
    else if (await hasSecondFactor(db, id)) throw factorJustAdded();
    if (link && !(await takeToken(db, 'DELETE_ACCOUNT', link))) throw wrongLink();
    // Otherwise, whoever signed up with somebody else's address could begin anew with what its reader is sent, and with what they said of it.
    if (account.mustProve) throw unproven();
    await services.platformMail.forget(db, account.email);
    await noteInProjects(ctx, id);
    await removeUser(db, id, account.email);
    return {};
  },
});

/** In the log of each project that loses a member by this, too. */
async function noteInProjects(ctx: CommandContext, id: string): Promise<void> {
  const target = { targetType: 'user', targetId: id };
  ctx.audit(target);
  for (const projectId of await findJoinedProjects(ctx.db, id)) ctx.audit({ ...target, projectId });
}

/** @throws AppError VALIDATION_ERROR that names what the account has and the request lacks */
function requireGiven(
  { currentPassword, token, code, passkey }: DeleteMeInput,
  hasPassword: boolean,
  isProtected: boolean,
): void {
  const errors: FieldError[] = [];
  const lacks = (field: string, message: string): void =>
    void errors.push({ field, code: 'required', message });
  if (hasPassword && currentPassword === undefined) lacks('currentPassword', 'Required');
  if (!hasPassword && token === undefined)
    lacks(
      'token',
      'Required, because the account has no password: POST /users/@me/request-deletion sends it by email',
    );
  if (isProtected && code === undefined && passkey === undefined)
    lacks('code', 'Required, unless `passkey` is given');
  if (errors.length > 0) throw invalid(errors);
}

async function requirePassword(ctx: Context, user: Credentials, given: string): Promise<void> {
  // Counted like a login of the account: a stolen session must not be a way to guess the password.
  const forgiveAttempt = await countAccountAttempt(ctx.services, user.email);
  const { passed } = await checkPassword(given, user.passwordHash);
  if (!passed) throw wrongPassword();
  await forgiveAttempt();
}

async function requireLink(ctx: Context, user: Credentials, token: string): Promise<Uint8Array<ArrayBuffer>> {
  const hash = hashOfToken(token);
  if (!hash || (await findTokenUser(ctx.db, 'DELETE_ACCOUNT', hash)) !== user.id) throw wrongLink();
  return hash;
}

const goneAccount = (): AppError => new AppError('UNAUTHORIZED', 'This account no longer exists');

const wrongPassword = (): AppError => new AppError('INVALID_CREDENTIALS', 'The current password is wrong');

const factorJustAdded = (): AppError =>
  new AppError('INVALID_CREDENTIALS', 'A second factor was added at the same time', {
    suggestion: 'Give its code, too',
  });

const wrongLink = (): AppError =>
  new AppError('INVALID_CREDENTIALS', 'The link is invalid, has expired, or belongs to another account', {
    suggestion: 'Sign in to the account that is to be deleted, and request a new link',
  });

const unproven = (): AppError =>
  new AppError(
    'EMAIL_VERIFICATION_REQUIRED',
    'Email was sent to the address of this account, which is not verified',
    {
      suggestion: 'Verify the address, or try again tomorrow (UTC)',
    },
  );
