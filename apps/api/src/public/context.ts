import type { Context, Services } from '@postrider/core/base/kernel';
import { isPrefetch } from '@postrider/core/mail/tracking';
import type { FastifyRequest } from 'fastify';

/** Recipients have no account: the token identifies them. */
export const readerContext = (services: Services, request: FastifyRequest): Context => ({
  services,
  actor: { type: 'anonymous' },
  project: null,
  request: {
    id: request.id,
    ip: request.ip,
    userAgent: request.headers['user-agent'],
    referer: request.headers.referer,
  },
  db: services.database.prisma,
});

/** A token if the text has the form of one, else '', which is invalid. */
export const tokenIn = (text: string): string => (/^[\w-]+$/.test(text) ? text : '');

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** The data that determines whether a visit counts. */
export const visitorOf = ({
  method,
  headers,
}: FastifyRequest): { method: 'GET' | 'HEAD'; userAgent: string | null; isPrefetch: boolean } => ({
  method: method === 'HEAD' ? 'HEAD' : 'GET',
  userAgent: headers['user-agent'] ?? null,
  isPrefetch: isPrefetch(prefetchHeaders.map((name) => headers[name]?.toString())),
});
