import { showMemoryPressure } from '@postrider/core/adapters';
import { countRequest, observeAccept, showBuild } from '@postrider/core/base/kernel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';
import { version } from '../version.ts';

/** Histogram of request times; one per process, like its registry. */
function requestDuration(): Histogram<'method' | 'route' | 'status'> {
  const name = 'http_request_duration_seconds';
  const existing = register.getSingleMetric(name);
  if (existing) return existing as Histogram<'method' | 'route' | 'status'>;
  collectDefaultMetrics({ register });
  showBuild(version);
  showMemoryPressure();
  return new Histogram({
    name,
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
}

/**
 * One log line and one observation per request. Lines contain the route and not the URL, since URLs contain
 * addresses and tokens; bodies and keys are never logged.
 */
export function observeRequests(app: FastifyInstance, log: Logger): void {
  const duration = requestDuration();
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    duration.observe({ method, route, status }, ms / 1000);
    const { door, operation } = askedFor(request);
    countRequest(operation ?? 'other', status);
    if (operation !== null && accepted.has(operation)) observeAccept(door, ms);
    log.info(
      {
        requestId: request.id,
        traceId: request.span?.traceId ?? undefined,
        projectId: request.ctx?.project?.id,
        method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
      },
      'request',
    );
    done();
  });
}

/** Operations that accept email and events. */
const accepted = new Set(['sending.send', 'sending.sendBatch', 'events.track', 'events.record']);

/** The door of a request, and its operation: of one with several, the first; null where it asked for none that there is. */
function askedFor({ routeOptions, trace, headers }: FastifyRequest): {
  door: string;
  operation: string | null;
} {
  const { config, url = '' } = routeOptions;
  const operation = config.operation ?? trace?.operation ?? trace?.operations[0] ?? null;
  if (config.door === 'GRAPHQL') return { door: 'graphql', operation };
  if (url.startsWith('/trpc')) return { door: 'trpc', operation: operation ?? 'trpc' };
  return { door: headers['user-agent']?.startsWith('postrider-mcp/') ? 'mcp' : 'rest', operation };
}
