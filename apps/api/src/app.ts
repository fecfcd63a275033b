import type { CoreConfig, Services } from '@postrider/core/base/kernel';
import { startSubmissions } from '@postrider/core/mail/forms';
import { type FastifyInstance, fastify } from 'fastify';
import { openCompatDoors } from './compat/compat.routes.ts';
import { answeringClientErrors } from './errors/client-error.ts';
import { envelopeFor } from './errors/envelope.ts';
import { openGraphqlDoor } from './graphql/graphql.plugin.ts';
import { openMcpDoor } from './mcp/mcp.plugin.ts';
import { limitBodies } from './plugins/body-limits.ts';
import { boundConnections, type ConnectionLimits, connectionLimits } from './plugins/connections.ts';
import { allowOrigins } from './plugins/cors.ts';
import { builtDashboard, serveDashboard } from './plugins/dashboard.ts';
import { builtDocs, serveDocs } from './plugins/docs.ts';
import { answerFailure, answerFailures } from './plugins/failures.ts';
import { jsonBodyLimit, readJsonBodies } from './plugins/json-body.ts';
import { type BodyLimits, bodyLimits, boundBodies } from './plugins/large-bodies.ts';
import { announceLastAnswers } from './plugins/last-answers.ts';
import { guardLinksHost } from './plugins/links-host.ts';
import { observeRequests } from './plugins/observe.ts';
import { answerRequestId, requestIdOf } from './plugins/request-id.ts';
import { setSecurityHeaders } from './plugins/security-headers.ts';
import { traceRequests } from './plugins/trace-requests.ts';
import { openPublicDoor } from './public/public.routes.ts';
import { logRequests } from './request-log/log-requests.ts';
import { openRestDoor } from './rest/rest.routes.ts';
import { openTrpcDoor } from './trpc/trpc.plugin.ts';

export interface AppOptions {
  /** folder of the built dashboard */
  dashboardDir?: string;
  /** folder of the built documentation */
  docsDir?: string;
  bodies?: BodyLimits;
  connections?: ConnectionLimits;
}

/** Long enough for the token of a link (behaviour B1.6) and an external id of 255 emoji, URL-encoded: an invalid one must not become an unknown route. */
const maxParamLength = 4096;

/** In milliseconds: a client that sends its headers byte by byte holds a connection no longer. */
const headersTimeout = 15_000;
/** How often connections are looked at that have to be closed for that, in milliseconds. */
const connectionsCheckingInterval = 5_000;
/** How long a connection may be idle before it is closed, in milliseconds. */
const keepAliveTimeout = 75_000;
/** In bytes, for all headers of a request together; more is 431. */
const maxHeaderSize = 16_384;

/** Builds the whole HTTP side of the product without listening. */
export function createApp(
  services: Services,
  {
    dashboardDir = builtDashboard,
    docsDir = builtDocs,
    bodies = bodyLimits,
    connections = connectionLimits(services.config),
  }: AppOptions = {},
): FastifyInstance {
  const { log, config } = services;
  const envelope = envelopeFor(config.API_URL);
  startSubmissions(services);
  const app = fastify({
    // `observeRequests` writes one line per request; a child logger for each would cost more than that line.
    logger: false,
    requestIdHeader: false,
    genReqId: requestIdOf,
    trustProxy: trusting(config.trustedProxies),
    bodyLimit: jsonBodyLimit,
    requestTimeout: 300_000,
    keepAliveTimeout,
    http: { headersTimeout, maxHeaderSize, connectionsCheckingInterval },
    routerOptions: { maxParamLength },
    // Detected before any hook runs, and therefore without the headers that hooks add.
    clientErrorHandler: answeringClientErrors(envelope),
    frameworkErrors(error, request, reply) {
      reply.header('x-request-id', request.id);
      answerFailure(error, request, reply, log, envelope);
    },
  });
  app.decorateRequest('ctx', null);
  app.decorateRequest('keyRefusal', null);
  app.decorateRequest('isRepeat', false);
  app.decorateRequest('bodyBytes', null);
  answerRequestId(app);
  announceLastAnswers(app);
  traceRequests(app);
  setSecurityHeaders(app, config.API_URL);
  guardLinksHost(app, config);
  allowOrigins(app, config.DASHBOARD_URL);
  observeRequests(app, log);
  logRequests(app, services);
  boundConnections(app, connections);
  limitBodies(app);
  boundBodies(app, services, bodies);
  readJsonBodies(app);
  answerFailures(app, log, envelope);
  serveDashboard(app, dashboardDir);
  serveDocs(app, docsDir);
  const rest = openRestDoor(app, services);
  openPublicDoor(app, rest);
  openCompatDoors(app, services);
  openTrpcDoor(app, services);
  openGraphqlDoor(app, services);
  openMcpDoor(app, services);
  return app;
}

/** A number counts proxies, starting at the socket. */
const trusting = (proxies: CoreConfig['trustedProxies']) =>
  typeof proxies === 'number' ? (_address: string, hop: number): boolean => hop < proxies : proxies;
