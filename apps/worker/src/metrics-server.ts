import { createServer } from 'node:http';
import { type CoreConfig, hasBearerToken } from '@postrider/core/base/kernel';
import { register } from 'prom-client';
import { collectOnce, type Snapshot, textOf } from './process-metrics.ts';

interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` of this process and of the delivery processes in the Prometheus text format. In production it answers 404 without METRICS_TOKEN, like that of
 * the API.
 */
export async function serveMetrics(
  { METRICS_TOKEN, NODE_ENV, HOST }: Pick<CoreConfig, 'METRICS_TOKEN' | 'NODE_ENV' | 'HOST'>,
  port: number,
  delivery: () => Promise<Snapshot>,
): Promise<MetricsServer> {
  collectOnce();
  const metrics = async (): Promise<string> =>
    textOf({ worker: (await register.getMetricsAsJSON()) as Snapshot, delivery: await delivery() });
  const server = createServer(async (request, response) => {
    const isOffered = METRICS_TOKEN !== undefined || NODE_ENV !== 'production';
    if (request.method !== 'GET' || request.url !== '/metrics' || !isOffered) response.writeHead(404).end();
    else if (METRICS_TOKEN !== undefined && !hasBearerToken(request.headers.authorization, METRICS_TOKEN))
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    else response.writeHead(200, { 'content-type': register.contentType }).end(await metrics());
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, HOST, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
