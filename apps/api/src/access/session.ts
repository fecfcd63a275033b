import type { IncomingHttpHeaders } from 'node:http';
import { type Actor, AppError, missingAuth, type Services } from '@postrider/core/base/kernel';
import { type Membership, resolveMembership } from '@postrider/core/people/projects';
import { resolveSession, type Session } from '@postrider/core/people/users';
import type { FastifyReply } from 'fastify';
import { readSessionToken, setSessionCookie } from './session-cookie.ts';

export type UserActor = Extract<Actor, { type: 'user' }>;

/**
 * The session of the cookie, with its user. The browser's cookie is extended with the session.
 *
 * @throws AppError MISSING_AUTH without a cookie; UNAUTHORIZED for an unknown, expired or revoked one
 */
export async function requireSession(
  services: Services,
  headers: IncomingHttpHeaders,
  reply: FastifyReply,
): Promise<Session> {
  const token = readSessionToken(headers.cookie);
  if (token === null) throw missingAuth();
  const session = await resolveSession(services, token);
  if (session?.extended) setSessionCookie(reply, token, services.config.API_URL);
  if (session) return session;
  throw sessionEnded();
}

export const sessionEnded = (): AppError =>
  new AppError('UNAUTHORIZED', 'Your session has ended', { suggestion: 'Sign in again' });

/** The session of the cookie; null without a valid one. */
export async function findSession(services: Services, headers: IncomingHttpHeaders): Promise<Session | null> {
  const token = readSessionToken(headers.cookie);
  return token === null ? null : resolveSession(services, token);
}

/** The user as an actor without a project; an address counts as verified if verification is not required (behaviour B5.2). */
export const userActor = ({ config }: Services, { id, userId, emailVerified }: Session): UserActor => ({
  type: 'user',
  userId,
  emailVerified: emailVerified || !config.VERIFY_SIGNUP_EMAIL,
  projectId: null,
  role: null,
  sessionId: id,
});

/**
 * The project that a session request names, and the user's role in it.
 *
 * @throws AppError BAD_REQUEST when it names no project; PROJECT_ACCESS_DENIED when the user is not a member of it
 */
export async function requireMembership(
  services: Services,
  userId: string,
  projectId: string | undefined,
): Promise<Membership> {
  if (projectId === undefined || projectId === '') {
    throw new AppError('BAD_REQUEST', 'The header X-Project-Id is missing', {
      suggestion: 'Send the header X-Project-Id with the id of one of your projects',
    });
  }
  return (await resolveMembership(services, userId, projectId)) ?? denied();
}

export function denied(): never {
  throw new AppError('PROJECT_ACCESS_DENIED', 'You have no access to this project');
}

export const projectHeader = (headers: IncomingHttpHeaders): string | undefined => {
  const value = headers['x-project-id'];
  return typeof value === 'string' ? value.trim() : undefined;
};
