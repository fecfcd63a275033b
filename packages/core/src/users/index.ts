export { changePassword } from './change-password.ts';
export { getMe } from './get-me.ts';
export { login } from './login.ts';
export { sweepSignIns } from './retention.store.ts';
export { countSessionRequests } from './session-limits.ts';
export { issueSession, resolveSession, type Session, sessionCookie, sessionSeconds } from './sessions.ts';
export { signup } from './signup.ts';
