import { sessionCookie, sessionSeconds } from '@postrider/core/users';
import type { FastifyReply } from 'fastify';

/** The session token of a request; null when the cookie is missing or empty. */
export function readSessionToken(cookieHeader: string | undefined): string | null {
  if (cookieHeader === undefined) return null;
  for (const part of cookieHeader.split(';')) {
    const separator = part.indexOf('=');
    if (part.slice(0, separator).trim() !== sessionCookie) continue;
    return part.slice(separator + 1).trim() || null;
  }
  return null;
}

/** Behaviour B5.2. `Secure` only over https, since browsers refuse such a cookie on a plain-text address. */
export function setSessionCookie(reply: FastifyReply, token: string, apiUrl: string): void {
  reply.header('set-cookie', cookie(token, sessionSeconds, apiUrl));
}

export function clearSessionCookie(reply: FastifyReply, apiUrl: string): void {
  reply.header('set-cookie', cookie('', 0, apiUrl));
}

const cookie = (value: string, maxAge: number, apiUrl: string): string =>
  `${sessionCookie}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${apiUrl.startsWith('https:') ? '; Secure' : ''}`;
