import { timingSafeEqual } from 'node:crypto';
import { AppError, sha256 } from '@postrider/core/kernel';
import type { FastifyRequest } from 'fastify';
import { register } from 'prom-client';
import type { RestDoor } from './door.ts';
import { rawRoute } from './raw-route.ts';

/** Compared by hash, so that the time does not depend on the characters. */
const hasToken = ({ headers }: FastifyRequest, token: string): boolean =>
  timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`));

const tokenRequired = (): AppError =>
  new AppError('MISSING_AUTH', 'The metrics require a token', {
    suggestion: 'Send the header "Authorization: Bearer <METRICS_TOKEN>"',
  });

export function mountMetrics(door: RestDoor): void {
  rawRoute(door, 'GET', '/metrics', {
    name: 'metrics.get',
    summary: 'Metrics of this process in the Prometheus text format.',
    produces: 'text/plain',
    async handler(request, reply) {
      const { METRICS_TOKEN } = door.services.config;
      if (METRICS_TOKEN !== undefined && !hasToken(request, METRICS_TOKEN)) throw tokenRequired();
      return reply.type(register.contentType).send(await register.metrics());
    },
  });
}
