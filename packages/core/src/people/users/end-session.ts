import { AppError, command, emptyObject, sessionIdOf, userIdOf } from '../../base/kernel/index.ts';
import { removeSession, removeSessionsOf } from './sessions.store.ts';
import { sessionIdInput } from './users.schema.ts';

export const endOneSession = command({
  name: 'auth.endSession',
  summary: 'Ends one session of the account; the current one can be ended too',
  permission: 'self',
  risk: 'closed',
  errors: ['RESOURCE_NOT_FOUND'],
  input: sessionIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const userId = userIdOf(ctx);
    if (!(await removeSession(ctx.db, userId, id)))
      throw new AppError('RESOURCE_NOT_FOUND', 'Session not found');
    ctx.audit({ targetType: 'user', targetId: userId, changed: ['sessions'] });
    return {};
  },
});

export const endOtherSessions = command({
  name: 'auth.endOtherSessions',
  summary: 'Ends every session of the account except the current one',
  permission: 'self',
  risk: 'closed',
  input: emptyObject,
  output: emptyObject,
  async handler(ctx) {
    const userId = userIdOf(ctx);
    await removeSessionsOf(ctx.db, userId, sessionIdOf(ctx));
    ctx.audit({ targetType: 'user', targetId: userId, changed: ['sessions'] });
    return {};
  },
});
