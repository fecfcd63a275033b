import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes every request and answers at once. */
export interface WebhookReceiver {
  /** `host:port` */
  host: string;
  urlOf(index: number): string;
  stop(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, { 'content-length': 0 }).end());
    request.on('error', () => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    urlOf: (index) => `http://${host}/endpoint/${index}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
