import type { FastifyInstance } from 'fastify';
import { isStopping } from '../stopping.ts';

/**
 * While the process stops, each answer is the last one of its connection, and says so (RFC 9112, section 9.6): clients and balancers open their
 * next one elsewhere. A connection that the server closes without a word may have a request on its way, which is lost.
 */
export function announceLastAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping()) reply.header('connection', 'close');
    done(null, payload);
  });
}
