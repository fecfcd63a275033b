import { emptyObject, query, sessionIdOf, userIdOf } from '../../base/kernel/index.ts';
import { listSessionsOf } from './sessions.store.ts';
import { sessionsOutput } from './users.schema.ts';

export const listSessions = query({
  name: 'auth.listSessions',
  summary: 'Lists where the account is signed in, last used first',
  permission: 'self',
  input: emptyObject,
  output: sessionsOutput,
  async handler(ctx) {
    const sessions = await listSessionsOf(ctx.db, userIdOf(ctx), new Date());
    return sessions.map((session) => ({ ...session, current: session.id === sessionIdOf(ctx) }));
  },
});
