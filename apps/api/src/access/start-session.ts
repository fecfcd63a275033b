import type { Context, Services } from '@postrider/core/base/kernel';
import { issueSession } from '@postrider/core/people/users';
import type { FastifyReply } from 'fastify';
import { clearSessionCookie, setSessionCookie } from './session-cookie.ts';

/** Signs in a user who has just been authenticated. */
export const startSession = (
  reply: FastifyReply,
  user: { id: string },
  { services }: Context,
): Promise<void> => openSession(services, reply, user);

/** The same after a login, unless that asks for the second factor first. */
export async function startSessionUnlessAsked(
  reply: FastifyReply,
  outcome: { id: string } | { secondFactor: object },
  ctx: Context,
): Promise<void> {
  if ('id' in outcome) await startSession(reply, outcome, ctx);
}

/** The same for routes without a context. */
export async function openSession(
  services: Services,
  reply: FastifyReply,
  user: { id: string },
): Promise<void> {
  const { ip, headers } = reply.request;
  const token = await issueSession(services, user, { ip, userAgent: headers['user-agent'] ?? null });
  setSessionCookie(reply, token, services.config.API_URL);
}

/** Gives the caller a new session after a change that ended every other one. */
export async function renewSession(reply: FastifyReply, ctx: Context): Promise<void> {
  if (ctx.actor.type === 'user') await startSession(reply, { id: ctx.actor.userId }, ctx);
}

/** Forgets the session of an account that is gone. */
export function closeSession(reply: FastifyReply, _output: unknown, { services }: Context): void {
  clearSessionCookie(reply, services.config.API_URL);
}
