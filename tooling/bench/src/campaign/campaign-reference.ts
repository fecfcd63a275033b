/**
 * The reference for a campaign: one process with nodemailer and a pool of 10 connections, composing every message
 * for its recipient: name filled in, links and pixel with signed tokens, text part, list headers. With the ledger, it
 * first inserts the emails, checks each recipient again, and marks them as sent in batches; without it, no database
 * is used.
 */
import { createHmac, createPrivateKey } from 'node:crypto';
import { newId } from '@postrider/core/base/lib';
import { answerParent } from '@postrider/harness/answering-process';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { newsletterBody } from './campaign-content.ts';
import { markSent, nextRecipients, type Recipient, writeEmails } from './campaign-reference.store.ts';

export interface ReferenceRun {
  projectId: string;
  recipients: number;
  ledger: boolean;
  /** PEM of an RSA-2048 key; without it, messages are not signed */
  dkimKey?: string;
}

const connections = 10;
/** The number of messages composed in advance of the connections. */
const ahead = connections * 2;
const batch = 500;
const markEveryMs = 25;
const secret = Buffer.alloc(32, 7);
const zeroId = '00000000-0000-0000-0000-000000000000';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });

answerParent(run);

async function run({ projectId, recipients, ledger, dkimKey }: ReferenceRun): Promise<number> {
  const mailer = createTransport({
    ...server(process.env.SMTP_URL ?? ''),
    pool: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
    ...(dkimKey === undefined ? {} : { dkim: dkimOptions(dkimKey) }),
  });
  const campaignId = newId();
  const total = ledger ? await writeEmails(pool, projectId, campaignId, newId()) : recipients;
  const source = ledger ? fromLedger(projectId, campaignId) : fromNowhere(recipients);
  const marker = ledger ? createMarker(campaignId) : null;
  const open = new Set<Promise<void>>();
  for await (const recipient of source) {
    const sent: Promise<void> = mailer.sendMail(compose(recipient)).then(() => {
      open.delete(sent);
      marker?.add(recipient.id);
    });
    open.add(sent);
    if (open.size >= ahead) await Promise.race(open);
  }
  await Promise.all(open);
  await marker?.finish();
  mailer.close();
  return total;
}

function server(url: string): { host: string; port: number; secure: false; ignoreTLS: true } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port), secure: false, ignoreTLS: true };
}

/** Parses the key once. From a PEM string, nodemailer parses it for every message and is half as fast. */
function dkimOptions(pem: string) {
  const privateKey = createPrivateKey(pem) as unknown as string;
  return { domainName: 'sender.test', keySelector: 'postrider', privateKey };
}

async function* fromLedger(projectId: string, campaignId: string): AsyncGenerator<Recipient> {
  let after = zeroId;
  for (;;) {
    const recipients = await nextRecipients(pool, projectId, campaignId, after, batch);
    const last = recipients.at(-1);
    if (!last) return;
    yield* recipients;
    after = last.id;
  }
}

async function* fromNowhere(count: number): AsyncGenerator<Recipient> {
  for (let n = 1; n <= count; n += 1) {
    yield { id: newId(), to: `p${n}@people.test`, contactId: newId(), name: `Person ${n}`, plan: 'pro' };
  }
}

function compose({ id, to, contactId, name, plan }: Recipient) {
  const preferences = `http://localhost:3000/u/${token(`p${contactId}${id}`)}`;
  const values: Record<string, string> = { name, plan, unsubscribeUrl: `${preferences}/unsubscribe` };
  const fill = (text: string, encode: (value: string) => string): string =>
    text.replace(/\{\{(\w+)[^}]*\}\}/g, (_all, key: string) => encode(values[key] ?? ''));
  let link = 0;
  const html = fill(newsletterBody, escapeHtml)
    .replace(/href="https?:\/\/example[^"]*"/g, () => {
      link += 1;
      return `href="http://localhost:3000/t/c/${token(`c${id}${link}`)}"`;
    })
    .replace(
      '</body>',
      `<img src="http://localhost:3000/t/o/${token(`o${id}`)}.gif" width="1" height="1" alt=""></body>`,
    );
  return {
    from: { name: 'Bench', address: 'hello@sender.test' },
    to,
    replyTo: 'hello@sender.test',
    subject: `News for ${name}`,
    html,
    text: fill(plainText, (value) => value),
    messageId: `<${id}@sender.test>`,
    headers: {
      'X-Postrider-Email': id,
      'List-Unsubscribe': `<${preferences}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      Precedence: 'bulk',
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
  };
}

/** Created once; a sender that creates it for every recipient is even slower. */
const plainText = newsletterBody
  .replace(/<a href="([^"]*)">([^<]*)<\/a>/g, '$2 ($1)')
  .replace(/<[^>]+>/g, '')
  .replace(/\n+/g, '\n\n');

function token(payload: string): string {
  const mac = createHmac('sha256', secret).update(payload).digest();
  return Buffer.concat([Buffer.from(payload), mac.subarray(0, 16)]).toString('base64url');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Marks the emails sent since the last write, in one statement, one write at a time. */
function createMarker(campaignId: string) {
  let waiting: string[] = [];
  let running: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    running = running.then(async () => {
      const ids = waiting;
      waiting = [];
      if (ids.length > 0) await markSent(pool, campaignId, ids);
    });
    return running;
  };
  const timer = setInterval(() => void flush(), markEveryMs);
  return {
    add: (id: string) => waiting.push(id),
    async finish() {
      clearInterval(timer);
      await flush();
    },
  };
}
