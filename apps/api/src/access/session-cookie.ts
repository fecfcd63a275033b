import { sessionCookie, sessionSeconds } from '@postrider/core/people/users';
import type { FastifyReply } from 'fastify';
import { readCookie, scopedCookie } from './cookies.ts';

/** The session token of a request; null when the cookie is missing or empty. */
export const readSessionToken = (cookieHeader: string | undefined): string | null =>
  readCookie(cookieHeader, sessionCookie);

/** Behaviour B5.2. */
export function setSessionCookie(reply: FastifyReply, token: string, apiUrl: string): void {
  reply.header('set-cookie', cookie(token, sessionSeconds, apiUrl));
}

export function clearSessionCookie(reply: FastifyReply, apiUrl: string): void {
  reply.header('set-cookie', cookie('', 0, apiUrl));
}

const cookie = (value: string, maxAge: number, apiUrl: string): string =>
  scopedCookie({ name: sessionCookie, value, path: '/', maxAge }, apiUrl);
