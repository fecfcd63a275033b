import {
  addAuthenticatorApp,
  changePassword,
  confirmAuthenticatorApp,
  endOneSession,
  endOtherSessions,
  finishLogin,
  getMe,
  getSecondFactors,
  listSessions,
  login,
  removeSecondFactors,
  renewRecoveryCodes,
  requestPasswordReset,
  requestVerification,
  resetPassword,
  signup,
  updateMe,
  verifyEmail,
} from '@postrider/core/users';
import { renewSession, startSession, startSessionUnlessAsked } from '../access/start-session.ts';
import { asMutation, asQuery, t } from './trpc.ts';

export const authRouter = t.router({
  signup: asMutation(signup, startSession),
  login: asMutation(login, startSessionUnlessAsked),
  finishLogin: asMutation(finishLogin, startSession),
  secondFactors: asQuery(getSecondFactors),
  addAuthenticatorApp: asMutation(addAuthenticatorApp),
  confirmAuthenticatorApp: asMutation(confirmAuthenticatorApp),
  renewRecoveryCodes: asMutation(renewRecoveryCodes),
  removeSecondFactors: asMutation(removeSecondFactors),
  verifyEmail: asMutation(verifyEmail),
  requestVerification: asMutation(requestVerification),
  requestPasswordReset: asMutation(requestPasswordReset),
  resetPassword: asMutation(resetPassword),
  sessions: asQuery(listSessions),
  endSession: asMutation(endOneSession),
  endOtherSessions: asMutation(endOtherSessions),
  changePassword: asMutation(changePassword, (reply, _output, ctx) => renewSession(reply, ctx)),
});

export const usersRouter = t.router({ me: asQuery(getMe), updateMe: asMutation(updateMe) });
