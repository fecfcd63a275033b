import type { UserType } from '../../../base/db/index.ts';
import {
  type CommandContext,
  command,
  conflict,
  type SignInProviderName,
  suggestions,
} from '../../../base/kernel/index.ts';
import { acceptedLanguage, newId } from '../../../base/lib/index.ts';
import { mayCreateAccount } from '../first-signup.ts';
import { joinByInvitation, requireInvitation } from '../invitation.ts';
import { askForSecondFactor } from '../second-factors/pending-login.ts';
import { loginOutput } from '../second-factors/second-factors.schema.ts';
import { hasSecondFactor } from '../second-factors/second-factors.store.ts';
import { providerSignInInput } from '../users.schema.ts';
import { findCredentialsById } from '../users.store.ts';
import {
  type Account,
  findAccountByAddress,
  findAccountOf,
  giveToOwner,
  insertProvenUser,
  linkIdentity,
  lockAddress,
} from './identities.store.ts';
import { SignInRefusal } from './sign-in-refusal.ts';

const types: Record<SignInProviderName, UserType> = {
  github: 'GITHUB_OAUTH',
  google: 'GOOGLE_OAUTH',
  oidc: 'OIDC',
};

interface Identity {
  provider: SignInProviderName;
  issuer: string;
  subject: string;
  verifiedEmail: string | null;
}

/**
 * The account of a user that a provider has identified: the one that this user signed in to before; otherwise the one with the address,
 * if the provider confirms that; otherwise a new one.
 */
export const signInByProvider = command({
  name: 'auth.signInByProvider',
  summary: 'Signs in a user whom a sign-in provider has identified',
  permission: 'internal',
  risk: 'closed',
  internal: true,
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'CONFLICT'],
  input: providerSignInInput,
  output: loginOutput,
  async handler(ctx, { invitation: token, ...identity }) {
    const known = await findAccountOf(ctx.db, identity.issuer, identity.subject);
    const { id, email } = known ?? (await linkedAccount(ctx, identity, token !== undefined));
    if (token !== undefined) await joinByInvitation(ctx, await requireInvitation(ctx.db, token, email), id);
    ctx.audit({ targetType: 'user', targetId: id });
    const user = (await hasSecondFactor(ctx.db, id)) && (await findCredentialsById(ctx.db, id));
    if (user) {
      const { tokenVersion } = user;
      return askForSecondFactor(ctx.services.secrets, { userId: id, tokenVersion }, Date.now());
    }
    return { id, email };
  },
});

async function linkedAccount(
  ctx: CommandContext,
  identity: Identity,
  isInvited: boolean,
): Promise<Pick<Account, 'id' | 'email'>> {
  const { db } = ctx;
  const { verifiedEmail: email, provider } = identity;
  if (email === null) throw new SignInRefusal('email_not_verified');
  await lockAddress(db, email);
  const account = await findAccountByAddress(db, email);
  const type = types[provider];
  if (account && !account.emailVerified) await giveToOwner(db, ctx.services.secrets, account.id, type);
  const { id } = account ?? (await newAccount(ctx, { email, type }, isInvited));
  await linkIdentity(db, identity, id);
  return { id, email };
}

async function newAccount(
  { db, services, request }: CommandContext,
  user: { email: string; type: UserType },
  isInvited: boolean,
): Promise<{ id: string }> {
  // The handler checks the invitation, and nothing remains of the account if it is invalid.
  if (!isInvited && (await mayCreateAccount(db, services, undefined)) !== 'yes')
    throw new SignInRefusal('signups_disabled');
  const id = newId();
  const language = acceptedLanguage(request.acceptLanguage);
  if (await insertProvenUser(db, { id, language, ...user })) return { id };
  throw conflict('An account with this address was created at the same time', {
    suggestion: suggestions.CONFLICT.accountJustCreated,
  });
}
