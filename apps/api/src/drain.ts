import type { Services } from '@postrider/core/base/kernel';
import type { FastifyInstance } from 'fastify';

/** Timers run before sockets are read, and this after it: a connection whose request has arrived is not idle then. */
const afterReading = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Closes the server when everything is answered. Clients keep connections alive that were busy when that started: they are closed when idle.
 */
export async function drain(app: FastifyInstance, { live }: Pick<Services, 'live'>): Promise<void> {
  const closeIdle = async (): Promise<void> => {
    await afterReading();
    app.server.closeIdleConnections();
  };
  const sweep = setInterval(closeIdle, 100);
  await afterReading();
  // Only then Fastify is told: what reaches it later is 503, and refused if it is a request of the app to itself.
  await Promise.all([new Promise((resolve) => app.server.close(resolve)), live.close()]);
  await app.close();
  clearInterval(sweep);
}
