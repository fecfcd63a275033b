import { changePassword, getMe, login, signup } from '@postrider/core/users';
import { renewSession, startSession } from '../access/start-session.ts';
import { asMutation, asQuery, t } from './trpc.ts';

export const authRouter = t.router({
  signup: asMutation(signup, startSession),
  login: asMutation(login, startSession),
  changePassword: asMutation(changePassword, (reply, _output, ctx) => renewSession(reply, ctx)),
});

export const usersRouter = t.router({ me: asQuery(getMe) });
