import type { FastifyInstance } from 'fastify';
import { isStopping } from '../stopping.ts';

/**
 * While the process stops, each answer is the last one of its connection, and says so (RFC 9112, section 9.6): clients and balancers open their
 * next one elsewhere. A connection that the server closes without a word may have a request on its way, which is lost. So is an event stream,
 * which begins long before the process stops: its client would ask for the next one on a connection that is being closed.
 */
export function announceLastAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    // tRPC gives its answers whole; their headers replace those of the reply.
    const answer = payload instanceof Response ? payload.headers : null;
    const type = String(answer?.get('content-type') ?? reply.getHeader('content-type'));
    if (isStopping() || type.startsWith('text/event-stream')) {
      reply.header('connection', 'close');
      answer?.set('connection', 'close');
    }
    done(null, payload);
  });
}
