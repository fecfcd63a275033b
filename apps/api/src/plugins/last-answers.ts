import type { FastifyInstance, FastifyReply } from 'fastify';
import { isStopping } from '../stopping.ts';

/**
 * While the process stops, each answer is the last one of its connection, and says so (RFC 9112, section 9.6): clients and balancers open their
 * next one elsewhere. A connection that the server closes without a word may have a request on its way, which is lost. So is an event stream,
 * which begins long before the process stops: its client would ask for the next one on a connection that is being closed.
 */
export function announceLastAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping() || isEventStream(reply)) reply.header('connection', 'close');
    done(null, payload);
  });
}

const isEventStream = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith('text/event-stream');
