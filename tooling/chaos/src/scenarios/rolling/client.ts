import { Agent, type IncomingMessage, request } from 'node:http';

export interface Asked {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

export interface Answered {
  /** null: the connection was lost, or no answer came in time */
  status: number | null;
  /** the body of the answer, or why there is none */
  text: string;
}

/** How a client uses its connections. */
export interface Habits {
  /** keeps connections for further requests */
  keepAlive: boolean;
  /** at most; requests wait for one of them */
  connections: number;
  /** closes a connection that it has not used for so long, as clients do whose server may go at any time; default never */
  idleMs?: number;
}

/** A client that never repeats a request. It gives a connection up when an answer says so, as HTTP/1.1 requires (RFC 9112, section 9.6). */
export interface Client {
  /** @param patienceMs for the whole answer */
  ask(asked: Asked, patienceMs?: number): Promise<Answered>;
  close(): void;
}

/** Nothing judges how long an answer takes: only one that never comes is a failure, also on a machine that can hardly keep up. */
const usualPatienceMs = 180_000;

export function createClient(origin: string, { keepAlive, connections, idleMs }: Habits): Client {
  const agent = new Agent({
    ...{ keepAlive, maxSockets: connections, maxFreeSockets: connections },
    ...(idleMs === undefined ? {} : { timeout: idleMs }),
  });
  return {
    ask: ({ method, path, headers = {}, body }, patienceMs = usualPatienceMs) =>
      new Promise((resolve) => {
        const sent = body === undefined ? undefined : JSON.stringify(body);
        const failed = (error: Error): void => resolve({ status: null, text: String(error) });
        const asking = request(
          new URL(path, origin),
          {
            agent,
            method,
            signal: AbortSignal.timeout(patienceMs),
            headers: {
              ...headers,
              ...(sent && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
            },
          },
          (answer) => {
            readAll(answer).then((text) => resolve({ status: answer.statusCode ?? null, text }), failed);
          },
        );
        asking.on('error', failed);
        asking.end(sent);
      }),
    close: () => agent.destroy(),
  };
}

async function readAll(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
