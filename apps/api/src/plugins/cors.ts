import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const publicMethods = 'POST, OPTIONS';
/** Libraries that trace a page add these to its requests. Without leave, the browser would then not send the request at all. */
const tracing = 'baggage, sentry-trace, traceparent, tracestate';
const publicHeaders = `Authorization, Content-Type, Dry-Run, Idempotency-Key, X-Request-Id, ${tracing}`;
const dashboardMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const dashboardHeaders = 'Authorization, Content-Type, Dry-Run, Idempotency-Key, X-Project-Id, X-Request-Id';
const exposed = 'Dry-Run, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After';
const preflightSeconds = '600';

/**
 * Behaviour B5.3: `/v1/*` is open to every origin, without credentials, forms to those that they name; everything else only to the dashboard, with
 * credentials. Registered first, so that the calling page can read refusals.
 */
export function allowOrigins(app: FastifyInstance, dashboardUrl: string): void {
  const dashboardOrigin = new URL(dashboardUrl).origin;
  app.addHook('onRequest', (request, reply, done) => {
    // Each form says for itself which pages may send it.
    if (request.url.startsWith('/f/')) return done();
    const isPublic = request.url.startsWith('/v1/');
    if (isPublic)
      reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', exposed);
    else allowDashboard(request, reply, dashboardOrigin);
    if (isPreflight(request)) answerPreflight(reply, isPublic);
    else done();
  });
}

function allowDashboard(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  reply.header('vary', 'Origin');
  if (request.headers.origin !== origin) return;
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-credentials', 'true')
    .header('access-control-expose-headers', exposed);
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** Without an allowed origin above, the browser refuses whatever is listed here. */
function answerPreflight(reply: FastifyReply, isPublic: boolean): void {
  reply
    .code(204)
    .header('access-control-allow-methods', isPublic ? publicMethods : dashboardMethods)
    .header('access-control-allow-headers', isPublic ? publicHeaders : dashboardHeaders)
    .header('access-control-max-age', preflightSeconds)
    .send();
}
