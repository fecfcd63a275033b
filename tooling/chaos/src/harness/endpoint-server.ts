import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** How an endpoint answers: at once, never, with 500 in its first seconds, or with a redirect to another host. */
export type EndpointKind = 'healthy' | 'hanging' | 'failing' | 'redirecting';

/** What one endpoint received. */
export interface Receipts {
  kind: EndpointKind;
  requests: number;
  /** requests whose signature the official library refused, or that could not be read */
  unverified: string[];
  /** the webhook-ids that each event came with, by its number; of requests that were answered with 200 */
  idsOf: Map<number, Set<string>>;
  /** milliseconds from the event to its first request, by the number of the event */
  lagOf: Map<number, number>;
}

export interface EndpointServer {
  /** `host:port` */
  host: string;
  urlOf(index: number): string;
  /** Registers the endpoint at `urlOf(index)`. */
  listen(index: number, kind: EndpointKind, secret: string): void;
  receipts(): readonly Receipts[];
  stop(): Promise<void>;
}

/** For how long a failing endpoint answers 500 after its first request: less than the time to the second attempt. */
const failingMs = 3_000;

/**
 * The receiving side of webhook endpoints: one server, an endpoint per path.
 *
 * @param inward where a redirecting endpoint points to
 */
export async function startEndpointServer(inward: string): Promise<EndpointServer> {
  const endpoints = new Map<string, { receipts: Receipts; webhook: Webhook; failsUntil: number | null }>();
  const take = (request: IncomingMessage, body: string, response: ServerResponse): void => {
    const endpoint = endpoints.get(request.url ?? '');
    if (!endpoint) return void response.writeHead(404).end();
    const { receipts, webhook } = endpoint;
    receipts.requests += 1;
    endpoint.failsUntil ??= Date.now() + failingMs;
    const event = read(webhook, request, body, receipts);
    if (event && !receipts.lagOf.has(event.number))
      receipts.lagOf.set(event.number, Date.now() - event.trackedAt);
    if (receipts.kind === 'hanging') return;
    if (receipts.kind === 'redirecting') return void response.writeHead(302, { location: inward }).end();
    if (receipts.kind === 'failing' && Date.now() < endpoint.failsUntil)
      return void response.writeHead(500).end();
    if (event) {
      const ids = receipts.idsOf.get(event.number) ?? new Set();
      receipts.idsOf.set(event.number, ids.add(String(request.headers['webhook-id'])));
    }
    response.writeHead(200).end();
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => take(request, Buffer.concat(chunks).toString('utf8'), response));
    // The sender was killed during its request.
    request.on('error', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    urlOf: (index) => `http://${host}/endpoint/${index}`,
    listen(index, kind, secret) {
      const receipts: Receipts = {
        kind,
        requests: 0,
        unverified: [],
        idsOf: new Map(),
        lagOf: new Map(),
      };
      endpoints.set(`/endpoint/${index}`, { receipts, webhook: new Webhook(secret), failsUntil: null });
    },
    receipts: () => [...endpoints.values()].map(({ receipts }) => receipts),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface NumberedEvent {
  number: number;
  trackedAt: number;
}

function read(
  webhook: Webhook,
  { headers }: IncomingMessage,
  body: string,
  { unverified }: Receipts,
): NumberedEvent | null {
  try {
    const { data } = webhook.verify(body, headers as Record<string, string>) as { data: NumberedEvent };
    return { number: data.number, trackedAt: data.trackedAt };
  } catch (error) {
    unverified.push(`${String(error)}: ${body.slice(0, 200)}`);
    return null;
  }
}
