import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { decodeWords } from 'postal-mime';

/** A message as received over SMTP. */
export interface ReceivedMail {
  from: string;
  to: string[];
  raw: Buffer;
}

/** The fields that the list shows; the message itself is read from the database when it is opened. */
export interface MailSummary {
  id: number;
  /** ISO 8601 in UTC. */
  receivedAt: string;
  /** Envelope recipients. */
  to: string[];
  /** Envelope sender. */
  sender: string;
  /** The From header, decoded. */
  from: string;
  subject: string;
  messageId: string;
  /** The header X-Postrider-Email. */
  emailId: string;
  /** Bytes. */
  size: number;
}

export interface MailPage {
  messages: MailSummary[];
  total: number;
  /** Pass it as `before` to get the next older page; null on the last page. */
  nextBefore: number | null;
}

export interface MailQuery {
  limit: number;
  before?: number;
  /** Only messages that arrived after the one with this id. */
  after?: number;
  search?: string;
  /** Exact address of a recipient, in any case. */
  to?: string;
}

export interface MailboxStore {
  /** Resolves when the message is in the database file, where it survives a killed process. */
  add(mail: ReceivedMail): Promise<void>;
  list(query: MailQuery): MailPage;
  get(id: number): (MailSummary & { raw: Buffer }) | undefined;
  /** Resolves with the next message that is stored, or when the signal aborts. */
  arrival(signal: AbortSignal): Promise<void>;
  clear(): void;
  close(): void;
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    received_at INTEGER NOT NULL,
    sender TEXT NOT NULL,
    recipients TEXT NOT NULL,
    from_header TEXT NOT NULL,
    subject TEXT NOT NULL,
    message_id TEXT NOT NULL,
    email_id TEXT NOT NULL,
    size INTEGER NOT NULL,
    search TEXT NOT NULL,
    raw BLOB NOT NULL
  );
`;

const SUMMARY = 'id, received_at, sender, recipients, from_header, subject, message_id, email_id, size';

/** Opens the mailbox of a folder, kept in one SQLite file. */
export function openMailboxStore(folder: string): MailboxStore {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'mailbox.db'));
  database.exec(SCHEMA);
  const insert = database.prepare(
    `INSERT INTO message (received_at, sender, recipients, from_header, subject, message_id, email_id, size, search, raw)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = database.prepare(`SELECT ${SUMMARY}, raw FROM message WHERE id = ?`);
  let arrivals = new Set<() => void>();
  let waiting: { mail: ReceivedMail; resolve(): void; reject(error: unknown): void }[] = [];

  // All messages that arrive in one turn of the event loop share a transaction; one per message would cost ten times as much.
  const flush = () => {
    const batch = waiting;
    waiting = [];
    try {
      database.exec('BEGIN');
      for (const { mail } of batch) insert.run(...row(mail));
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { resolve } of batch) resolve();
    const woken = arrivals;
    arrivals = new Set();
    for (const wake of woken) wake();
  };

  return {
    add(mail) {
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ mail, resolve, reject });
      });
    },
    list({ limit, before, after, search, to }) {
      const pattern = `%${escapeLike((search ?? '').trim().toLowerCase())}%`;
      const newest = before ?? Number.MAX_SAFE_INTEGER;
      const matches = `id > ? AND search LIKE ? ESCAPE '\\' AND (? IS NULL OR EXISTS (
        SELECT 1 FROM json_each(recipients) r WHERE lower(r.value) = ?))`;
      const address = to?.trim().toLowerCase() ?? null;
      const match = [after ?? 0, pattern, address, address];
      const rows = database
        .prepare(`SELECT ${SUMMARY} FROM message WHERE id < ? AND ${matches} ORDER BY id DESC LIMIT ?`)
        .all(newest, ...match, limit + 1);
      const counted = database
        .prepare(`SELECT count(*) AS total FROM message WHERE ${matches}`)
        .get(...match);
      const messages = rows.slice(0, limit).map(toSummary);
      return {
        messages,
        total: Number(counted?.total ?? 0),
        nextBefore: rows.length > limit ? (messages.at(-1)?.id ?? null) : null,
      };
    },
    get(id) {
      const found = select.get(id);
      if (!found) return undefined;
      return { ...toSummary(found), raw: Buffer.from(found.raw as Uint8Array) };
    },
    arrival: (signal) =>
      new Promise((resolve) => {
        const wake = () => {
          arrivals.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        if (signal.aborted) return resolve();
        arrivals.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      }),
    clear: () => database.exec('DELETE FROM message'),
    close() {
      if (waiting.length > 0) flush();
      database.close();
    },
  };
}

function row({ from, to, raw }: ReceivedMail): (string | number | Uint8Array)[] {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.toString('utf8', 0, end === -1 ? raw.length : end).replaceAll(/\r\n[ \t]+/g, ' ');
  const fromHeader = header(head, /^from:(.*)$/im);
  const subject = header(head, /^subject:(.*)$/im);
  const messageId = header(head, /^message-id:(.*)$/im);
  const emailId = header(head, /^x-postrider-email:(.*)$/im);
  const search = [from, ...to, fromHeader, header(head, /^to:(.*)$/im), subject, messageId, emailId]
    .join('\n')
    .toLowerCase();
  return [
    Date.now(),
    from,
    JSON.stringify(to),
    fromHeader,
    subject,
    messageId,
    emailId,
    raw.length,
    search,
    raw,
  ];
}

function header(head: string, pattern: RegExp): string {
  const value = pattern.exec(head)?.[1]?.trim() ?? '';
  return value.includes('=?') ? decodeWords(value) : value;
}

function toSummary(found: Record<string, unknown>): MailSummary {
  return {
    id: Number(found.id),
    receivedAt: new Date(Number(found.received_at)).toISOString(),
    to: JSON.parse(String(found.recipients)) as string[],
    sender: String(found.sender),
    from: String(found.from_header),
    subject: String(found.subject),
    messageId: String(found.message_id),
    emailId: String(found.email_id),
    size: Number(found.size),
  };
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
