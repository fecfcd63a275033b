import {
  changePassword,
  endOneSession,
  endOtherSessions,
  getMe,
  listSessions,
  login,
  requestPasswordReset,
  requestVerification,
  resetPassword,
  signup,
  verifyEmail,
} from '@postrider/core/users';
import { renewSession, startSession } from '../access/start-session.ts';
import { asMutation, asQuery, t } from './trpc.ts';

export const authRouter = t.router({
  signup: asMutation(signup, startSession),
  login: asMutation(login, startSession),
  verifyEmail: asMutation(verifyEmail),
  requestVerification: asMutation(requestVerification),
  requestPasswordReset: asMutation(requestPasswordReset),
  resetPassword: asMutation(resetPassword),
  sessions: asQuery(listSessions),
  endSession: asMutation(endOneSession),
  endOtherSessions: asMutation(endOtherSessions),
  changePassword: asMutation(changePassword, (reply, _output, ctx) => renewSession(reply, ctx)),
});

export const usersRouter = t.router({ me: asQuery(getMe) });
