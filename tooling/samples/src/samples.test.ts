import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoAccess } from '@postrider/local/demo';
import { freePort } from '@postrider/local/ports';
import { type Stack, startStack } from '@postrider/local/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Language, languages, samplesFolder } from './languages.ts';

/**
 * Every sample of the guides is a whole program. Here each runs against a started service as a reader would run it; what it printed, what the
 * mailbox received and what the API says afterwards is looked at.
 */

/** A message in the mailbox. */
interface Message {
  id: number;
  subject: string;
  html: string | null;
  text: string | null;
  attachments: { index: number; filename: string }[];
}

interface Run {
  /** The recipient of this sample in this language. */
  to: string;
  /** What it printed. */
  printed: string;
}

let folder: string;
let stack: Stack;
let secretKey: string;
const commands = new Map<string, Awaited<ReturnType<Language['prepare']>>>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-samples-'));
  await chmod(folder, 0o755);
  const [prepared, started] = await Promise.allSettled([
    Promise.all(
      languages.map(async (language) => commands.set(language.name, await language.prepare(folder))),
    ),
    startStack({
      dataDir: join(folder, 'data'),
      build: 'no-dashboard',
      throwAway: true,
      development: true,
      env: { RATE_LIMIT_PER_MINUTE: '100000' },
    }),
  ]);
  // First, so that it is stopped also when a language is missing.
  if (started.status === 'rejected') throw started.reason;
  stack = started.value;
  if (prepared.status === 'rejected') throw prepared.reason;
  const access = await demoAccess(stack);
  if (access === undefined) throw new Error('The database is not new');
  secretKey = access.secretKey;
});
afterAll(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function api(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${stack.urls.api}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${secretKey}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? {} : JSON.parse(text);
}

async function mailbox<Reply>(path: string): Promise<Reply> {
  return (await fetch(`${stack.urls.mailbox}/api/messages${path}`)).json() as Promise<Reply>;
}

/** The newest message to an address; waits for it. */
async function received(to: string): Promise<Message> {
  const { messages } = await mailbox<{ messages: Message[] }>(`?to=${encodeURIComponent(to)}&wait=30`);
  const [newest] = messages;
  if (newest === undefined) throw new Error(`Nothing arrived for ${to}`);
  return mailbox(`/${newest.id}`);
}

const emailsTo = (
  to: string,
): Promise<{ total: number; data: { status: string; reason: string | null }[] }> =>
  api('GET', `/emails?recipient=${encodeURIComponent(to)}`) as ReturnType<typeof emailsTo>;

function launch(language: Language, sample: string, to: string, more: Record<string, string> = {}) {
  const [command, ...args] = commands.get(language.name)?.(sample, Number(more['PORT'])) ?? [''];
  const child = spawn(command, args, {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      POSTRIDER_URL: stack.urls.api,
      POSTRIDER_API_KEY: secretKey,
      TO: to,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return { child, printed: () => output };
}

async function run(language: Language, sample: string): Promise<Run> {
  const to = `${sample}-${language.name}@example.net`;
  const { child, printed } = launch(language, sample, to);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The sample ended with ${code}:\n${printed()}`);
  return { to, printed: printed() };
}

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** What a run must have done. Samples without an entry have a test of their own. */
const checks: Record<string, (result: Run) => Promise<void>> = {
  async send({ to, printed }) {
    const message = await received(to);
    expect(message.subject).toBe('Your order is on its way');
    expect(message.html).toContain('order 1001');
    expect(printed).toMatch(/PENDING/);
  },
  async attachment({ to }) {
    const { id, attachments } = await received(to);
    expect(attachments).toMatchObject([{ filename: 'orders.csv' }]);
    const bytes = await fetch(
      `${stack.urls.mailbox}/api/messages/${id}/attachments/${attachments[0]?.index}`,
    );
    expect(await bytes.text()).toBe('order,total\n1001,12.00\n');
  },
  async schedule({ to, printed }) {
    expect(printed).toMatch(/SCHEDULED[\s\S]*SKIPPED[\s\S]*cancelled/);
    expect(await emailsTo(to)).toMatchObject({ data: [{ status: 'SKIPPED', reason: 'cancelled' }] });
  },
  async idempotent({ to, printed }) {
    expect((await received(to)).subject).toBe('Welcome');
    // Two requests, one email, and both learn its id.
    const { total, data } = (await emailsTo(to)) as {
      total: number;
      data: { id: string; status: string; reason: null }[];
    };
    expect(total).toBe(1);
    expect(printed.match(uuid)?.filter((id) => id === data[0]?.id)).toHaveLength(2);
  },
  async tags({ to, printed }) {
    expect((await received(to)).subject).toBe('Receipt for order 1001');
    expect(printed).toMatch(/receipt[\s\S]*1001/);
  },
  async track({ to }) {
    // The workflow of the demo project answers this event.
    expect((await received(to)).subject).toBe('Welcome, Ann');
  },
  async contact({ to, printed }) {
    const contact = await api('GET', `/contacts/${encodeURIComponent(`ext:user-${to}`)}`);
    expect(contact).toMatchObject({ email: to, data: { plan: 'pro' } });
    expect(printed).toMatch(/pro/);
  },
  async list({ printed }) {
    // The first and the last of the unsubscribed contacts: they are on different pages.
    expect(printed).toMatch(/^contact-5000@people\.example$/m);
    expect(printed).toMatch(/^contact-0020@people\.example$/m);
  },
  async errors({ printed }) {
    expect(printed).toMatch(/VALIDATION_ERROR[\s\S]*\bto\b/);
    expect(printed).toContain('invalid_string');
  },
};

/** Those that need something before they run. */
const others = ['save-template', 'template', 'erase', 'webhook'];

describe('the samples', () => {
  it('exist in every language, and each has a check', async () => {
    const names = [...Object.keys(checks), ...others].sort();
    for (const { name, extension } of languages) {
      const files = await readdir(join(samplesFolder, name));
      const expected = names.filter((sample) => name !== 'curl' || sample !== 'webhook');
      expect(files.sort(), name).toEqual(expected.map((sample) => `${sample}.${extension}`));
    }
  });

  it('are shown by a guide', async () => {
    const guides = join(samplesFolder, '..');
    const pages = (await readdir(guides)).filter((file) => file.endsWith('.md'));
    const texts = await Promise.all(pages.map((file) => readFile(join(guides, file), 'utf8')));
    const shown = texts.flatMap((text) =>
      [...text.matchAll(/^<!-- sample: (\S+) -->$/gm)].map((match) => match[1]),
    );
    expect([...new Set(shown)].sort()).toEqual([...Object.keys(checks), ...others].sort());
  });

  it('and each task of an integration has its place in a guide', async () => {
    const guides = join(samplesFolder, '..');
    const tasks = JSON.parse(await readFile(join(guides, 'tasks.json'), 'utf8')) as {
      task: string;
      guide: string;
      heading: string;
    }[];
    expect(tasks).toHaveLength(12);
    for (const { guide, heading } of tasks)
      expect(await readFile(join(guides, `${guide}.md`), 'utf8')).toMatch(
        new RegExp(`^##? ${heading}$`, 'm'),
      );
  });
});

const programs = Object.entries(checks).flatMap(([sample, check]) =>
  languages.map((language) => [sample, language.name, language, check] as const),
);

describe.concurrent('a sample works', () => {
  it.each(programs)('%s in %s', async (sample, _name, language, check) => check(await run(language, sample)));

  it.each(languages.map((language) => [language.name, language] as const))(
    'erase in %s',
    async (_name, language) => {
      const to = `erase-${language.name}@example.net`;
      await api('POST', '/events/track', { email: to, event: 'paid' });
      const { printed } = await run(language, 'erase');
      expect(printed).toContain('"paid"');
      expect(await api('GET', `/contacts/${to}`)).toMatchObject({ error: { code: 'CONTACT_NOT_FOUND' } });
    },
  );
});

/** One after the other: they share the alias of a template. */
describe('templates', () => {
  it.each(languages.map((language) => [language.name, language] as const))(
    'in %s',
    async (_name, language) => {
      await api('DELETE', '/templates/receipt');
      expect((await run(language, 'save-template')).printed).toMatch(/created$/m);
      expect((await run(language, 'save-template')).printed).toMatch(/updated$/m);
      const { to } = await run(language, 'template');
      const { subject, html } = await received(to);
      expect(subject).toBe('Receipt for order 1001');
      expect(html).toContain('Hello Ann');
      expect(html).toContain('12.00 EUR');
    },
  );
});

describe('a receiver of webhooks', () => {
  const receivers = languages.filter(({ name }) => name !== 'curl');
  it.each(receivers.map((language) => [language.name, language] as const))(
    'in %s',
    async (_name, language) => {
      const port = await freePort();
      const url = `http://localhost:${port}/`;
      const { id, secret } = await api('POST', '/webhook-endpoints', { url, types: ['campaign.sent'] });
      const { child, printed } = launch(language, 'webhook', '', {
        PORT: String(port),
        WEBHOOK_SECRET: String(secret),
      });
      try {
        const forged = {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
        };
        const refused = () =>
          fetch(url, { method: 'POST', headers: forged, body: '{}' }).then(({ status }) => status, String);
        await expect.poll(refused, { timeout: 60_000 }).toBe(400);
        await api('POST', `/webhook-endpoints/${id}/test`);
        await expect.poll(printed, { timeout: 60_000 }).toContain('webhook.test');
        const delivered = () => api('GET', `/webhook-endpoints/${id}/deliveries?status=DELIVERED`);
        await expect.poll(delivered, { timeout: 60_000 }).toMatchObject({ total: 1 });
      } finally {
        await end(child);
      }
    },
  );
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
