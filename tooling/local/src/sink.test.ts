import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterEach, describe, expect, it } from 'vitest';
import { FRIENDLY, fateOf, readSinkFile, type Sink, type SinkOptions, startSink } from './sink.ts';
import { startSinkProcess } from './sink-process.ts';

const open: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

async function sinkWith(options: SinkOptions = {}): Promise<Sink> {
  const sink = await startSink(options);
  open.push(sink);
  return sink;
}

function send(sink: { port: number }, to: string, auth?: { user: string; pass: string; method?: string }) {
  const transport = createTransport({
    host: '127.0.0.1',
    port: sink.port,
    ignoreTLS: true,
    ...(auth ? { auth: { user: auth.user, pass: auth.pass }, authMethod: auth.method ?? 'PLAIN' } : {}),
  });
  return transport.sendMail({
    from: 'shop@example.com',
    to,
    subject: 'Hello',
    text: 'one\n.two\n..three\n.',
    messageId: `<${to}>`,
    headers: { 'X-Postrider-Email': `id-of-${to}` },
  });
}

/** Sends SMTP chunk by chunk and returns everything that the sink replied. */
function converse(port: number, chunks: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.setEncoding('utf8').on('data', (text) => {
      heard += text;
    });
    socket.on('error', reject).on('close', () => resolve(heard));
    socket.setNoDelay(true);
    const next = () => {
      const chunk = chunks.shift();
      if (chunk !== undefined) socket.write(chunk, () => setImmediate(next));
    };
    socket.once('data', next);
  });
}

/** Addresses by their outcome under a behaviour. */
function addressesOf(behaviour: typeof FRIENDLY, fate: string, count: number): string[] {
  const all = Array.from({ length: 5_000 }, (_, index) => `person${index}@example.com`);
  return all.filter((address) => fateOf(behaviour, address) === fate).slice(0, count);
}

it('finds messages by email, and sums up all of them', async () => {
  const sink = await startSinkProcess();
  open.push(sink);
  for (const to of ['ann@example.com', 'ben@example.com', 'ann@example.com']) await send(sink, to);
  expect(await sink.find(['id-of-ben@example.com', 'unknown'])).toMatchObject([{ to: ['ben@example.com'] }]);
  const all = await sink.messages();
  expect(await sink.summarize(2)).toEqual({
    messages: 3,
    recipients: 2,
    first: all[0]?.at,
    last: all[2]?.at,
    marks: [all[1]?.at],
  });
});

it('keeps only the messages that are wanted, and counts all', async () => {
  const sink = await sinkWith({ keepOnlyTo: 'ann' });
  for (const to of ['ann@example.com', 'ben@example.com', 'cat@example.com']) await send(sink, to);
  expect(sink.messages()).toMatchObject([{ to: ['ann@example.com'] }]);
  expect(sink.count()).toBe(3);
  expect(sink.summarize(3)).toMatchObject({ messages: 3, recipients: 1, marks: [sink.summarize(1).last] });
});

describe('a friendly sink', () => {
  it('records envelope, Message-ID, email id and size', async () => {
    const sink = await sinkWith({ keepRaw: true });
    await send(sink, 'ada@example.com');
    const [message] = sink.messages();
    expect(message).toMatchObject({
      from: 'shop@example.com',
      to: ['ada@example.com'],
      messageId: '<ada@example.com>',
      emailId: 'id-of-ada@example.com',
    });
    expect(message?.size).toBeGreaterThan(100);
    expect(message?.raw).toMatch(/\r\none\r\n\.two\r\n\.\.three\r\n\.\r\n$/);
    expect(sink.byRecipient().get('ada@example.com')).toHaveLength(1);
  });

  it('accepts pipelined commands and several messages in one chunk', async () => {
    const sink = await sinkWith();
    const mail = (to: string) =>
      `MAIL FROM:<a@b.c>\r\nRCPT TO:<${to}>\r\nDATA\r\nSubject: x\r\n\r\nhi\r\n.\r\n`;
    const heard = await converse(sink.port, [`EHLO me\r\n${mail('one@x.y')}${mail('two@x.y')}QUIT\r\n`]);
    expect(heard.match(/^250 2\.0\.0 Ok: queued/gm)).toHaveLength(2);
    expect(sink.messages().map((message) => message.to)).toEqual([['one@x.y'], ['two@x.y']]);
  });

  it('finds the end of a message wherever the network splits it', async () => {
    const sink = await sinkWith({ keepRaw: true });
    const text =
      'MAIL FROM:<a@b.c>\r\nRCPT TO:<one@x.y>\r\nDATA\r\n.\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<two@x.y>\r\nDATA\r\nA: b\r\n\r\n..x\r\n.\r\nQUIT\r\n';
    await converse(sink.port, [...text]);
    expect(sink.messages().map((message) => [message.size, message.raw])).toEqual([
      [0, ''],
      [13, 'A: b\r\n\r\n.x\r\n'],
    ]);
  });

  it.each(['PLAIN', 'LOGIN'])('accepts AUTH %s', async (method) => {
    const sink = await sinkWith();
    await send(sink, 'ada@example.com', { user: 'u', pass: 'p', method });
    expect(sink.messages()).toHaveLength(1);
  });

  it('appends one line per message to its file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-sink-'));
    const file = join(folder, 'mails.ndjson');
    const sink = await startSink({ file });
    await send(sink, 'ada@example.com');
    await send(sink, 'bob@example.com');
    await sink.stop();
    expect((await readSinkFile(file)).map((message) => message.emailId)).toEqual([
      'id-of-ada@example.com',
      'id-of-bob@example.com',
    ]);
    await rm(folder, { recursive: true });
  });

  it('runs in a separate process', async () => {
    const sink = await startSinkProcess();
    open.push(sink);
    await send(sink, 'ada@example.com');
    expect(await sink.count()).toBe(1);
    expect((await sink.byRecipient()).get('ada@example.com')).toHaveLength(1);
    await sink.setBehaviour({ reject: { share: 1 } });
    await expect(send(sink, 'bob@example.com')).rejects.toMatchObject({ responseCode: 550 });
    expect((await sink.refusals()).rejected.get('bob@example.com')).toBe(1);
  });
});

describe('a scripted sink', () => {
  const behaviour = {
    ...FRIENDLY,
    defer: { share: 0.33 },
    reject: { share: 0.01 },
    drop: { share: 0.01, stored: true },
  };

  it('selects the shares by address, close to the configured values', () => {
    const all = Array.from({ length: 20_000 }, (_, index) => fateOf(behaviour, `person${index}@example.com`));
    const share = (fate: string) => all.filter((one) => one === fate).length / all.length;
    expect(share('defer')).toBeCloseTo(0.33, 1);
    expect(share('reject')).toBeCloseTo(0.01, 2);
    expect(share('drop')).toBeCloseTo(0.01, 2);
  });

  it('answers 4xx to its share only during the time window', async () => {
    const sink = await sinkWith({ behaviour: { defer: { share: 1 } } });
    await expect(send(sink, 'ada@example.com')).rejects.toMatchObject({ responseCode: 451 });
    expect(sink.refusals().deferred.get('ada@example.com')).toBe(1);
    await sink.setBehaviour({ defer: { share: 1, forMs: -1 } });
    await send(sink, 'ada@example.com');
    expect(sink.messages()).toHaveLength(1);
  });

  it('answers 5xx to its share and accepts the rest', async () => {
    const sink = await sinkWith({ behaviour });
    const [refused = ''] = addressesOf(behaviour, 'reject', 1);
    const [taken = ''] = addressesOf(behaviour, 'accept', 1);
    await expect(send(sink, refused)).rejects.toMatchObject({ responseCode: 550 });
    await send(sink, taken);
    expect(sink.messages().map((message) => message.to)).toEqual([[taken]]);
  });

  it.each([true, false])('drops the connection after the final dot, message stored: %s', async (stored) => {
    const sink = await sinkWith({ behaviour: { drop: { share: 1, stored } } });
    await expect(send(sink, 'ada@example.com')).rejects.toThrow();
    expect(sink.messages()).toHaveLength(stored ? 1 : 0);
  });

  it('waits before it answers the final dot', async () => {
    const sink = await sinkWith({ behaviour: { delayMs: 150 } });
    const begun = performance.now();
    await send(sink, 'ada@example.com');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(145);
  });

  it('refuses AUTH', async () => {
    const sink = await sinkWith({ behaviour: { refuseAuth: true } });
    await expect(send(sink, 'a@example.com', { user: 'u', pass: 'p' })).rejects.toMatchObject({
      responseCode: 535,
    });
  });

  it('refuses connections while paused and accepts them on the same port afterwards', async () => {
    const sink = await sinkWith();
    await sink.setBehaviour({ paused: true });
    await expect(send(sink, 'ada@example.com')).rejects.toMatchObject({ code: 'ESOCKET' });
    await sink.setBehaviour({ paused: false });
    await send(sink, 'ada@example.com');
    expect(sink.messages()).toHaveLength(1);
  });
});
