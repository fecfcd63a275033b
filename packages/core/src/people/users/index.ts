export { raiseAttempts } from './attempts.store.ts';
export { changePassword } from './change-password.ts';
export { createResetLink } from './create-reset-link.ts';
export { deleteMe } from './delete-me.ts';
export { endOneSession, endOtherSessions } from './end-session.ts';
export { findSetupLink } from './first-signup.ts';
export { getMe } from './get-me.ts';
export { joinByInvitation, requireInvitation } from './invitation.ts';
export { findInvitation, isOpen } from './invitations.store.ts';
export { listSessions } from './list-sessions.ts';
export { login } from './login.ts';
export { hashOfToken, newMailedToken } from './mailed-token.ts';
export { hashPassword } from './password.ts';
export { sendPendingMail } from './pending-mail.ts';
export { finishProviderSignIn } from './providers/finish-sign-in.ts';
export { SignInRefusal, type SignInRefusalReason } from './providers/sign-in-refusal.ts';
export { startProviderSignIn } from './providers/start-sign-in.ts';
export { startedSignInCookie, startedSignInSeconds } from './providers/started-sign-in.ts';
export { requestDeletion } from './request-deletion.ts';
export { requestPasswordReset } from './request-password-reset.ts';
export { requestVerification } from './request-verification.ts';
export { resetPassword } from './reset-password.ts';
export { sweepAttempts, sweepSignIns } from './retention.store.ts';
export { addAuthenticatorApp } from './second-factors/add-authenticator-app.ts';
export { addPasskey } from './second-factors/add-passkey.ts';
export { challengeLogin, challengePasskey } from './second-factors/challenge-passkey.ts';
export { confirmAuthenticatorApp } from './second-factors/confirm-authenticator-app.ts';
export { finishLogin } from './second-factors/finish-login.ts';
export { getSecondFactors } from './second-factors/get-second-factors.ts';
export { removePasskey } from './second-factors/remove-passkey.ts';
export { removeSecondFactors } from './second-factors/remove-second-factors.ts';
export { renewRecoveryCodes } from './second-factors/renew-recovery-codes.ts';
export { hasSecondFactor } from './second-factors/second-factors.store.ts';
export { startPasskey } from './second-factors/start-passkey.ts';
export { countSessionRequests } from './session-limits.ts';
export {
  endSession,
  issueSession,
  resolveSession,
  type Session,
  sessionCookie,
  sessionSeconds,
} from './sessions.ts';
export { addressKey, countPlatformMail, tooMany } from './sign-in-limits.ts';
export { signup } from './signup.ts';
export { updateMe } from './update-me.ts';
export { tokenInput } from './users.schema.ts';
export { findAddress, findUser, findUserByEmail } from './users.store.ts';
export { verifyEmail } from './verify-email.ts';
