import {
  addAuthenticatorApp,
  addPasskey,
  challengeLogin,
  challengePasskey,
  changePassword,
  confirmAuthenticatorApp,
  deleteMe,
  endOneSession,
  endOtherSessions,
  endSession,
  finishLogin,
  getMe,
  getSecondFactors,
  listSessions,
  login,
  removePasskey,
  removeSecondFactors,
  renewRecoveryCodes,
  requestDeletion,
  requestPasswordReset,
  requestVerification,
  resetPassword,
  signup,
  startPasskey,
  updateMe,
  verifyEmail,
} from '@postrider/core/people/users';
import { clearSessionCookie, readSessionToken } from '../access/session-cookie.ts';
import {
  closeSession,
  renewSession,
  startSession,
  startSessionUnlessAsked,
} from '../access/start-session.ts';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';
import { rawRoute } from './raw-route.ts';
import { successOnly } from './success.ts';

export function mountUsers(door: RestDoor): void {
  mount(door, 'POST', '/auth/signup', signup, { status: 201, onSuccess: startSession });
  mount(door, 'POST', '/auth/login', login, { onSuccess: startSessionUnlessAsked });
  mount(door, 'POST', '/auth/second-factor', finishLogin, { onSuccess: startSession });
  mount(door, 'POST', '/auth/second-factor/challenge', challengeLogin);
  mount(door, 'GET', '/auth/second-factors', getSecondFactors);
  mount(door, 'POST', '/auth/second-factors/challenge', challengePasskey);
  mount(door, 'POST', '/auth/second-factors/passkeys/options', startPasskey);
  mount(door, 'POST', '/auth/second-factors/passkeys', addPasskey, { status: 201 });
  mount(door, 'POST', '/auth/second-factors/passkeys/:id/remove', removePasskey);
  mount(door, 'POST', '/auth/second-factors/authenticator-app', addAuthenticatorApp, { status: 201 });
  mount(door, 'POST', '/auth/second-factors/authenticator-app/confirm', confirmAuthenticatorApp);
  mount(door, 'POST', '/auth/second-factors/recovery-codes', renewRecoveryCodes);
  mount(door, 'POST', '/auth/second-factors/remove', removeSecondFactors);
  mount(door, 'POST', '/auth/verify-email', verifyEmail);
  mount(door, 'POST', '/auth/request-verification', requestVerification);
  mount(door, 'POST', '/auth/request-password-reset', requestPasswordReset);
  mount(door, 'POST', '/auth/reset-password', resetPassword);
  rawRoute(door, 'GET', '/auth/logout', {
    name: 'auth.logout',
    summary: 'Ends the session and clears its cookie; without a session it has no effect.',
    output: successOnly,
    async handler(request, reply) {
      const token = readSessionToken(request.headers.cookie);
      if (token !== null) await endSession(door.services, token);
      clearSessionCookie(reply, door.services.config.API_URL);
      return { success: true };
    },
  });
  mount(door, 'GET', '/auth/sessions', listSessions);
  mount(door, 'DELETE', '/auth/sessions', endOtherSessions, { status: 204 });
  mount(door, 'DELETE', '/auth/sessions/:id', endOneSession, { status: 204 });
  mount(door, 'GET', '/users/@me', getMe);
  mount(door, 'PATCH', '/users/@me', updateMe);
  mount(door, 'DELETE', '/users/@me', deleteMe, { status: 204, from: 'body', onSuccess: closeSession });
  mount(door, 'POST', '/users/@me/request-deletion', requestDeletion);
  mount(door, 'POST', '/users/@me/change-password', changePassword, {
    onSuccess: (reply, _output, ctx) => renewSession(reply, ctx),
  });
}
