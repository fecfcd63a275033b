import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fc from '@postrider/vitest/fast-check.ts';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import type { HandOver } from '../../base/kernel/ports/mail-transport.ts';
import type { SmtpTransportOptions } from './index.ts';
import {
  type Moment,
  type Script,
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from './scripted-server.fixture.ts';
import { DATA, message, TestClient, type TestMessage } from './test-client.fixture.ts';

const PIPELINING = { extensions: ['PIPELINING'] };

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function server(script: Script = PIPELINING): Promise<ScriptedServer> {
  const started = await startScriptedServer(script);
  cleanUp.push(started.close);
  return started;
}

function client(url: string, options: Partial<SmtpTransportOptions> = {}): TestClient {
  const made = new TestClient(url, options);
  cleanUp.push(() => made.mail.close());
  return made;
}

function numbered(count: number, data: Buffer = DATA): TestMessage[] {
  return Array.from({ length: count }, (_, i) => message(data, `${i}@example.com`));
}

const kinds = (results: HandOver[]) => results.map(({ kind }) => kind);
const envelopeOf = (i: number) => `MAIL FROM:<from@example.com>\r\nRCPT TO:<${i}@example.com>\r\nDATA\r\n`;

describe('with PIPELINING', () => {
  it('the envelope is one write, and follows the message before it in the same write', async () => {
    const sink = await server();
    await client(sink.url).sendAll(numbered(3));
    expect(sink.chunks.slice(1)).toEqual([
      `1 ${envelopeOf(0)}`,
      `1 ${DATA}.\r\n${envelopeOf(1)}`,
      `1 ${DATA}.\r\n${envelopeOf(2)}`,
      `1 ${DATA}.\r\n`,
    ]);
  });

  it('a message begins only after the one before it has ended', async () => {
    const sink = await server();
    const log: string[] = [];
    const messages = numbered(5);
    for (const [i, each] of messages.entries()) {
      each.begin.mockImplementation((granted) => {
        log.push(`begin ${i}`);
        setImmediate(() => granted(true));
      });
      each.onEnded = () => log.push(`end ${i}`);
    }
    await client(sink.url).sendAll(messages);
    expect(log).toEqual([0, 1, 2, 3, 4].flatMap((i) => [`begin ${i}`, `end ${i}`]));
  });

  it('a source that keeps a message from being chained gets it asked again after the reply', async () => {
    const sink = await server();
    const mail = client(sink.url);
    mail.chains = false;
    expect(kinds(await mail.sendAll(numbered(3)))).toEqual(['accepted', 'accepted', 'accepted']);
    expect(sink.chunks).toContain(`1 ${DATA}.\r\n`);
    expect(sink.chunks.some((chunk) => chunk.includes('.\r\nMAIL'))).toBe(false);
  });

  it('nothing is chained to a connection whose last reply was slow', async () => {
    let written: Promise<unknown> = Promise.resolve();
    const sink = await server({
      ...PIPELINING,
      dot: ({ mail }) => (mail === 1 ? '250 slow' : undefined),
      transmit: (socket, text) => {
        if (text.startsWith('250 slow')) written = delay(600);
        written = written.then(() => socket.write(text));
      },
    });
    const results = await client(sink.url).sendAll(numbered(5));
    expect(new Set(kinds(results))).toEqual(new Set(['accepted']));
    // The second message was chained before the first was found to be slow; it was quick, so the others are chained again.
    const chained = sink.chunks.flatMap((chunk) => /\.\r\nMAIL.*\r\nRCPT.*<(\d)@/.exec(chunk)?.[1] ?? []);
    expect(chained).toEqual(['1', '3', '4']);
  });

  it('nothing is chained any more when a server ignores what follows a message', async () => {
    const ignoring: Script['mail'] = ({ mail, connection }) =>
      connection === 1 && mail > 1 ? null : undefined;
    const sink = await server({ ...PIPELINING, mail: ignoring, rcpt: ignoring, data: ignoring });
    const results = await client(sink.url, { socketTimeoutMs: 100 }).sendAll(numbered(4));
    expect(new Set(kinds(results))).toEqual(new Set(['accepted']));
    expect(sink.chunks.filter((chunk) => chunk.includes('.\r\nMAIL'))).toHaveLength(1);
    expect(sink.received).toHaveLength(4);
  });

  it('a long message is followed in the write of its end', async () => {
    const sink = await server();
    const long = Buffer.from('.a line that begins with a dot\r\n'.repeat(20_000));
    const mail = client(sink.url);
    const results = await mail.sendAll([...numbered(1, long), message(DATA, 'next@example.com')]);
    expect(kinds(results)).toEqual(['accepted', 'accepted']);
    expect(sink.received.map(({ data }) => data.length)).toEqual([long.length, DATA.length]);
    expect(sink.received[0]?.data.equals(long)).toBe(true);
    expect(
      sink.chunks.some((chunk) => chunk.includes('.\r\n.\r\nMAIL') || chunk.includes('\r\n.\r\nMAIL')),
    ).toBe(true);
  });

  it.each<[string, Script]>([
    [
      'in one packet',
      { mail: () => null, rcpt: () => null, data: () => '250-a\r\n250 b\r\n250 c\r\n354 go' },
    ],
    ['late', { transmit: (socket, text) => void setTimeout(() => socket.write(text), 20) }],
    ['byte by byte', { transmit: writeBytes }],
  ])('replies count in their order when they arrive %s', async (_, script) => {
    const sink = await server({ ...PIPELINING, dot: () => '250-queued\r\n250 as 1', ...script });
    const results = await client(sink.url).sendAll(numbered(3));
    expect(results).toEqual(results.map(() => ({ kind: 'accepted', response: '250-queued\n250 as 1' })));
    expect(sink.received.map(({ to }) => to)).toEqual(['0@example.com', '1@example.com', '2@example.com']);
    expect(sink.connections).toBe(1);
  });

  it.each(['smtp:', 'smtps:'])('many messages arrive once each over TLS, by %s', async (scheme) => {
    const received: string[] = [];
    const other = new SMTPServer({
      secure: scheme === 'smtps:',
      authOptional: true,
      onData(stream, session, done) {
        stream.resume().on('end', () => {
          received.push(session.envelope.rcptTo[0]?.address ?? '');
          done();
        });
      },
    });
    other.on('error', () => {});
    cleanUp.push(() => new Promise((resolve) => other.close(() => resolve())));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.server.address() as AddressInfo;
    const mail = client(`${scheme}//127.0.0.1:${port}?tls.rejectUnauthorized=false`, { connections: 4 });
    const messages = [...numbered(60), ...numbered(1, Buffer.from('.x\r\n'.repeat(100_000)))];
    expect(new Set(kinds(await mail.sendAll(messages)))).toEqual(new Set(['accepted']));
    expect(received.toSorted()).toEqual(messages.map(({ envelope }) => envelope.to).toSorted());
  });

  describe('a refusal in the envelope', () => {
    it.each<[string, Script, object]>([
      [
        'MAIL',
        { mail: ({ mail }) => (mail === 1 ? '550 5.7.1 no' : undefined) },
        { stage: 'mail', code: 550 },
      ],
      ['RCPT', { rcpt: ({ mail }) => (mail === 1 ? '450 later' : undefined) }, { stage: 'rcpt', code: 450 }],
    ])('of %s delivers nothing although the server invites the message', async (_, script, expected) => {
      const sink = await server({ ...PIPELINING, ...script });
      const [refused, next] = numbered(2);
      if (!refused || !next) throw new Error('No messages');
      const mail = client(sink.url);
      // The second connection accepts: its first MAIL is refused too, so only the refused message is sent to the first.
      expect(await mail.send(refused)).toMatchObject({ kind: 'refused', ...expected });
      expect(refused.begin).not.toHaveBeenCalled();
      await sink.ended();
      expect(sink.received).toEqual([]);
      expect(sink.log).not.toContain('1 dot');
    });

    it('of RCPT is reset together with the next envelope', async () => {
      const sink = await server({
        ...PIPELINING,
        rcpt: ({ mail }) => (mail === 1 ? '550 no' : undefined),
        data: ({ mail }) => (mail === 1 ? '554 no recipients' : undefined),
      });
      const results = await client(sink.url).sendAll(numbered(2));
      expect(kinds(results)).toEqual(['refused', 'accepted']);
      expect(sink.chunks[2]).toBe(`1 RSET\r\n${envelopeOf(1)}`);
      expect(sink.connections).toBe(1);
    });

    it('of a chained envelope does not concern the message before it', async () => {
      const sink = await server({
        ...PIPELINING,
        rcpt: ({ mail }) => (mail === 2 ? '550 no' : undefined),
        data: ({ mail }) => (mail === 2 ? '554 no recipients' : undefined),
      });
      const results = await client(sink.url).sendAll(numbered(3));
      expect(kinds(results)).toEqual(['accepted', 'refused', 'accepted']);
      expect(sink.connections).toBe(1);
    });

    it('of RSET moves the message to another connection', async () => {
      const sink = await server({
        ...PIPELINING,
        rcpt: ({ connection }) => (connection === 1 ? '550 no' : undefined),
        data: ({ connection }) => (connection === 1 ? '554 no recipients' : undefined),
        rset: () => '502 no',
      });
      expect(kinds(await client(sink.url).sendAll(numbered(2)))).toEqual(['refused', 'accepted']);
      expect(sink.connections).toBe(2);
    });
  });

  describe('a reply out of step', () => {
    it.each<[string, string]>([
      ['mail', '354 go'],
      ['rcpt', '354 go'],
      ['data', '250 fine'],
      ['mail', 'hello'],
      ['rcpt', '250-two\r\n550 codes'],
      ['mail', '250 one\r\n250 too many'],
    ])('at %s closes the connection before the message begins: %j', async (step, reply) => {
      const sink = await server({ ...PIPELINING, [step]: () => reply });
      const sent = message();
      expect(await client(sink.url).send(sent)).toMatchObject({ kind: 'interrupted' });
      expect(sent.begin).not.toHaveBeenCalled();
      await sink.ended();
      expect(sink.received).toEqual([]);
    });

    it('after the final dot leaves the outcome unknown, and moves the chained message', async () => {
      const sink = await server({
        ...PIPELINING,
        dot: ({ connection }) => (connection === 1 ? '354 go' : undefined),
      });
      expect(kinds(await client(sink.url).sendAll(numbered(2)))).toEqual(['unknown', 'accepted']);
      expect(sink.received.map(({ to }) => to)).toEqual(['0@example.com', '1@example.com']);
    });

    it('one too many after an acceptance begins no other message', async () => {
      const sink = await server({ ...PIPELINING, dot: () => '250 queued\r\n250 again' });
      const messages = numbered(2);
      const results = await client(sink.url).sendAll(messages);
      expect(results[0]).toMatchObject({ kind: 'accepted', response: '250 queued' });
      expect(results[1]).toMatchObject({ kind: 'interrupted' });
      expect(messages[1]?.begin).not.toHaveBeenCalled();
      expect(sink.received).toHaveLength(1);
    });

    it('on an idle connection closes it', async () => {
      let open: Socket | null = null;
      const sink = await server({
        ...PIPELINING,
        dot: ({ socket }) => {
          open = socket;
          return undefined;
        },
      });
      const mail = client(sink.url);
      await mail.send(message());
      (open as Socket | null)?.write('421 4.4.2 idle for too long\r\n');
      await sink.ended();
      expect(await mail.send(message())).toMatchObject({ kind: 'accepted' });
      expect(sink.connections).toBe(2);
    });
  });

  describe('a connection that is lost with two messages on it', () => {
    it.each<[string, Script['dot'], string]>([
      ['closed after the final dot', cut, 'unknown'],
      ['closed by 421 instead of accepting', ({ socket }) => end(socket, '421 closing'), 'refused'],
      ['closed after accepting', ({ socket }) => end(socket, '250 ok'), 'accepted'],
      ['closed after refusing', ({ socket }) => end(socket, '552 too big'), 'refused'],
    ])('%s: the chained message is sent over a new connection', async (_, dot, expected) => {
      const sink = await server({
        ...PIPELINING,
        dot: (moment) => (moment.connection === 1 ? dot?.(moment) : undefined),
      });
      const messages = numbered(2);
      expect(kinds(await client(sink.url).sendAll(messages))).toEqual([expected, 'accepted']);
      expect(messages[1]?.begin).toHaveBeenCalledTimes(1);
      expect(sink.received.filter(({ to }) => to === '1@example.com')).toHaveLength(1);
    });
  });

  it('the beginning may take longer than the server may be silent', async () => {
    const sink = await server();
    const sent = message();
    sent.begin.mockImplementation((granted) => void setTimeout(() => granted(true), 300));
    expect(await client(sink.url, { socketTimeoutMs: 50 }).send(sent)).toMatchObject({ kind: 'accepted' });
  });

  it('the reply to a message may take longer than others', async () => {
    const sink = await server({
      ...PIPELINING,
      dot: ({ socket }) => {
        setTimeout(() => socket.write('250 scanned\r\n'), 400);
        return null;
      },
    });
    expect(await client(sink.url, { socketTimeoutMs: 50 }).send(message())).toMatchObject({
      kind: 'accepted',
    });
  });

  it('a refused beginning counts although the connection was lost meanwhile', async () => {
    const sink = await server({ ...PIPELINING, data: ({ socket }) => end(socket, '354 go') });
    const sent = message();
    sent.begin.mockImplementation((granted) => void sink.ended().then(() => granted(false)));
    expect(await client(sink.url).send(sent)).toEqual({ kind: 'withheld' });
  });

  it('a permission that is given twice counts once', async () => {
    const sink = await server();
    const sent = message();
    sent.begin.mockImplementation((granted) => {
      granted(true);
      granted(true);
      granted(false);
    });
    const mail = client(sink.url);
    expect(kinds(await mail.sendAll([sent, message()]))).toEqual(['accepted', 'accepted']);
    expect(sink.received).toHaveLength(2);
  });
});

describe('an address with letters beyond ASCII', () => {
  it('is sent as UTF-8 with SMTPUTF8', async () => {
    const sink = await server({ extensions: ['PIPELINING', 'SMTPUTF8'] });
    const result = await client(sink.url).send(message(DATA, 'jörg@example.com'));
    expect(result).toMatchObject({ kind: 'accepted' });
    const sent = Buffer.from(sink.chunks[1] ?? '', 'latin1').toString('utf8');
    expect(sent).toBe('1 MAIL FROM:<from@example.com> SMTPUTF8\r\nRCPT TO:<jörg@example.com>\r\nDATA\r\n');
  });

  it('counts in the headers as well: the message is sent with SMTPUTF8, or refused', async () => {
    const given = message();
    const mail = { ...given, envelope: { ...given.envelope, hasUtf8Headers: true } };
    const able = await server({ extensions: ['PIPELINING', 'SMTPUTF8'] });
    expect(await client(able.url).send(mail)).toMatchObject({ kind: 'accepted' });
    expect(able.chunks[1]).toContain('MAIL FROM:<from@example.com> SMTPUTF8\r\n');
    const unable = await server(PIPELINING);
    expect(await client(unable.url).send(mail)).toMatchObject({
      kind: 'refused',
      code: 553,
      enhancedCode: '5.6.7',
      stage: 'mail',
    });
  });

  it.each([PIPELINING, {}])(
    'is refused when the server does not offer SMTPUTF8, with %j',
    async (extensions) => {
      const sink = await server(extensions);
      const mail = client(sink.url);
      const [first, before, refused, after] = await mail.sendAll([
        message(DATA, 'first-ö@example.com'),
        message(),
        message(DATA, 'jörg@example.com'),
        message(),
      ]);
      const refusal = { kind: 'refused', permanent: true, code: 553, enhancedCode: '5.6.7', stage: 'rcpt' };
      expect(first).toMatchObject(refusal);
      expect(refused).toMatchObject(refusal);
      expect([before, after]).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }]);
      expect(sink.connections).toBe(1);
    },
  );
});

describe('any behaviour of a server', () => {
  const trouble = fc.oneof(
    fc.record({
      step: fc.constantFrom<Step>('mail', 'rcpt', 'data', 'dot', 'rset'),
      act: fc.constantFrom(
        'cut',
        'end',
        'late cut',
        '421',
        '451',
        '530',
        '550',
        '250',
        '354',
        'twice',
        'junk',
      ),
    }),
    fc.record({ step: fc.constant<Step>('body'), act: fc.constantFrom('cut', 'end', '421', '550') }),
  );
  const plans = fc.array(fc.option(trouble, { freq: 3 }), { minLength: 24, maxLength: 24 });
  const extensions = fc.constantFrom<string[]>([], ['PIPELINING']);

  it('a message is accepted exactly when its acceptance was read, never delivered twice, always answered', async () => {
    await fc.assert(
      fc.asyncProperty(
        plans,
        extensions,
        fc.constantFrom(1, 3),
        fc.boolean(),
        async (plan, offered, connections, bytes) => {
          const server = await startTroubledServer(plan, {
            extensions: offered,
            ...(bytes && { transmit: writeBytes }),
          });
          const mail = new TestClient(server.sink.url, {
            connections,
            socketTimeoutMs: 2_000,
            finalReplyTimeoutMs: 2_000,
          });
          try {
            const messages = Array.from({ length: 12 }, (_, i) =>
              message(i % 4 === 3 ? LONG : DATA, `${i}@example.com`),
            );
            const results = await mail.sendAll(messages);
            for (const [i, { envelope, data, begin }] of messages.entries()) {
              const result = results[i];
              const arrived = server.sink.received.filter((each) => each.to === envelope.to);
              expect(arrived.length).toBeLessThanOrEqual(1);
              expect(begin.mock.calls.length).toBeLessThanOrEqual(1);
              if (arrived[0]) expect(arrived[0].data.equals(data)).toBe(true);
              const acceptance = server.acceptedOver.get(envelope.to);
              if (result?.kind === 'accepted') expect(acceptance).toBeDefined();
              else if (acceptance !== undefined) expect(server.unreadable).toContain(acceptance);
              if (result?.kind === 'interrupted') expect(arrived).toEqual([]);
            }
          } finally {
            await mail.mail.close();
            await server.sink.close();
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** A server with trouble at one step of each message. */
async function startTroubledServer(plan: ({ step: Step; act: string } | null)[], given: Script) {
  const acceptedOver = new Map<string, number>();
  /** Connections that are cut, so that what was written before may not be read, or on which a reply came twice and those after it are one step off. */
  const unreadable = new Set<number>();
  /** Connections on which a message was refused in its middle. */
  const refused = new Set<number>();
  const act = (step: Step, { socket, mail, connection, bodyBytes }: Moment) => {
    const trouble = plan[(connection * 5 + mail) % plan.length];
    if (trouble?.step !== step) return undefined;
    if (step === 'body' && (bodyBytes < 1_000 || bodyBytes > 200_000 || refused.has(connection)))
      return undefined;
    if (step === 'body') refused.add(connection);
    if (trouble.act.endsWith('cut') || trouble.act === 'twice') unreadable.add(connection);
    return misbehave(trouble.act, socket);
  };
  const sink = await startScriptedServer({
    ...given,
    mail: (moment) => act('mail', moment),
    rcpt: (moment) => act('rcpt', moment),
    data: (moment) => act('data', moment),
    body: (moment) => act('body', moment),
    rset: (moment) => act('rset', moment),
    dot: (moment) => {
      if (refused.has(moment.connection)) return misbehave('end', moment.socket);
      const reply = act('dot', moment);
      if (reply === undefined || reply?.startsWith('250')) acceptedOver.set(moment.to, moment.connection);
      return reply;
    },
  });
  return { sink, acceptedOver, unreadable };
}

const LONG = Buffer.from('.a line that begins with a dot\r\n'.repeat(10_000));

function misbehave(act: string, socket: Socket): string | null {
  switch (act) {
    case 'cut':
      socket.destroy();
      return null;
    case 'end':
      // To end a corked socket sends what it holds, in which the reply that was left out is missing.
      if (socket.writableCorked > 0) socket.destroy();
      else socket.end();
      return null;
    case 'late cut':
      // Nothing more leaves until then.
      socket.cork();
      setTimeout(() => socket.destroy(), 5);
      return null;
    case 'twice':
      return '250 once\r\n250 twice';
    case 'junk':
      return 'no reply at all';
    default:
      return `${act} as planned`;
  }
}

function cut({ socket }: { socket: Socket }): null {
  socket.destroy();
  return null;
}

function end(socket: Socket, reply: string): null {
  socket.end(`${reply}\r\n`);
  return null;
}

/** One write for each byte, in the order of all replies. */
function writeBytes(socket: Socket, text: string): void {
  for (const byte of text) socket.write(byte);
}
