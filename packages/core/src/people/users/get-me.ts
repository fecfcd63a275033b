import { AppError, emptyObject, query, userIdOf } from '../../base/kernel/index.ts';
import { userOutput } from './users.schema.ts';
import { findUser } from './users.store.ts';

export const getMe = query({
  name: 'users.me',
  summary: 'Returns the signed-in user',
  permission: 'self',
  input: emptyObject,
  output: userOutput,
  async handler(ctx) {
    const user = await findUser(ctx.db, userIdOf(ctx));
    if (user) return user;
    throw new AppError('UNAUTHORIZED', 'This account no longer exists');
  },
});
