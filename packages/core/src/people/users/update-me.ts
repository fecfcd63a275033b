import { AppError, command, userIdOf } from '../../base/kernel/index.ts';
import { updateMeInput, userOutput } from './users.schema.ts';
import { findUser, setLanguage } from './users.store.ts';

export const updateMe = command({
  name: 'users.updateMe',
  summary: 'Changes settings of the signed-in user',
  permission: 'self',
  risk: 'closed',
  input: updateMeInput,
  output: userOutput,
  async handler(ctx, { language }) {
    const id = userIdOf(ctx);
    const user = await findUser(ctx.db, id);
    if (!user) throw new AppError('UNAUTHORIZED', 'This account no longer exists');
    if (language === undefined || language === user.language) return user;
    ctx.audit({ targetType: 'user', targetId: id, changed: ['language'] });
    return setLanguage(ctx.db, id, language);
  },
});
