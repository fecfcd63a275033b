import type { FastifyInstance } from 'fastify';

/** Closes the server. Clients keep connections alive that were busy when that started: they are closed when idle. */
export async function drain(app: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), 100);
  await app.close();
  clearInterval(sweep);
}
