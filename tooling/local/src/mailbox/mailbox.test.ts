import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MailPage } from './mailbox-store.ts';
import { type Mailbox, startMailbox } from './start-mailbox.ts';

let folder: string;
let mailbox: Mailbox;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-mailbox-'));
  mailbox = await startMailbox({ dataDir: folder });
});

afterEach(async () => {
  await mailbox.stop();
  await rm(folder, { recursive: true, force: true });
});

async function send(mail: SendMailOptions, auth?: { user: string; pass: string }): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mailbox.smtpPort, ...(auth ? { auth } : {}) });
  await transport.sendMail({
    from: 'Shop <shop@example.com>',
    to: 'ada@example.com',
    subject: 'Hello',
    text: 'hi',
    ...mail,
  });
  transport.close();
}

async function list(query = ''): Promise<MailPage> {
  const response = await fetch(`${mailbox.url}/api/messages${query}`);
  return (await response.json()) as MailPage;
}

const page = (path: string) => fetch(`${mailbox.url}${path}`);

describe('receiving', () => {
  it('shows an email with its headers, HTML, text and attachments', async () => {
    await send({
      subject: 'Grüße ✓',
      html: '<p>Hi <img src="cid:logo"></p>',
      headers: { 'X-Postrider-Email': 'email-1' },
      attachments: [
        { filename: 'report ü.txt', content: 'numbers' },
        { filename: 'logo.png', content: Buffer.from([1, 2, 3]), cid: 'logo' },
      ],
    });
    const { messages } = await list();
    expect(messages[0]).toMatchObject({
      subject: 'Grüße ✓',
      from: 'Shop <shop@example.com>',
      sender: 'shop@example.com',
      to: ['ada@example.com'],
      emailId: 'email-1',
    });
    const id = messages[0]?.id;
    const whole = (await (await page(`/api/messages/${id}`)).json()) as Record<string, unknown>;
    expect(whole).toMatchObject({ text: expect.stringContaining('hi'), html: expect.stringContaining('Hi') });
    expect(whole.headers).toContainEqual({ name: 'X-Postrider-Email', value: 'email-1' });
    expect(whole.attachments).toEqual([
      expect.objectContaining({ filename: 'logo.png', contentId: 'logo', size: 3 }),
      expect.objectContaining({ filename: 'report ü.txt', size: 7 }),
    ]);
    const file = await page(`/messages/${id}/attachments/1`);
    expect(file.headers.get('content-disposition')).toContain('attachment');
    expect(await file.text()).toBe('numbers');
    expect(await (await page(`/messages/${id}/html`)).text()).toContain('data:image/png;base64,AQID');
    expect(await (await page(`/api/messages/${id}/raw`)).text()).toContain('X-Postrider-Email: email-1');
  });

  it('accepts any login', async () => {
    await send({}, { user: 'someone', pass: 'anything' });
    expect((await list()).total).toBe(1);
  });

  it('keeps its email over a restart', async () => {
    await send({ subject: 'before' });
    await mailbox.stop();
    mailbox = await startMailbox({ dataDir: folder });
    expect((await list()).messages.map((mail) => mail.subject)).toEqual(['before']);
  });

  it('accepts many connections at once and loses nothing', async () => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: mailbox.smtpPort,
      pool: true,
      maxConnections: 10,
    });
    const all = Array.from({ length: 300 }, (_, index) =>
      transport.sendMail({
        from: 'a@example.com',
        to: `p${index}@example.com`,
        subject: `n${index}`,
        text: 'x',
      }),
    );
    await Promise.all(all);
    transport.close();
    const { messages } = await list('?limit=1000');
    expect(new Set(messages.map((mail) => mail.to[0])).size).toBe(300);
  });
});

describe('the list', () => {
  it('is newest first, in pages without gaps', async () => {
    for (const subject of ['one', 'two', 'three']) await send({ subject });
    const first = await list('?limit=2');
    expect(first.messages.map((mail) => mail.subject)).toEqual(['three', 'two']);
    expect(first.total).toBe(3);
    const second = await list(`?limit=2&before=${first.nextBefore}`);
    expect(second.messages.map((mail) => mail.subject)).toEqual(['one']);
    expect(second.nextBefore).toBeNull();
  });

  it('is searched by address and subject, with LIKE wildcards taken literally', async () => {
    await send({ subject: '100% off', to: 'bob@example.com' });
    await send({ subject: '100 things', to: 'ada@example.com' });
    expect((await list('?search=BOB@')).total).toBe(1);
    expect((await list('?search=100%25')).messages.map((mail) => mail.subject)).toEqual(['100% off']);
  });

  it('is asked for one recipient, whole and in any case', async () => {
    await send({ to: 'ann@example.com', subject: 'one' });
    await send({ to: ['joann@example.com', 'Bob@Example.com'], subject: 'two' });
    expect((await list('?to=ANN@example.com')).messages.map(({ subject }) => subject)).toEqual(['one']);
    expect((await list('?to=bob@example.com')).messages.map(({ subject }) => subject)).toEqual(['two']);
    expect((await list('?to=example.com')).total).toBe(0);
    expect((await list("?to=%25' OR 1=1 --")).total).toBe(0);
  });

  it('waits for a match that is later than the given message, and no longer than asked', async () => {
    await send({ to: 'ann@example.com', subject: 'before' });
    const after = (await list()).messages[0]?.id ?? 0;
    const waiting = list(`?to=ann@example.com&after=${after}&wait=20`);
    await send({ to: 'bob@example.com', subject: 'another' });
    await send({ to: 'ann@example.com', subject: 'wanted' });
    expect((await waiting).messages.map(({ subject }) => subject)).toEqual(['wanted']);
    expect(await list(`?to=nobody@example.com&wait=1`)).toEqual({ messages: [], total: 0, nextBefore: null });
    expect((await list('?to=ann@example.com&wait=20')).messages.map(({ subject }) => subject)).toEqual([
      'wanted',
      'before',
    ]);
  });

  it.each(['?wait=31', '?wait=-1', '?limit=x', '?after=1.5', '?too=ann@example.com'])(
    'refuses %s by name',
    async (query) => {
      const answer = await page(`/api/messages${query}`);
      expect(answer.status).toBe(400);
      expect(((await answer.json()) as { error: string }).error).toContain(/\?(\w+)/.exec(query)?.[1]);
    },
  );

  it('gives one message with its time, its bytes and its attachments', async () => {
    await send({ subject: 'whole', attachments: [{ filename: 'a.txt', content: 'numbers' }] });
    const { id, receivedAt } = (await list()).messages[0] ?? { id: 0, receivedAt: '' };
    const message = await (await page(`/api/messages/${id}`)).json();
    expect(message).toMatchObject({
      id,
      date: receivedAt,
      to: ['ada@example.com'],
      subject: 'whole',
      html: null,
    });
    expect(await (await page(`/api/messages/${id}/raw`)).text()).toContain('Subject: whole');
    expect(await (await page(`/api/messages/${id}/attachments/0`)).text()).toBe('numbers');
    expect((await page(`/api/messages/${id}/attachments/1`)).status).toBe(404);
    expect((await page('/api/messages/4711')).status).toBe(404);
  });

  it('is emptied by DELETE, but not from another site', async () => {
    await send({});
    const foreign = await fetch(`${mailbox.url}/api/messages`, {
      method: 'DELETE',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(foreign.status).toBe(403);
    expect((await list()).total).toBe(1);
    await fetch(`${mailbox.url}/api/messages`, { method: 'DELETE' });
    expect((await list()).total).toBe(0);
  });
});

describe('the web page', () => {
  it('lists and shows emails without running their scripts', async () => {
    await send({ subject: '<script>alert(1)</script>', html: '<script>alert(2)</script><b>bold</b>' });
    const listing = await (await page('/')).text();
    expect(listing).not.toContain('<script>alert(1)');
    const id = (await list()).messages[0]?.id;
    const message = await (await page(`/messages/${id}`)).text();
    expect(message).toMatch(/<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    expect(message).not.toContain('alert(2)');
    const frame = await page(`/messages/${id}/html`);
    expect(frame.headers.get('content-security-policy')).toContain('sandbox');
    expect(frame.headers.get('content-security-policy')).not.toContain('allow-scripts');
    for (const view of ['text', 'headers', 'source', 'attachments']) {
      expect((await page(`/messages/${id}?view=${view}`)).status).toBe(200);
    }
  });

  it.each(['/messages/999', '/api/messages/999', '/nowhere'])('answers 404 on %s', async (path) => {
    expect((await page(path)).status).toBe(404);
  });
});
