import { setTimeout as delay } from 'node:timers/promises';
import fc from '@postrider/vitest/fast-check.ts';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import type { SmtpTransportOptions } from './index.ts';
import { type Script, type ScriptedServer, startScriptedServer } from './scripted-server.fixture.ts';
import { DATA, message, TestClient } from './test-client.fixture.ts';

const LONG = Buffer.from(
  `Subject: long\r\n\r\n${'.seventy-odd bytes of text, with a dot in front, to fill the line\r\n'.repeat(200_000)}`,
);

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function server(script: Script = {}): Promise<ScriptedServer> {
  const started = await startScriptedServer(script);
  cleanUp.push(started.close);
  return started;
}

function transport(url: string, options: Partial<SmtpTransportOptions> = {}): TestClient {
  const client = new TestClient(url, options);
  cleanUp.push(() => client.mail.close());
  return client;
}

/** Both ways of sending the envelope: one command at a time, and all at once (RFC 2920). */
const ENVELOPES = [{ extensions: [] }, { extensions: ['PIPELINING'] }];

describe('an accepted message', () => {
  it.each(ENVELOPES)(
    'is begun after 354 and arrives byte by byte, with $extensions',
    async ({ extensions }) => {
      const sink = await server({ extensions, dot: () => '250 2.0.0 queued as 4711' });
      const sent = message();
      sent.begin.mockImplementation((granted) => {
        sink.log.push('begin');
        granted(true);
      });

      const result = await transport(sink.url).send(sent);

      expect(result).toEqual({ kind: 'accepted', response: '250 2.0.0 queued as 4711' });
      expect(sink.log).toEqual(['1 greeting', '1 ehlo', '1 mail', '1 rcpt', '1 data', 'begin', '1 dot']);
      expect(sink.received).toEqual([{ from: 'from@example.com', to: 'to@example.com', data: DATA }]);
    },
  );

  it.each([
    ['dots at the start of lines', '.a\r\n..b\r\n.\r\n...\r\nc.\r\n.'],
    ['no line end at the end', 'Subject: x\r\n\r\nopen'],
    ['nothing but a dot', '.\r\n'],
  ])('keeps %s', async (_, text) => {
    const sink = await server();
    await transport(sink.url).send(message(Buffer.from(text)));
    expect(sink.received[0]?.data.toString()).toBe(text.endsWith('\r\n') ? text : `${text}\r\n`);
  });

  it('keeps 40 MB', async () => {
    const sink = await server();
    const huge = Buffer.concat([LONG, LONG, LONG]);
    expect(huge.length).toBeGreaterThan(39_000_000);
    expect(await transport(sink.url).send(message(huge))).toMatchObject({ kind: 'accepted' });
    expect(sink.received[0]?.data.equals(huge)).toBe(true);
  });

  it('is received unchanged by an independent server', async () => {
    const received: Buffer[] = [];
    const other = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, _session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          received.push(Buffer.concat(chunks));
          done();
        });
      },
    });
    const mail = transport(await listen(other));
    const line = fc.stringMatching(/^[.a-z ]{0,12}$/).map((text) => `${text}\r\n`);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 40 }), async (lines) => {
        const data = Buffer.from(lines.join(''));
        expect(await mail.send(message(data))).toMatchObject({ kind: 'accepted' });
        expect(received.at(-1)?.toString()).toBe(data.toString());
      }),
    );
  });
});

describe.each(ENVELOPES)('a refusal, with extensions $extensions', ({ extensions }) => {
  it('of MAIL FROM is transient with 4xx and begins nothing', async () => {
    const sink = await server({ extensions, mail: () => '451 4.3.0 try later' });
    const sent = message();
    const result = await transport(sink.url).send(sent);
    expect(result).toEqual({
      kind: 'refused',
      permanent: false,
      code: 451,
      enhancedCode: '4.3.0',
      response: '451 4.3.0 try later',
      stage: 'mail',
    });
    expect(sent.begin).not.toHaveBeenCalled();
  });

  it('of RCPT TO is permanent with 5xx, and a reply of several lines is kept', async () => {
    const sink = await server({
      extensions,
      rcpt: () => '550-5.1.1 The mailbox that you tried to reach\r\n550 5.1.1 does not exist',
      data: () => '503 5.5.1 no recipients',
    });
    expect(await transport(sink.url).send(message())).toEqual({
      kind: 'refused',
      permanent: true,
      code: 550,
      enhancedCode: '5.1.1',
      response: '550-5.1.1 The mailbox that you tried to reach\n550 5.1.1 does not exist',
      stage: 'rcpt',
    });
  });

  it('of RCPT TO counts even if the server closes the connection afterwards', async () => {
    const sink = await server({
      extensions,
      rcpt: ({ socket }) => {
        socket.end('550 no such user\r\n');
        return null;
      },
    });
    expect(await transport(sink.url).send(message())).toMatchObject({
      kind: 'refused',
      code: 550,
      enhancedCode: null,
    });
  });

  it('of DATA begins nothing', async () => {
    const sink = await server({ extensions, data: () => '554 5.7.1 no valid content' });
    const sent = message();
    expect(await transport(sink.url).send(sent)).toMatchObject({ kind: 'refused', code: 554, stage: 'data' });
    expect(sent.begin).not.toHaveBeenCalled();
  });

  it('leaves the connection usable for the next message', async () => {
    const sink = await server({
      extensions,
      rcpt: ({ mail }) => (mail === 1 ? '550 no such user' : undefined),
      data: ({ mail }) => (mail === 1 ? '554 no valid recipients' : undefined),
    });
    const mail = transport(sink.url);
    await mail.send(message());
    expect(await mail.send(message())).toMatchObject({ kind: 'accepted' });
    expect(sink.connections).toBe(1);
    expect(sink.log.lastIndexOf('1 mail')).toBeGreaterThan(sink.log.indexOf('1 rset'));
    expect(sink.log.filter((entry) => entry === '1 rset')).toHaveLength(1);
    expect(sink.received.at(-1)?.data).toEqual(DATA);
  });
});

describe('a refusal of the message', () => {
  it('after the final dot names that stage', async () => {
    const sink = await server({ dot: () => '552 5.3.4 too big\u0000' });
    expect(await transport(sink.url).send(message())).toEqual({
      kind: 'refused',
      permanent: true,
      code: 552,
      enhancedCode: '5.3.4',
      response: '552 5.3.4 too big ',
      stage: 'final',
    });
  });

  it('during the transfer ends the connection without a final dot', async () => {
    let refused = false;
    const sink = await server({
      body: () => {
        if (refused) return null;
        refused = true;
        return '552 5.3.4 too big';
      },
    });
    expect(await transport(sink.url).send(message(LONG))).toMatchObject({
      kind: 'refused',
      code: 552,
      stage: 'final',
    });
    await sink.ended();
    expect(sink.received).toEqual([]);
  });

  it('is not an acceptance when the server replies 250 before the message has ended', async () => {
    let answered = false;
    const sink = await server({
      body: () => {
        if (answered) return null;
        answered = true;
        return '250 2.0.0 queued';
      },
    });
    expect(await transport(sink.url).send(message(LONG))).toMatchObject({
      kind: 'interrupted',
      stage: 'data',
    });
    await sink.ended();
    expect(sink.received).toEqual([]);
  });

  it('does not begin when the server answers DATA with anything but 354', async () => {
    const sink = await server({ data: () => '250 2.0.0 fine' });
    const sent = message();
    expect(await transport(sink.url).send(sent)).toMatchObject({ kind: 'interrupted', stage: 'data' });
    expect(sent.begin).not.toHaveBeenCalled();
  });

  it.each([
    ['to@example.com>\r\nRCPT TO:<victim@example.com', 'from@example.com', 'rcpt', '5.1.3'],
    ['', 'from@example.com', 'rcpt', '5.1.3'],
    ['to@example.com', 'from@example.com>\r\nDATA', 'mail', '5.1.7'],
  ])(
    'happens here for an address that cannot be spoken: %j from %j',
    async (to, from, stage, enhancedCode) => {
      const sink = await server();
      const result = await transport(sink.url).send({ ...message(), envelope: { from, to } });
      expect(result).toMatchObject({ kind: 'refused', permanent: true, code: 553, enhancedCode, stage });
      expect(sink.connections).toBe(0);
    },
  );
});

describe('a lost connection', () => {
  const cut: Script['mail'] = ({ socket }) => {
    socket.destroy();
    return null;
  };

  it.each([
    ['mail', { mail: cut }],
    ['rcpt', { rcpt: cut }],
    ['data', { data: cut }],
  ] as [string, Script][])('at %s is an interruption, and nothing was begun', async (stage, script) => {
    const sink = await server(script);
    const sent = message();
    expect(await transport(sink.url).send(sent)).toMatchObject({ kind: 'interrupted', stage });
    expect(sent.begin).not.toHaveBeenCalled();
  });

  it('in the middle of the message is an interruption', async () => {
    const sink = await server({ body: cut });
    expect(await transport(sink.url).send(message(LONG))).toMatchObject({
      kind: 'interrupted',
      stage: 'data',
    });
    expect(sink.received).toEqual([]);
  });

  it('while the beginning is being recorded is an interruption, reported only after begin has ended', async () => {
    const sink = await server({
      data: ({ socket }) => {
        socket.end('354 go\r\n');
        return null;
      },
    });
    let grant = (_: boolean) => {};
    const sent = message();
    sent.begin.mockImplementation((granted) => {
      grant = granted;
    });
    let reported = false;
    const result = transport(sink.url)
      .send(sent)
      .then((outcome) => {
        reported = true;
        return outcome;
      });
    await sink.ended();
    await delay(20);
    expect(reported).toBe(false);
    grant(true);
    expect(await result).toMatchObject({ kind: 'interrupted', stage: 'data' });
  });

  it('after the final dot leaves the outcome unknown', async () => {
    const sink = await server({ dot: cut });
    expect(await transport(sink.url).send(message())).toMatchObject({ kind: 'unknown' });
    expect(sink.received).toHaveLength(1);
  });

  it('by silence after the final dot leaves the outcome unknown', async () => {
    const sink = await server({ dot: () => null });
    const result = await transport(sink.url, { socketTimeoutMs: 100, finalReplyTimeoutMs: 300 }).send(
      message(),
    );
    expect(result).toEqual({ kind: 'unknown', error: 'Timeout' });
  });

  it.each(ENVELOPES)(
    'by silence before 354 is an interruption, and nothing was begun, with $extensions',
    async (given) => {
      const sink = await server({ ...given, data: () => null });
      const sent = message();
      const result = await transport(sink.url, { socketTimeoutMs: 200 }).send(sent);
      expect(result).toEqual({ kind: 'interrupted', error: 'Timeout', stage: 'data' });
      expect(sent.begin).not.toHaveBeenCalled();
    },
  );

  it('by a server that stops reading is an interruption', async () => {
    const sink = await server({
      body: ({ socket }) => {
        socket.pause();
        return null;
      },
    });
    const result = await transport(sink.url, { socketTimeoutMs: 300 }).send(message(LONG));
    expect(result).toEqual({ kind: 'interrupted', error: 'Timeout', stage: 'data' });
  });

  it('is not reused: the next message uses a new one', async () => {
    const sink = await server({
      dot: ({ connection, socket }) => (connection === 1 ? cut?.({ socket } as never) : undefined),
    });
    const mail = transport(sink.url);
    await mail.send(message());
    expect(await mail.send(message())).toMatchObject({ kind: 'accepted' });
    expect(sink.connections).toBe(2);
  });
});

describe('any behaviour of the server', () => {
  it('no outcome claims more or less than what arrived', async () => {
    const hiccup = fc.record({
      step: fc.constantFrom('mail', 'rcpt', 'data', 'body', 'dot', 'rset', null),
      act: fc.constantFrom('cut', 'end', '421', '451', '550', '250'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(hiccup, { minLength: 8, maxLength: 8 }),
        fc.constantFrom(...ENVELOPES),
        async (plan, envelope) => {
          const script: Script = { ...envelope };
          let next = 0;
          for (const step of ['mail', 'rcpt', 'data', 'body', 'dot', 'rset'] as const) {
            script[step] = ({ socket, line }) => {
              if (step === 'mail') next += 1;
              const trouble = plan[next - 1];
              if (trouble?.step !== step || (step === 'body' && trouble.act === '250')) return undefined;
              if (trouble.act === 'cut') socket.destroy();
              else if (trouble.act === 'end') socket.end();
              else return `${trouble.act} as planned ${line.slice(0, 4)}`;
              return null;
            };
          }
          const sink = await startScriptedServer(script);
          const mail = new TestClient(sink.url, {
            socketTimeoutMs: 2_000,
            greetingTimeoutMs: 2_000,
            idleTimeoutMs: 5_000,
          });
          try {
            for (let i = 0; i < plan.length; i += 1) {
              const before = sink.received.length;
              const result = await mail.send(
                message(i % 3 === 2 ? LONG.subarray(0, 300_000) : DATA, `${i}@example.com`),
              );
              const arrived = sink.received.slice(before);
              expect(arrived.every(({ to }) => to === `${i}@example.com`)).toBe(true);
              if (result.kind === 'accepted') expect(arrived).toHaveLength(1);
              if (result.kind === 'interrupted' || result.kind === 'withheld')
                expect(arrived).toHaveLength(0);
              expect(arrived.length).toBeLessThanOrEqual(1);
            }
          } finally {
            await mail.mail.close();
            await sink.close();
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a withheld message', () => {
  it.each(ENVELOPES)(
    'never reaches a final dot, and its connection is closed, with $extensions',
    async (given) => {
      const sink = await server(given);
      const mail = transport(sink.url);
      const withheld = message();
      withheld.begin.mockImplementation((granted) => granted(false));
      expect(await mail.send(withheld)).toEqual({ kind: 'withheld' });
      await sink.ended();
      expect(sink.log).toEqual(['1 greeting', '1 ehlo', '1 mail', '1 rcpt', '1 data', '1 closed']);
      expect(await mail.send(message())).toMatchObject({ kind: 'accepted' });
      expect(sink.connections).toBe(2);
      expect(sink.received).toHaveLength(1);
    },
  );
});

describe('a failing route', () => {
  it('refuses connections', async () => {
    const sink = await startScriptedServer();
    await sink.close();
    const sent = message();
    expect(await transport(sink.url).send(sent)).toMatchObject({
      kind: 'route',
      reason: 'connect',
      code: null,
    });
    expect(sent.begin).not.toHaveBeenCalled();
  });

  it.each<[string, Script, object]>([
    ['says 421 as its greeting', { greeting: () => '421 busy' }, { reason: 'unavailable', code: 421 }],
    ['refuses with its greeting', { greeting: () => '554 no service' }, { reason: 'greeting', code: 554 }],
    ['never greets', { greeting: () => null }, { reason: 'greeting', code: null }],
    ['says 421 to EHLO', { ehlo: () => '421 busy' }, { reason: 'unavailable', code: 421 }],
    ['offers STARTTLS and refuses it', { extensions: ['STARTTLS'] }, { reason: 'tls', code: 454 }],
    [
      'asks for a login at MAIL',
      { mail: () => '530 5.7.0 Authentication required' },
      { reason: 'auth', code: 530 },
    ],
    [
      'asks for TLS at MAIL',
      { mail: () => '530 5.7.0 Must issue STARTTLS first' },
      { reason: 'tls', code: 530 },
    ],
  ])('%s', async (_, script, expected) => {
    const sink = await server(script);
    const result = await transport(sink.url, { greetingTimeoutMs: 300 }).send(message());
    expect(result).toMatchObject({ kind: 'route', othersWork: false, ...expected });
  });

  it.each<[string, Script, string]>([
    ['MAIL', { mail: () => '421 4.3.2 closing' }, 'mail'],
    ['RCPT', { rcpt: () => '421 closing' }, 'rcpt'],
    ['DATA', { data: () => '421 closing' }, 'data'],
    ['the final dot', { dot: () => '421 4.3.2 closing' }, 'final'],
  ])('is none that says 421 to %s: that is an answer to the message', async (_, script, stage) => {
    const sink = await server(script);
    expect(await transport(sink.url).send(message())).toMatchObject({
      kind: 'refused',
      permanent: false,
      code: 421,
      stage,
    });
  });

  it('closes the connection before its greeting', async () => {
    const sink = await server({
      greeting: ({ socket }) => {
        socket.end();
        return null;
      },
    });
    expect(await transport(sink.url).send(message())).toMatchObject({
      kind: 'route',
      reason: 'greeting',
      code: null,
    });
  });

  it.each([
    ['535 5.7.8 bad credentials', { reason: 'auth', code: 535 }],
    ['454 4.7.0 temporary authentication failure', { reason: 'unavailable', code: 454 }],
    ['421 4.7.0 closing', { reason: 'unavailable', code: 421 }],
  ])('answers the login with %s', async (reply, expected) => {
    const sink = await server({ extensions: ['AUTH PLAIN'], auth: () => reply });
    const result = await transport(withLogin(sink.url)).send(message());
    expect(result).toMatchObject({ kind: 'route', ...expected });
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });

  it.each([[[]], [['STARTTLS']]])('offers no login although the URL has one, with %j', async (extensions) => {
    const sink = await server({ extensions });
    const url = `${withLogin(sink.url)}?ignoreTLS=true`;
    const result = await transport(url).send(message());
    expect(result).toMatchObject({ kind: 'route', reason: 'auth', code: null });
    expect(sink.log).not.toContain('1 mail');
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });

  it('has an untrusted certificate', async () => {
    const secure = await listen(new SMTPServer({ secure: true, authOptional: true }));
    const result = await transport(secure.replace('smtp:', 'smtps:')).send(message());
    expect(result).toMatchObject({ kind: 'route', reason: 'tls', code: null });
  });

  it('does not speak TLS on its TLS port', async () => {
    const sink = await server();
    const result = await transport(sink.url.replace('smtp:', 'smtps:')).send(message());
    expect(result).toMatchObject({ kind: 'route', reason: 'tls' });
  });
});

describe('a session', () => {
  it.each([
    ['STARTTLS', 'smtp:', false],
    ['implicit TLS', 'smtps:', true],
  ])('is secured by %s and logged in', async (_, scheme, secure) => {
    const seen: unknown[] = [];
    const other = new SMTPServer({
      secure,
      onAuth: ({ username, password }, session, done) => {
        seen.push({ username, password, secure: session.secure });
        done(null, { user: username });
      },
      onData(stream, _session, done) {
        stream.resume().on('end', done);
      },
    });
    const url = withLogin(await listen(other)).replace('smtp:', scheme);
    const result = await transport(`${url}?tls.rejectUnauthorized=false`).send(message());
    expect(result).toMatchObject({ kind: 'accepted' });
    expect(seen).toEqual([{ username: 'user@example.com', password: 's3cret/+', secure: true }]);
  });

  it('stays in plain text with ignoreTLS', async () => {
    const sink = await server({ extensions: ['STARTTLS'] });
    expect(await transport(`${sink.url}?ignoreTLS=true`).send(message())).toMatchObject({ kind: 'accepted' });
    expect(sink.log).not.toContain('1 starttls');
  });

  it('names itself', async () => {
    const names: string[] = [];
    const sink = await server({
      ehlo: ({ line }) => {
        names.push(line);
        return '250 scripted';
      },
    });
    await transport(sink.url, { hostname: 'mail.example.com' }).send(message());
    expect(names).toEqual(['EHLO mail.example.com']);
  });

  it.each(['', 'localhost:25', 'http://localhost', 'smtp://'])(
    'needs a URL of an SMTP server, not %j',
    (url) => {
      expect(() => transport(url)).toThrow(TypeError);
    },
  );
});

describe('the pool', () => {
  it('hands 50 messages over 5 connections, each exactly once', async () => {
    const sink = await server({ extensions: ['PIPELINING'] });
    const mail = transport(sink.url, { connections: 5 });
    const messages = Array.from({ length: 50 }, (_, i) =>
      message(Buffer.from(`Subject: ${i}\r\n\r\n${i}\r\n`), `${i}@example.com`),
    );

    const results = messages.map((each) => mail.send(each));
    expect(mail.mail.free).toBe(0);
    for (const result of await Promise.all(results)) expect(result).toMatchObject({ kind: 'accepted' });

    expect(sink.mostOpen).toBe(5);
    expect(sink.connections).toBe(5);
    const received = new Map(sink.received.map(({ to, data }) => [to, data.toString()]));
    expect(sink.received).toHaveLength(50);
    for (let i = 0; i < 50; i += 1)
      expect(received.get(`${i}@example.com`)).toBe(`Subject: ${i}\r\n\r\n${i}\r\n`);
    for (const each of messages) expect(each.begin).toHaveBeenCalledTimes(1);
    expect(mail.mail.free).toBe(5);
  });

  it('begins waiting messages in the order of arrival', async () => {
    const sink = await server();
    const mail = transport(sink.url);
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => mail.send(message(DATA, `${name}@example.com`))));
    expect(sink.received.map(({ to }) => to[0])).toEqual(['a', 'b', 'c', 'd']);
  });

  it('sends a message over a new connection when the pooled one has broken', async () => {
    const sink = await server({
      mail: ({ connection, mail, socket }) => {
        if (connection > 1 || mail === 1) return undefined;
        socket.destroy();
        return null;
      },
    });
    const mail = transport(sink.url);
    await mail.send(message());
    const second = message();
    expect(await mail.send(second)).toMatchObject({ kind: 'accepted' });
    expect(second.begin).toHaveBeenCalledTimes(1);
    expect(sink.connections).toBe(2);
    expect(sink.received).toHaveLength(2);
  });

  it('sends a message over a new connection when a pooled one answers 421 to MAIL', async () => {
    const sink = await server({
      extensions: ['PIPELINING'],
      mail: ({ connection, mail, socket }) => {
        if (connection > 1 || mail === 1) return undefined;
        socket.end('421 4.4.2 too many messages in this session\r\n');
        return null;
      },
    });
    const mail = transport(sink.url);
    await mail.send(message());
    expect(await mail.send(message())).toMatchObject({ kind: 'accepted' });
  });

  it('tries a new connection only once', async () => {
    const sink = await server({
      mail: ({ connection, mail, socket }) => {
        if (connection === 1 && mail === 1) return undefined;
        socket.destroy();
        return null;
      },
    });
    const mail = transport(sink.url);
    await mail.send(message());
    expect(await mail.send(message())).toMatchObject({ kind: 'interrupted', stage: 'mail' });
    expect(sink.connections).toBe(2);
  });

  it('drops a connection that the server closed while idle', async () => {
    const sink = await server();
    const mail = transport(sink.url);
    await mail.send(message());
    await sink.close();
    const again = message();
    expect(await mail.send(again)).toMatchObject({ kind: 'route', reason: 'connect' });
    expect(again.begin).not.toHaveBeenCalled();
    expect(mail.mail.free).toBe(1);
  });

  it('closes idle connections with QUIT', async () => {
    const sink = await server();
    await transport(sink.url, { idleTimeoutMs: 50 }).send(message());
    await sink.ended();
    expect(sink.log.slice(-2)).toEqual(['1 quit', '1 closed']);
  });

  it('renews a connection after its number of messages', async () => {
    const sink = await server();
    const mail = transport(sink.url, { messagesPerConnection: 2 });
    for (let i = 0; i < 5; i += 1) await mail.send(message());
    expect(sink.connections).toBe(3);
    expect(sink.log.indexOf('1 quit')).toBeLessThan(sink.log.indexOf('2 greeting'));
    expect(sink.log.indexOf('2 quit')).toBeLessThan(sink.log.indexOf('3 greeting'));
  });

  it('finishes its messages when it closes, and takes no more', async () => {
    const sink = await server();
    const client = transport(sink.url, { connections: 3 });
    const results = [client.send(message()), client.send(message()), client.send(message())];
    const late = message();
    const closed = client.mail.close();
    void client.send(late);
    await closed;
    for (const result of results) expect(await result).toMatchObject({ kind: 'accepted' });
    expect(late.begin).not.toHaveBeenCalled();
    expect(sink.log.filter((entry) => entry.endsWith('quit'))).toHaveLength(3);
  });
});

function withLogin(url: string): string {
  return url.replace('smtp://', 'smtp://user%40example.com:s3cret%2F%2B@');
}

async function listen(other: SMTPServer): Promise<string> {
  other.on('error', () => {});
  cleanUp.push(() => new Promise((resolve) => other.close(() => resolve())));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return `smtp://127.0.0.1:${address.port}`;
}
