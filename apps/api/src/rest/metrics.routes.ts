import { register } from 'prom-client';
import type { RestDoor } from './door.ts';
import { rawRoute } from './raw-route.ts';

export function mountMetrics(door: RestDoor): void {
  rawRoute(door, 'GET', '/metrics', {
    name: 'metrics.get',
    summary: 'Metrics of this process in the Prometheus text format.',
    produces: 'text/plain',
    async handler(_request, reply) {
      return reply.type(register.contentType).send(await register.metrics());
    },
  });
}
