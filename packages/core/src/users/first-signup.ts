import type { Db } from '../db/index.ts';
import type { CoreConfig } from '../kernel/config.ts';
import { hasUsers, lockFirstSignup } from './users.store.ts';

/**
 * Whether an account may be created without an invitation. With sign-ups disabled, only the first of an installation may be: concurrent
 * ones wait for each other until their transactions end.
 */
export async function mayCreateAccount(
  db: Db,
  { SIGNUPS_DISABLED }: Pick<CoreConfig, 'SIGNUPS_DISABLED'>,
): Promise<boolean> {
  if (!SIGNUPS_DISABLED) return true;
  if (await hasUsers(db)) return false;
  await lockFirstSignup(db);
  return !(await hasUsers(db));
}
