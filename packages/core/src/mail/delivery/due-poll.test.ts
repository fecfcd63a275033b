import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitingMail } from '../../testing/index.ts';
import { openTestLedger, type TestLedger } from '../ledger/ledger.fixture.ts';
import { DatabaseWatch } from './database-watch.ts';
import { DuePoll } from './due-poll.ts';
import { LedgerConnection } from './ledger-connection.ts';

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());

it('a poll that reads what an old snapshot keeps has the next ones begin behind it', async () => {
  const project = await ledger.newProject();
  const { prisma } = ledger.test.services.database;
  await waitingMail(ledger.test.services, project.id, { count: 1 });
  await ledger.take(project.id);
  await prisma.$executeRaw`
    INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "nextAttemptAt", "emailIds")
    SELECT uuid7(), ${project.id}::uuid, 1, now() - interval '1 minute', ARRAY[uuid7()] FROM generate_series(1, 20000)`;
  const snapshot = new pg.Client({ connectionString: ledger.test.databaseUrl });
  await snapshot.connect();
  await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await snapshot.query('SELECT count(*) FROM "DeliveryBatch"');
  await prisma.$executeRaw`DELETE FROM "DeliveryBatch" WHERE "priority" = 1 AND "token" IS NULL`;
  await waitingMail(ledger.test.services, project.id, { count: 1 });

  const found: string[] = [];
  const connection = new LedgerConnection(ledger.test.databaseUrl, { asyncCommit: true });
  const watch = new DatabaseWatch(pino({ level: 'silent' }), new AbortController().signal, () => undefined);
  const poll = new DuePoll(connection, watch, 100, (projectId) => found.push(projectId));
  const running = poll.run();
  const places = async () =>
    (await prisma.sendBucket.findUniqueOrThrow({ where: { projectId: project.id } })).claimFrom.length;
  await expect.poll(places, { timeout: 10_000 }).toBeGreaterThan(0);
  const before = found.length;
  await expect.poll(() => found.length, { timeout: 10_000 }).toBeGreaterThan(before);
  expect(new Set(found)).toEqual(new Set([project.id]));
  poll.stop();
  await running;
  await connection.close();
  await snapshot.end();
});
