import { AppError, hasBearerToken } from '@postrider/core/kernel';
import { register } from 'prom-client';
import type { RestDoor } from './door.ts';
import { rawRoute } from './raw-route.ts';

const tokenRequired = (): AppError =>
  new AppError('MISSING_AUTH', 'The metrics require a token', {
    suggestion: 'Send the header "Authorization: Bearer <METRICS_TOKEN>"',
  });

export function mountMetrics(door: RestDoor): void {
  rawRoute(door, 'GET', '/metrics', {
    name: 'metrics.get',
    summary:
      'Metrics of this process in the Prometheus text format. In production 404 without METRICS_TOKEN.',
    produces: 'text/plain',
    async handler(request, reply) {
      const { METRICS_TOKEN, NODE_ENV } = door.services.config;
      if (METRICS_TOKEN === undefined) {
        // Counters tell much about customers; an installation that nobody closed must not show them.
        if (NODE_ENV === 'production') return reply.callNotFound();
      } else if (!hasBearerToken(request.headers.authorization, METRICS_TOKEN)) throw tokenRequired();
      return reply.type(register.contentType).send(await register.metrics());
    },
  });
}
