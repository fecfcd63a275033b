import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { SmtpTransportOptions } from './index.ts';
import {
  type Moment,
  type Script,
  type ScriptedServer,
  startScriptedServer,
} from './scripted-server.fixture.ts';
import { DATA, message, TestClient, type TestMessage } from './test-client.fixture.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function server(script: Script): Promise<ScriptedServer> {
  const started = await startScriptedServer({ extensions: ['PIPELINING'], ...script });
  cleanUp.push(started.close);
  return started;
}

function client(url: string, options: Partial<SmtpTransportOptions> = {}): TestClient {
  const made = new TestClient(url, { connections: 16, ...options });
  cleanUp.push(() => made.mail.close());
  return made;
}

function numbered(count: number): TestMessage[] {
  return Array.from({ length: count }, (_, i) => message(DATA, `${i}@example.com`));
}

/** Lets connections in while fewer than the given number are. */
function limit(most: number, refuse: (moment: Moment) => string | null): Script['greeting'] {
  let open = 0;
  return (moment) => {
    if (open >= most) return refuse(moment);
    open += 1;
    moment.socket.on('close', () => {
      open -= 1;
    });
    return undefined;
  };
}

describe('a server that allows fewer connections', () => {
  it.each<[string, (moment: Moment) => string | null]>([
    ['by 421 as its greeting', ({ socket }) => end(socket, '421 4.7.0 too many connections')],
    ['by closing', ({ socket }) => cut(socket)],
  ])('%s gets every message over those, and the route does not fail', async (_, refuse) => {
    const sink = await server({ greeting: limit(4, refuse) });
    const mail = client(sink.url);
    const messages = numbered(200);
    const results = await mail.sendAll(messages);
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
    expect(new Set(sink.received.map(({ to }) => to)).size).toBe(200);
    expect(sink.received).toHaveLength(200);
    for (const { begin } of messages) expect(begin).toHaveBeenCalledTimes(1);
    expect(mail.mail.free).toBe(4);
    // 16 were tried at first; none is tried again within seconds.
    expect(sink.connections).toBe(16);
  });

  it('by 421 to the first MAIL moves those messages, and the route does not fail', async () => {
    let working = 0;
    const sink = await server({
      mail: ({ mail, connection, socket }) => {
        if (connection === 1 || mail > 1 || working < 1) return undefined;
        return end(socket, '421 4.7.0 too many connections');
      },
      dot: () => {
        working += 1;
        return undefined;
      },
    });
    const mail = client(sink.url);
    await mail.send(message());
    const results = await mail.sendAll(numbered(50));
    expect(results.filter(({ kind }) => kind !== 'accepted')).toEqual([]);
    expect(sink.received).toHaveLength(51);
  });

  it('by 421 to MAIL before any message was accepted moves those messages, and the route does not fail', async () => {
    const sink = await server({
      mail: ({ connection, socket }) =>
        connection > 4 ? end(socket, '421 4.7.0 too many connections') : undefined,
      transmit: (socket, text) => void setTimeout(() => socket.writable && socket.write(text), 10),
    });
    const results = await client(sink.url).sendAll(numbered(50));
    expect(results.filter(({ kind }) => kind !== 'accepted')).toEqual([]);
    expect(sink.received).toHaveLength(50);
  });

  it('by 421 to each MAIL says that of the sender of each message', async () => {
    const sink = await server({ mail: ({ socket }) => end(socket, '421 4.7.0 closing') });
    const results = await client(sink.url).sendAll(numbered(50));
    for (const result of results) expect(result).toMatchObject({ kind: 'refused', code: 421, stage: 'mail' });
  });

  it('and hangs on the one that it allows: the others are given back, and the route does not fail', async () => {
    const sink = await server({
      greeting: limit(1, ({ socket }) => end(socket, '421 4.7.0 too many connections')),
      dot: () => null,
    });
    const mail = client(sink.url, { connections: 3, socketTimeoutMs: 100, finalReplyTimeoutMs: 600 });
    mail.chains = false;
    const results = await mail.sendAll(numbered(3));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['route', 'route', 'unknown']);
    for (const result of results)
      if (result.kind === 'route') expect(result).toMatchObject({ othersWork: true });
  });
});

describe('a connection that fails', () => {
  it('at the final dot while others work does not fail the route', async () => {
    const sink = await server({
      dot: ({ to, socket }) => (to === '7@example.com' ? end(socket, '421 4.3.2 closing') : undefined),
    });
    const mail = client(sink.url, { connections: 2 });
    await mail.sendAll(numbered(4));
    const results = await mail.sendAll(numbered(20));
    expect(results[7]).toMatchObject({ kind: 'refused', code: 421, stage: 'final' });
    expect(results.filter(({ kind }) => kind === 'accepted')).toHaveLength(19);
  });

  it('at the final dot is none of the route, even when no other works', async () => {
    const sink = await server({ dot: ({ socket }) => end(socket, '421 4.3.2 closing') });
    const results = await client(sink.url, { connections: 4 }).sendAll(numbered(4));
    for (const result of results)
      expect(result).toMatchObject({ kind: 'refused', code: 421, stage: 'final' });
  });
});

describe('a recipient that is answered with 421', () => {
  it.each(['rcpt', 'data'] as const)(
    'at %s is tried once more on another connection at once, and costs others nothing',
    async (step) => {
      let asked = 0;
      const sink = await server({
        [step]: ({ to, socket }: Moment) => {
          if (to !== 'busy@example.com') return undefined;
          asked += 1;
          return end(socket, '421 4.7.0 busy');
        },
      });
      const mail = client(sink.url, { connections: 4 });
      await mail.sendAll(numbered(8));
      const [busy, ...others] = await mail.sendAll([message(DATA, 'busy@example.com'), ...numbered(20)]);
      expect(busy).toMatchObject({ kind: 'refused', permanent: false, code: 421, stage: step });
      expect(others.filter(({ kind }) => kind !== 'accepted')).toEqual([]);
      expect(asked).toBe(2);
      expect(mail.mail.allowed).toBe(4);
    },
  );

  it('and whose second connection is refused has the answer of the first', async () => {
    const sink = await server({
      greeting: ({ connection, socket }) => (connection > 1 ? end(socket, '421 no') : undefined),
      rcpt: ({ socket }) => end(socket, '421 4.7.0 busy'),
    });
    expect(await client(sink.url, { connections: 1 }).send(message())).toMatchObject({
      kind: 'refused',
      code: 421,
      stage: 'rcpt',
    });
  });
});

describe('messages that leave connections to others', () => {
  it('find out that the server allows more, without using what they leave', async () => {
    let most = 2;
    let open = 0;
    const sink = await server({
      greeting: ({ socket }) => {
        if (open >= most) return end(socket, '421 4.7.0 too many connections');
        open += 1;
        socket.on('close', () => {
          open -= 1;
        });
        return undefined;
      },
    });
    const mail = client(sink.url, { connections: 6, growthWaitMs: 300 });
    await mail.sendAll(numbered(6));
    expect(mail.mail.allowed).toBe(2);
    most = 5;
    // What a queue says whose messages wait, until it is time to try.
    mail.onAsked = () => mail.mail.want();
    const ask = () => {
      mail.mail.wake();
      return mail.mail.allowed;
    };
    await expect.poll(ask, { timeout: 30_000 }).toBe(5);
    expect(sink.received).toHaveLength(6);
  });
});

describe('a probe', () => {
  it('of the server is a session without a message', async () => {
    const sink = await server({});
    expect(await client(sink.url).mail.probe(null)).toMatchObject({ kind: 'accepted' });
    await sink.ended();
    expect(sink.log.filter((entry) => /mail|rcpt|data/.test(entry))).toEqual([]);
  });

  it.each<[string, Script]>([
    ['is greeted with 421', { greeting: ({ socket }) => end(socket, '421 busy') }],
    ['is answered with 421', { noop: () => '421 4.3.2 closing' }],
    ['is cut off', { noop: ({ socket }) => cut(socket) }],
  ])('that %s says that the route fails', async (_, script) => {
    const sink = await server(script);
    expect(await client(sink.url).mail.probe(null)).toMatchObject({ kind: 'route' });
  });

  it('of a sender asks for it on a connection of the pool, and resets the transaction', async () => {
    const sink = await server({ extensions: ['PIPELINING'] });
    const mail = client(sink.url, { connections: 1 });
    await mail.send(message());
    expect(await mail.mail.probe('news@example.com')).toMatchObject({ kind: 'accepted' });
    expect(await mail.send(message())).toMatchObject({ kind: 'accepted' });
    expect(sink.connections).toBe(1);
    expect(sink.chunks.join('')).toContain('MAIL FROM:<news@example.com>');
    expect(sink.log.filter((entry) => entry === '1 rset')).toHaveLength(1);
    expect(sink.received).toHaveLength(2);
  });

  it('of a sender that is refused has the answer', async () => {
    const sink = await server({ mail: () => '550 5.7.1 sender not allowed' });
    expect(await client(sink.url).mail.probe('news@example.com')).toMatchObject({
      kind: 'refused',
      permanent: true,
      stage: 'mail',
    });
  });
});

describe('a server that is away', () => {
  it('fails every message that waited, once, and is tried with one connection afterwards', async () => {
    const gone = await startScriptedServer();
    await gone.close();
    const mail = client(gone.url);
    const messages = numbered(40);
    const results = await mail.sendAll(messages);
    for (const result of results)
      expect(result).toMatchObject({ kind: 'route', reason: 'connect', othersWork: false });
    for (const { begin } of messages) expect(begin).not.toHaveBeenCalled();
    expect(mail.mail.free).toBe(1);
  });

  it('does not keep the transport from closing', async () => {
    const sink = await server({ greeting: () => null });
    const mail = client(sink.url, { connections: 2, greetingTimeoutMs: 100 });
    const results = mail.sendAll(numbered(2));
    await mail.mail.close();
    for (const result of await results) expect(result).toMatchObject({ kind: 'route' });
  });
});

it('a smaller load uses the same connections and closes the others', async () => {
  const sink = await server({});
  const mail = client(sink.url, { connections: 8, idleTimeoutMs: 200, messagesPerConnection: 1_000_000 });
  await mail.sendAll(numbered(8));
  expect(sink.open).toBe(8);
  const until = Date.now() + 1_000;
  while (Date.now() < until) await mail.send(message());
  expect(sink.open).toBe(1);
  expect(sink.connections).toBe(8);
});

it('free counts the connection that asks', async () => {
  const sink = await server({});
  const mail = client(sink.url, { connections: 2 });
  const seen: number[] = [];
  const [first, second] = numbered(2);
  if (!first || !second) throw new Error('No messages');
  mail.onAsked = (chained) => {
    if (!chained) seen.push(mail.mail.free);
  };
  await mail.sendAll([first, second]);
  expect(Math.min(...seen)).toBeGreaterThan(0);
  expect(mail.mail.free).toBe(2);
});

function end(socket: Socket, reply: string): null {
  socket.end(`${reply}\r\n`);
  return null;
}

function cut(socket: Socket): null {
  socket.destroy();
  return null;
}
