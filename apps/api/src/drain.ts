import type { Services } from '@postrider/core/base/kernel';
import type { FastifyInstance } from 'fastify';

/**
 * Closes the server when everything is answered. Clients keep connections alive that were busy when that started: they are closed when idle.
 */
export async function drain(app: FastifyInstance, { live }: Pick<Services, 'live'>): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), 100);
  // Only then Fastify is told: what reaches it later is 503, and refused if it is a request of the app to itself.
  await Promise.all([new Promise((resolve) => app.server.close(resolve)), live.close()]);
  await app.close();
  clearInterval(sweep);
}
