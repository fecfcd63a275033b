import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { cases, type FaultCase } from './cases.ts';

/** What one case of one program has come to. */
interface Run {
  requests: number;
  /** Emails, or events. */
  stored: string[];
  keys: Map<string, { digest: string; details: object }>;
  /** When the next request may come, where Retry-After named a time. */
  earliest: number;
  early: number;
  withoutKey: number;
}

export interface FaultServer {
  url: string;
  /** @param program the first segment of the path in its addresses */
  runOf(program: string, name: string): Run | undefined;
  close(): void;
}

const timestamp = '2026-01-01T00:00:00.000Z';

/**
 * A server that stores what it accepts, as the API does with idempotency keys, and answers by the script of a case. `/cases` describes them;
 * a program that goes through the third one has the base address `/<program>/2`.
 */
export async function startFaultServer(): Promise<FaultServer> {
  const runs = new Map<string, Run>();
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(418).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    runOf: (program, name) => runs.get(`${program}/${cases.findIndex((each) => each.name === name)}`),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, program = '', number = '', ...path] = (request.url ?? '').split('/');
    if (program === 'cases') return void response.end(JSON.stringify(cases));
    const script = cases[Number(number)];
    if (script === undefined) throw new Error(`there is no case ${number}`);
    const run = runs.get(`${program}/${number}`) ?? newRun();
    runs.set(`${program}/${number}`, run);
    const body = await buffer(request);
    answer(script, run, request, response, `/${path.join('/')}`, body);
  }
}

const newRun = (): Run => ({
  requests: 0,
  stored: [],
  keys: new Map(),
  earliest: 0,
  early: 0,
  withoutKey: 0,
});

function answer(
  { answers }: FaultCase,
  run: Run,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  body: Buffer,
): void {
  const { stored, how, retryAfter } = answers[Math.min(run.requests++, answers.length - 1)] ?? {
    stored: true,
    how: 'answer',
  };
  // A millisecond is lost to rounding.
  if (performance.now() < run.earliest - 2) run.early++;
  run.earliest = performance.now() + (retryAfter ?? 0) * 1_000;
  const reply = stored ? carriedOut(run, request.headers['idempotency-key'], path, body) : { status: 200 };
  const text = JSON.stringify('body' in reply ? reply.body : {});
  const head = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  };
  switch (how) {
    case 'answer':
      response.writeHead(reply.status, head).end(text);
      return;
    case 'cut':
      response.destroy();
      return;
    case 'cut in the head':
      request.socket.write('HTTP/1.1 200 OK\r\ncontent-type: appli', () => request.socket.destroy());
      return;
    case 'cut in the body':
      response.writeHead(reply.status, head).write(text.slice(0, text.length / 2), () => response.destroy());
      return;
    case 'cut after the answer':
      response.writeHead(reply.status, head).end(text, () => request.socket.destroy());
      return;
    case 'silence':
      return;
    case 'drip': {
      response.writeHead(reply.status, { 'content-type': 'application/json' }).flushHeaders();
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
      return;
    }
    case 'half of the JSON':
      response
        .writeHead(reply.status, { 'content-type': 'application/json' })
        .end(text.slice(0, text.length / 2));
      return;
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome to our café</html>');
      return;
    default: {
      const code = how === 429 ? 'RATE_LIMIT_EXCEEDED' : 'INTERNAL_SERVER_ERROR';
      const refused = JSON.stringify(refusal(how, code));
      response.writeHead(how, { ...head, 'content-length': Buffer.byteLength(refused) }).end(refused);
    }
  }
}

const refusal = (statusCode: number, code: string, details: object = {}): object => ({
  success: false,
  error: { code, statusCode, message: code, requestId: randomUUID(), suggestion: 'None', details },
  timestamp,
});

/** As the API does: a key that was used names what it made, and stores nothing. */
function carriedOut(
  run: Run,
  key: string | string[] | undefined,
  path: string,
  body: Buffer,
): { status: number; body: object } {
  if (typeof key !== 'string') run.withoutKey++;
  const used = typeof key === 'string' ? run.keys.get(key) : undefined;
  if (used)
    return {
      status: 409,
      body: refusal(409, 'IDEMPOTENCY_KEY_REUSED', { ...used.details, originalDigest: used.digest }),
    };
  const made = madeBy(path, JSON.parse(body.toString()) as { emails?: object[] });
  run.stored.push(...made.ids);
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  if (typeof key === 'string')
    run.keys.set(key, { digest, details: { ...made.details, originalRequestAt: timestamp } });
  return { status: made.status, body: made.body };
}

interface Made {
  ids: string[];
  status: number;
  body: object;
  /** What a repeated key names. */
  details: object;
}

function madeBy(path: string, { emails = [{}] }: { emails?: object[] }): Made {
  const ids = emails.map(() => randomUUID());
  const [first = ''] = ids;
  const email = (id: string) => ({
    contact: { id: randomUUID(), email: 'reader@example.com' },
    email: id,
    to: 'reader@example.com',
    recipientType: 'TO',
    status: 'PENDING',
    reason: null,
    scheduledAt: null,
    heldBy: null,
    estimatedSendAt: timestamp,
  });
  switch (path) {
    case '/v1/send': {
      const data = { emails: ids.map(email), timestamp };
      return { ids, status: 200, body: { success: true, data }, details: { emails: data.emails } };
    }
    case '/v1/send/batch': {
      const results = ids.map((id, index) => ({ index, status: 'ACCEPTED', emails: [email(id)] }));
      const data = { results, accepted: ids.length, refused: 0, timestamp };
      return { ids, status: 200, body: { success: true, data }, details: { results } };
    }
    case '/events/track': {
      const contactId = randomUUID();
      const event = { id: first, contactId, createdAt: timestamp };
      return { ids, status: 201, body: event, details: { event: first, contact: contactId } };
    }
    default:
      throw new Error(`${path} is not answered here`);
  }
}
