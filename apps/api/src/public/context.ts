import type { Context, Services } from '@postrider/core/kernel';
import type { FastifyRequest } from 'fastify';

/** Readers of mail have no account: their token says everything. */
export const readerContext = (services: Services, request: FastifyRequest): Context => ({
  services,
  actor: { type: 'anonymous' },
  project: null,
  request: { id: request.id, ip: request.ip },
  db: services.database.prisma,
});

/** A token as tokens are written. Everything else cannot be ours and counts as an invalid one. */
export const tokenIn = (text: string): string => (/^[\w-]+$/.test(text) ? text : '');

/** What decides whether a visit counts. */
export const visitorOf = ({
  method,
  headers,
}: FastifyRequest): { method: 'GET' | 'HEAD'; userAgent: string | null } => ({
  method: method === 'HEAD' ? 'HEAD' : 'GET',
  userAgent: headers['user-agent'] ?? null,
});
