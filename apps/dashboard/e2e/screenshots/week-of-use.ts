import { openPool } from '@postrider/core/base/db';
import type { DemoAccess } from '@postrider/local/demo';
import type { Stack } from '@postrider/local/stack';
import { Postrider } from '@postrider/sdk';

/** What the mail programs of recipients call themselves: two on phones, a proxy, and two on desktops. */
const programs = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)',
];

/** Readers whose messages are looked at. */
const readers = 700;
const atOnce = 10;

/**
 * A week of the demo project: transactional email, a campaign, workflow executions and events of customers, with opens and clicks by
 * the messages in the mailbox. All of it happens now, so transactional email is then moved to the days before.
 */
export async function addWeekOfUse({ urls }: Stack, demo: DemoAccess): Promise<void> {
  const secret = new Postrider({ apiKey: demo.secretKey, baseUrl: urls.api });
  const visitor = new Postrider({ apiKey: demo.publicKey, baseUrl: urls.api });
  const people = Array.from(
    { length: 250 },
    (_, n) => `contact-${String(n + 1).padStart(4, '0')}@people.example`,
  );
  const sent = await secret.sendBatch(
    people.map((to, n) => ({
      to,
      from: demo.from,
      subject: n % 3 === 0 ? 'Reset your password' : 'Your receipt',
      body: '<p>Hello {{firstName ?? there}}</p><p><a href="https://app.example.com/orders">Open your account</a></p>',
    })),
  );
  const tracked = await visitor.trackBatch(
    people.slice(0, 120).map((email, n) => ({
      email,
      event: ['signed up', 'order placed', 'trial started'][n % 3] ?? 'signed up',
      data: { plan: 'pro', amount: 20 + (n % 7) * 15 },
    })),
  );
  if (sent.refused > 0) throw new Error(`${sent.refused} emails were refused`);
  for (const result of tracked) if (result.status === 'rejected') throw result.reason;
  await sendCampaign(secret);
  await readMail(urls.mailbox ?? '');
  await spreadOverAWeek(urls.database, demo);
}

/** The content of the draft that the demo project begins with. */
async function sendCampaign(client: Postrider): Promise<void> {
  for await (const draft of client.campaigns.list()) {
    const { subject, body, from, fromName } = draft;
    const campaign = { subject, body, from, fromName, type: 'MARKETING', audienceType: 'ALL' } as const;
    const { id } = await client.campaigns.create({ name: 'Spring newsletter', ...campaign });
    await client.campaigns.send({ id });
    while ((await client.campaigns.get({ id })).status !== 'SENT')
      await new Promise((resolve) => setTimeout(resolve, 500));
    return;
  }
  throw new Error('The demo project has no campaign');
}

/** Opens messages as their recipients would, and follows a link of some. */
async function readMail(mailbox: string): Promise<void> {
  const list = await json<{ messages: { id: number }[] }>(`${mailbox}/api/messages?limit=${readers}`);
  const open = list.messages.filter((_, n) => n % 9 < 5);
  for (let from = 0; from < open.length; from += atOnce)
    await Promise.all(open.slice(from, from + atOnce).map(({ id }, n) => readMessage(mailbox, id, from + n)));
}

async function readMessage(mailbox: string, id: number, n: number): Promise<void> {
  const { html } = await json<{ html: string | null }>(`${mailbox}/api/messages/${id}`);
  const headers = { 'user-agent': programs[n % programs.length] ?? '' };
  const visit = async (pattern: RegExp): Promise<void> => {
    const [, url] = pattern.exec(html ?? '') ?? [];
    if (url) await fetch(url.replaceAll('&amp;', '&'), { headers, redirect: 'manual' });
  };
  await visit(/src="([^"]+\/t\/o\/[^"]+)"/);
  if (n % 4 === 0) await visit(/href="([^"]+\/t\/c\/[^"]+)"/);
}

async function json<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as T;
}

/** The database counts what the moved times say, as it does for every change of an email. */
async function spreadOverAWeek(database: string, demo: DemoAccess): Promise<void> {
  const pool = openPool({ connectionString: database });
  const back = `(abs(hashtext(e."id"::text)) % 150) * interval '1 hour'`;
  const times = ['createdAt', 'sentAt', 'openedAt', 'clickedAt'];
  const ofDemo = `e."sourceType" = 'TRANSACTIONAL' AND e."projectId" = (
    SELECT c."projectId" FROM "Content" c WHERE c."from" = $1 LIMIT 1)`;
  await pool.query(
    `UPDATE "Event" v SET "createdAt" = v."createdAt" - ${back} FROM "Email" e WHERE v."emailId" = e."id" AND ${ofDemo}`,
    [demo.from],
  );
  await pool.query(
    `UPDATE "Email" e SET ${times.map((time) => `"${time}" = e."${time}" - ${back}`).join(', ')} WHERE ${ofDemo}`,
    [demo.from],
  );
  await pool.end();
}
