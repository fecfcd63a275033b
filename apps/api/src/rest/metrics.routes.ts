import { AppError, hasBearerToken, type Services } from '@postrider/core/base/kernel';
import { routeId } from '@postrider/core/base/providers';
import { findRoutePause } from '@postrider/core/mail/ledger';
import { storageOfAll } from '@postrider/core/people/storage';
import { Gauge, register } from 'prom-client';
import type { RestDoor } from './door.ts';
import { rawRoute } from './raw-route.ts';

const tokenRequired = (): AppError =>
  new AppError('MISSING_AUTH', 'The metrics require a token', {
    suggestion: 'Send the header "Authorization: Bearer <METRICS_TOKEN>"',
  });

/** For how long email has been waiting for the mail server; without the database it is unknown, and shown as NaN. */
async function measureRoutePause({ database, config, log }: Services): Promise<void> {
  const name = 'route_paused_seconds';
  const gauge =
    (register.getSingleMetric(name) as Gauge | undefined) ??
    new Gauge({ name, help: 'For how long email has been waiting for the mail server; 0 while it works' });
  try {
    const pause = await findRoutePause(database.prisma, routeId(config));
    gauge.set(pause ? (Date.now() - pause.since.getTime()) / 1_000 : 0);
  } catch (error) {
    log.warn({ err: error }, 'the state of the route could not be read for the metrics');
    gauge.set(Number.NaN);
  }
}

/** The shortest time between two reads of the storage, in milliseconds, however often the metrics are read. */
const storageMs = 60_000;

/** The bytes that are stored, of all projects together. */
function observeStorage({ database, log }: Services): void {
  const name = 'postrider_storage_bytes';
  register.removeSingleMetric(name);
  let readAt = Number.NEGATIVE_INFINITY;
  new Gauge({
    name,
    help: 'Bytes that all projects have stored',
    labelNames: ['kind'],
    async collect() {
      if (performance.now() - readAt < storageMs) return;
      try {
        for (const { kind, bytes } of await storageOfAll(database)) this.set({ kind }, bytes);
        readAt = performance.now();
      } catch (error) {
        log.warn({ err: error }, 'the storage of projects could not be read; the metric is the former one');
      }
    },
  });
}

export function mountMetrics(door: RestDoor): void {
  observeStorage(door.services);
  rawRoute(door, 'GET', '/metrics', {
    name: 'metrics.get',
    summary:
      'Metrics of this process in the Prometheus text format. In production 404 without METRICS_TOKEN.',
    produces: 'text/plain',
    async handler(request, reply) {
      const { METRICS_TOKEN, NODE_ENV } = door.services.config;
      if (METRICS_TOKEN === undefined) {
        // Counters reveal much about customers; an installation without a token must not show them.
        if (NODE_ENV === 'production') return reply.callNotFound();
      } else if (!hasBearerToken(request.headers.authorization, METRICS_TOKEN)) throw tokenRequired();
      await measureRoutePause(door.services);
      return reply.type(register.contentType).send(await register.metrics());
    },
  });
}
