import { timingSafeEqual } from 'node:crypto';
import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/services.ts';
import { hasUsers, lockFirstSignup } from './users.store.ts';

type Installation = Pick<Services, 'config' | 'secrets'>;

/** Whether an account may be created without an invitation: `needs_setup_token` while it would be the first of a closed installation. */
export type SignupAnswer = 'yes' | 'disabled' | 'needs_setup_token';

/** The answer of now, without a lock. */
export async function signupAnswer(
  db: Db,
  { config, secrets }: Installation,
  setupToken: string | undefined,
): Promise<SignupAnswer> {
  if (!config.SIGNUPS_DISABLED) return 'yes';
  if (await hasUsers(db)) return 'disabled';
  return setupToken !== undefined && isSame(setupToken, secrets.setupToken) ? 'yes' : 'needs_setup_token';
}

/**
 * The same for the transaction that creates the account. With sign-ups disabled, only the first of an installation may be created, with the
 * set-up token (behaviour B11.6): concurrent ones wait for each other until their transactions end.
 */
export async function mayCreateAccount(
  db: Db,
  installation: Installation,
  setupToken: string | undefined,
): Promise<SignupAnswer> {
  const answer = await signupAnswer(db, installation, setupToken);
  if (answer !== 'yes' || !installation.config.SIGNUPS_DISABLED) return answer;
  await lockFirstSignup(db);
  return (await hasUsers(db)) ? 'disabled' : 'yes';
}

/** Where the first account of a closed installation is created; null when there is one, or anybody may sign up. */
export async function findSetupLink({
  config,
  secrets,
  database,
}: Installation & Pick<Services, 'database'>): Promise<string | null> {
  if (!config.SIGNUPS_DISABLED || (await hasUsers(database.prisma))) return null;
  return `${config.DASHBOARD_URL}/auth/signup?setup=${secrets.setupToken}`;
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
