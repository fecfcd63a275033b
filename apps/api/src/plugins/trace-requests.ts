import { isTracing, requestSpan } from '@postrider/core/base/kernel';
import { isUuid } from '@postrider/core/base/lib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The span of each request, in which its hooks and its handler run (behaviour B11.13). */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isTracing()) return done();
    const { url = 'unknown', config } = request.routeOptions;
    const { traceparent } = request.headers;
    const given = typeof traceparent === 'string' ? traceparent : undefined;
    request.span = requestSpan(`${request.method} ${url}`, given);
    request.span?.set({
      'http.request.method': request.method,
      'http.route': url,
      'postrider.operation': config.operation,
      // Another one is a text of the caller.
      'postrider.request_id': isUuid(request.id) ? request.id : undefined,
    });
    inSpan(request, done);
  });
  // What reads the body runs where its bytes arrive, which belongs to no request.
  app.addHook('preValidation', (request, _reply, done) => inSpan(request, done));
  app.addHook('onResponse', (request, reply, done) => {
    const { span, ctx } = request;
    span?.set({ 'http.response.status_code': reply.statusCode, 'postrider.project_id': ctx?.project?.id });
    if (reply.statusCode >= 500) span?.failed();
    span?.end();
    done();
  });
}

function inSpan({ span }: FastifyRequest, done: () => void): void {
  if (span) span.run(done);
  else done();
}
