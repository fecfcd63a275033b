import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeServices } from '@postrider/core/adapters';
import { migrate } from '@postrider/core/base/db';
import { readConfig } from '@postrider/core/base/kernel';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import { dataFolder } from '@postrider/local/data-folder';
import { freePort } from '@postrider/local/ports';
import { type Postgres, startPostgres } from '@postrider/local/postgres';
import { strippedFlags } from '@postrider/local/stripped-flags';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { idsOf, loggedIn, submit } from './submission-kit.ts';

/** Crashes under a stream of sends and events, with a PostgreSQL that commits durably. */
const server = fileURLToPath(new URL('../src/server.ts', import.meta.url));
const appSecret = randomBytes(24).toString('hex');
const lanes = 24;

let folder: string;
let postgres: Postgres;
let project: TestProject;
let api: { process: ChildProcess; url: string; submissionPort: number };

beforeAll(async () => {
  folder = await dataFolder(`postrider-test-${process.pid}-`);
  postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  await migrate(postgres.url);
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: postgres.url,
    APP_SECRET: appSecret,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    DNS_SERVERS: '127.0.0.1:1',
  };
  const services = composeServices(readConfig(env), pino({ level: 'silent' }));
  project = await createTestProject(services);
  await verifiedDomain(services, project.id, 'shop.test');
  await services.close();
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  const port = await freePort();
  const submissionPort = await freePort();
  const child = fork(server, [], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      APP_SECRET: appSecret,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      DATABASE_URL: postgres.url,
      PORT: String(port),
      SUBMISSION_PORT: String(submissionPort),
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_MINUTE: '1000000',
    },
    execArgv: strippedFlags(),
    silent: true,
  });
  await once(child, 'message');
  api = { process: child, url: `http://127.0.0.1:${port}`, submissionPort };
});
afterEach(async () => {
  if (api.process.exitCode !== null || api.process.signalCode !== null) return;
  api.process.kill('SIGKILL');
  await once(api.process, 'exit');
});

interface Traffic {
  /** ids of emails and events by address, as answered with 200 */
  emails: Map<string, string>;
  events: Map<string, string>;
  /** ids of emails by address, as answered with 250 by the submission port */
  submitted: Map<string, string>;
  /** Resolves once further sends were answered with 200. */
  answered(more: number): Promise<void>;
  stop(): Promise<void>;
}

/** Sends and tracks without a pause, each request with an address of its own. */
function startTraffic(run: string): Traffic {
  const emails = new Map<string, string>();
  const events = new Map<string, string>();
  const submitted = new Map<string, string>();
  const traffic = { emails, events, submitted };
  let isStopping = false;
  let numbered = 0;
  const post = async (path: string, body: object): Promise<Record<string, unknown> | null> => {
    try {
      const answer = await fetch(`${api.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${path === '/v1/send' ? project.secretKey : project.publicKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      const json = (await answer.json()) as { data?: Record<string, unknown> };
      return answer.status === 200 ? (json.data ?? null) : null;
    } catch {
      return null;
    }
  };
  /** Submits a message by SMTP. @returns the id of its email; null without 250 */
  const submitTo = async (address: string): Promise<string | null> => {
    const client = await loggedIn(api.submissionPort, project.secretKey).catch(() => null);
    const reply = client && (await submit(client, [address], 'From: team@shop.test\r\n\r\nB'));
    client?.end();
    return reply?.startsWith('250') ? (idsOf(reply)[0] ?? null) : null;
  };
  const lane = async (): Promise<void> => {
    while (!isStopping) {
      numbered += 1;
      if (numbered % 5 === 0) {
        const address = `smtp-${run}${numbered}@people.test`;
        const id = await submitTo(address);
        if (id === null) await new Promise((resolve) => setTimeout(resolve, 10));
        else submitted.set(address, id);
        continue;
      }
      const address = `${run}${numbered}@people.test`;
      const isEvent = numbered % 4 === 0;
      const data = await (isEvent
        ? post('/v1/track', { email: address, event: 'clicked', data: { numbered } })
        : post('/v1/send', {
            to: address,
            from: 'team@shop.test',
            subject: 'S',
            body: 'B',
            data: { numbered },
          }));
      if (!data) await new Promise((resolve) => setTimeout(resolve, 10));
      else if (isEvent) events.set(address, String(data['event']));
      else emails.set(address, (data['emails'] as { email: string }[])[0]?.email ?? '');
    }
  };
  const running = Array.from({ length: lanes }, lane);
  return Object.assign(traffic, {
    async answered(more: number) {
      const goal = emails.size + more;
      const deadline = Date.now() + 40_000;
      while (emails.size < goal && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 5));
      expect(emails.size).toBeGreaterThanOrEqual(goal);
    },
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  });
}

/** Every answered request is stored, and every stored one is complete. */
async function expectComplete(run: string, { emails, events, submitted }: Traffic): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const { rows: stored } = await client.query<{ to: string; id: string; isComplete: boolean }>(
      `SELECT e."to", e."id", coalesce(c."email" = e."to" AND c."data" ? 'numbered' AND o."body" = 'B'
         AND e."id" = ANY (d."emailIds") AND e."vars" -> 'numbered' = c."data" -> 'numbered', false) AS "isComplete"
       FROM "Email" e LEFT JOIN "Contact" c ON c."id" = e."contactId" LEFT JOIN "Content" o ON o."id" = e."contentId"
       LEFT JOIN "DeliveryBatch" d ON d."id" = e."batchId" WHERE e."to" LIKE $1`,
      [`${run}%`],
    );
    expect(stored.filter(({ isComplete }) => !isComplete)).toEqual([]);
    const byAddress = new Map(stored.map(({ to, id }) => [to, id]));
    expect(byAddress.size).toBe(stored.length);
    expect([...emails].filter(([address, id]) => byAddress.get(address) !== id)).toEqual([]);

    const { rows: tracked } = await client.query<{ email: string; id: string; isComplete: boolean }>(
      `SELECT c."email", v."id", v."data" = c."data" AS "isComplete" FROM "Event" v JOIN "Contact" c ON c."id" = v."contactId"
       WHERE v."name" = 'clicked' AND c."email" LIKE $1`,
      [`${run}%`],
    );
    expect(tracked.filter(({ isComplete }) => !isComplete)).toEqual([]);
    const eventOf = new Map(tracked.map(({ email, id }) => [email, id]));
    expect([...events].filter(([address, id]) => eventOf.get(address) !== id)).toEqual([]);

    const { rows: messages } = await client.query<{ to: string; id: string; isComplete: boolean }>(
      `SELECT e."to", e."id", coalesce(c."email" = e."to" AND e."id" = ANY (d."emailIds") AND b."size" > 0, false) AS "isComplete"
       FROM "Email" e LEFT JOIN "Contact" c ON c."id" = e."contactId" LEFT JOIN "Content" o ON o."id" = e."contentId"
       LEFT JOIN "DeliveryBatch" d ON d."id" = e."batchId"
       LEFT JOIN "Blob" b ON b."projectId" = e."projectId" AND b."hash" = decode(o."raw" ->> 'blob', 'hex') WHERE e."to" LIKE $1`,
      [`smtp-${run}%`],
    );
    expect(messages.filter(({ isComplete }) => !isComplete)).toEqual([]);
    expect(submitted.size).toBeGreaterThan(0);
    const messageTo = new Map(messages.map(({ to, id }) => [to, id]));
    expect([...submitted].filter(([address, id]) => messageTo.get(address) !== id)).toEqual([]);

    // A contact exists only with the email or event that it was created for.
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int FROM "Contact" WHERE "email" LIKE $1`,
      [`${run}%`],
    );
    expect(rows[0]?.count).toBe(stored.length + tracked.length);
  } finally {
    await client.end();
  }
}

it('the api process is killed: every answered request is stored, every stored one is complete', async () => {
  const traffic = startTraffic('kill');
  await traffic.answered(200);
  api.process.kill('SIGKILL');
  await once(api.process, 'exit');
  await traffic.stop();
  await expectComplete('kill', traffic);
});

it.each([
  ['is restarted', 'restart', () => postgres.restart()],
  ['crashes', 'crash', () => postgres.kill().then(() => postgres.start())],
])(
  'PostgreSQL %s: requests wait or fail until it is back, and no answered one is lost',
  async (_what, run, strike) => {
    const traffic = startTraffic(run);
    await traffic.answered(200);
    await strike();
    await traffic.answered(200);
    await traffic.stop();
    await expectComplete(run, traffic);
  },
);
