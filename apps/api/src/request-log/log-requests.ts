import { keyTypeOf, type Services } from '@postrider/core/base/kernel';
import { requestLogOf } from '@postrider/core/insight/requests';
import { resolveKey } from '@postrider/core/people/projects';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestTrace } from './request-trace.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** registry name of the operation of the route */
    operation?: string;
    door?: 'GRAPHQL';
  }
}

/** Keys of the wrong kind that are looked up at the same time, for the log alone; further ones are not logged. */
const mostLookUps = 100;

/**
 * Logs requests that named a project by a key (behaviour B11.9), after their replies. A key of the wrong kind is refused without being
 * looked up, so its project is looked up here.
 */
export function logRequests(app: FastifyInstance, services: Services): void {
  const log = requestLogOf(services);
  const isOn = services.config.REQUEST_LOG_DAYS > 0;
  const lookUps = new Set<Promise<void>>();
  app.decorateRequest('trace', null);
  if (!isOn) return;
  app.addHook('onRequest', (request, _reply, done) => {
    if (namesKey(request)) request.trace = new RequestTrace();
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { trace } = request;
    if (trace?.actor) record(request, reply, trace);
    else if (trace?.isWrongKind && lookUps.size < mostLookUps) {
      const lookUp = findOwner(request, reply, trace).finally(() => lookUps.delete(lookUp));
      lookUps.add(lookUp);
    }
    done();
  });
  app.addHook('onClose', async () => {
    await Promise.all(lookUps);
    await log.settled();
  });

  async function findOwner(request: FastifyRequest, reply: FastifyReply, trace: RequestTrace): Promise<void> {
    const { key } = trace;
    const required = key === null ? null : keyTypeOf(key);
    if (key === null || required === null) return;
    try {
      trace.actor = (await resolveKey(services, key, { required, countRequest: false })).actor;
    } catch {
      // The key is unknown, or the database is not available: the request belongs to no project.
      return;
    }
    record(request, reply, trace);
  }

  function record(request: FastifyRequest, reply: FastifyReply, trace: RequestTrace): void {
    const { actor, key, failure } = trace;
    const { config, url = 'unknown' } = request.routeOptions;
    if (!actor || key === null) return;
    const isGraphql = config.door === 'GRAPHQL';
    const operations = operationsOf(trace, config.operation);
    if (operations.length > 0 && operations.every(readsLog)) return;
    log.record({
      actor,
      key,
      door: isGraphql ? 'GRAPHQL' : isMcp(request) ? 'MCP' : 'REST',
      method: request.method,
      path: url,
      operation: trace.operation ?? operations[0] ?? null,
      status: failure?.status ?? reply.statusCode,
      code: failure?.code ?? null,
      durationMs: reply.elapsedTime,
      ip: request.ip,
      userAgent: request.headers['user-agent'],
      requestId: request.id,
      dryRun: trace.dryRun,
      details: () => trace.details(isGraphql),
    });
  }
}

/** Those that began; of a request that was refused before, those that it asked for. */
function operationsOf(trace: RequestTrace, ofRoute: string | undefined): string[] {
  if (trace.operations.length > 0) return trace.operations;
  if (ofRoute !== undefined) return [ofRoute];
  return trace.namedOperations();
}

/** Reads of the log are not logged, so that looking at it does not fill it. */
const readsLog = (operation: string): boolean => operation.startsWith('requests.');

/** Headers in which a key can be; the second is that of a drop-in door. */
const namesKey = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined || headers['x-postmark-server-token'] !== undefined;

/** The MCP server sends REST requests and names itself. */
const isMcp = ({ headers }: FastifyRequest): boolean =>
  headers['user-agent']?.startsWith('postrider-mcp/') ?? false;
