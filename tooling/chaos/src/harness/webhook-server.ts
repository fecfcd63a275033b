import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface WebhookCall {
  /** the delivery id in the request's header */
  delivery: string;
  executionId: string;
  status: number;
}

export interface WebhookServer {
  /** `host:port` */
  host: string;
  url: string;
  calls(): readonly WebhookCall[];
  stop(): Promise<void>;
}

export interface WebhookPlan {
  /** Delay before every reply, so that a kill interrupts requests in progress. */
  delayMs: number;
  /** Whether the first request for a contact gets a 503. */
  failsAtFirst(email: string): boolean;
}

interface DefaultBody {
  contact: { email: string };
  execution: { id: string };
}

/** Receives and records the requests of WEBHOOK steps with the default body. */
export async function startWebhookServer({ delayMs, failsAtFirst }: WebhookPlan): Promise<WebhookServer> {
  const calls: WebhookCall[] = [];
  const failed = new Set<string>();
  const judge = (email: string): number => {
    if (!failsAtFirst(email) || failed.has(email)) return 200;
    failed.add(email);
    return 503;
  };
  const take = async (request: IncomingMessage): Promise<number> => {
    const { contact, execution } = JSON.parse(await textOf(request)) as DefaultBody;
    const status = judge(contact.email);
    calls.push({
      delivery: String(request.headers['x-postrider-delivery'] ?? ''),
      executionId: execution.id,
      status,
    });
    await sleep(delayMs);
    return status;
  };
  const server = createServer((request, response) => {
    take(request).then(
      (status) => response.writeHead(status, { 'content-type': 'application/json' }).end('{"ok":true}'),
      // The sender was killed during its request.
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/hook`,
    calls: () => calls,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
