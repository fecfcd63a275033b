import { AppError, type Context } from '../../../base/kernel/index.ts';
import { type Credentials, findCredentialsById } from '../users.store.ts';
import { openPendingLogin } from './pending-login.ts';

/** The user of a login that waits for its second factor. @throws AppError INVALID_CREDENTIALS for a token that is not valid any more */
export async function findPendingUser({ services, db }: Context, token: string): Promise<Credentials> {
  const pending = openPendingLogin(services.secrets, token, Date.now());
  const user = pending && (await findCredentialsById(db, pending.userId));
  if (user && user.tokenVersion === pending.tokenVersion) return user;
  throw new AppError('INVALID_CREDENTIALS', 'This login has expired', { suggestion: 'Log in again' });
}
