import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendingCampaign, waitingMail } from '../../testing/index.ts';
import { openTestLedger, type TestLedger } from '../ledger/ledger.fixture.ts';
import type { Reaped } from '../ledger/reap.store.ts';
import { DatabaseWatch } from './database-watch.ts';
import { LedgerConnection } from './ledger-connection.ts';
import { Reaper } from './reaper.ts';

const log = pino({ level: 'silent' });

let ledger: TestLedger;
let connection: LedgerConnection;

beforeAll(async () => {
  ledger = await openTestLedger();
  connection = new LedgerConnection(ledger.test.databaseUrl, { asyncCommit: true });
});
afterAll(async () => {
  await connection.close();
  await ledger.close();
});

const prisma = () => ledger.test.services.database.prisma;

async function expiredBatch() {
  const { id: projectId } = await ledger.newProject();
  const campaignId = await sendingCampaign(ledger.test.services, projectId);
  await waitingMail(ledger.test.services, projectId, { count: 2, campaignId });
  const [held] = await ledger.take(projectId, { kind: 'bulk' });
  if (!held) throw new Error('nothing was claimed');
  await held.begin(...held.emails);
  held.answer(0, { outcome: 'sent' });
  held.answer(1, { outcome: 'failed', error: '550' });
  await held.record();
  await ledger.expire(held);
  return held;
}

it('a batch that cannot be written does not keep the others from ending, and is tried again later', async () => {
  const [first, culprit, last] = [await expiredBatch(), await expiredBatch(), await expiredBatch()];
  await prisma().$executeRaw`
    UPDATE "DeliveryBatch" SET "results" = '{"1": {"outcome": "retry", "waitMs": "soon"}}' WHERE "id" = ${culprit.id}::uuid`;
  const watch = new DatabaseWatch(log, new AbortController().signal, () => undefined);
  const ended: number[] = [];
  const reaper = new Reaper(connection, watch, -1, ({ batches }) => ended.push(batches), log);

  await reaper.reap();

  expect(ended.reduce((sum, batches) => sum + batches, 0)).toBe(2);
  const left = await prisma().deliveryBatch.findMany();
  expect(left.map(({ id }) => id)).toEqual([culprit.id]);
  expect(left[0]?.leaseUntil?.getTime()).toBeGreaterThan(Date.now() + 60_000);
  const ids = [first, last].flatMap(({ emails }) => emails.map(({ id }) => id));
  const emails = await prisma().email.findMany({ where: { id: { in: ids } } });
  expect(emails.map(({ status }) => status).sort()).toEqual(['FAILED', 'FAILED', 'SENT', 'SENT']);

  await prisma().$executeRaw`UPDATE "DeliveryBatch" SET "results" = '{}'`;
  await ledger.expire(culprit);
  await reaper.reap();
  expect(await prisma().deliveryBatch.count()).toBe(0);
});

it('batches that take too long together are ended in parts', async () => {
  const held = [];
  for (let n = 0; n < 5; n += 1) held.push(await expiredBatch());
  // As the limit of a statement's time does it, without the time.
  await prisma().$executeRawUnsafe(`
    CREATE FUNCTION take_too_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM after) > 4 THEN RAISE EXCEPTION 'canceling statement' USING ERRCODE = '57014'; END IF; RETURN NULL;
    END $$`);
  await prisma().$executeRawUnsafe(`
    CREATE TRIGGER take_too_long AFTER UPDATE ON "Email" REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION take_too_long()`);
  const watch = new DatabaseWatch(log, new AbortController().signal, () => undefined);
  const ended: number[] = [];
  await new Reaper(connection, watch, -1, ({ batches }) => ended.push(batches), log).reap();
  expect(ended.reduce((sum, batches) => sum + batches, 0)).toBe(5);
  expect(Math.max(...ended)).toBeLessThanOrEqual(2);
  const ids = held.flatMap(({ emails }) => emails.map(({ id }) => id));
  expect(await prisma().email.count({ where: { id: { in: ids }, status: { in: ['SENT', 'FAILED'] } } })).toBe(
    10,
  );
});

it('the batches of a process that is known to be gone end at once, also right after an outage; those of others do not', async () => {
  const { id: projectId } = await ledger.newProject();
  const hold = async (worker: string) => {
    await waitingMail(ledger.test.services, projectId, { count: 3 });
    const [held] = await ledger.take(projectId, { worker });
    if (!held) throw new Error('nothing was claimed');
    return held;
  };
  const gone = await hold('host:1:gone:direct');
  await hold('host:2:alive:direct');
  const [first] = gone.emails;
  if (!first) throw new Error('nothing was claimed');
  await gone.begin(first);
  const watch = new DatabaseWatch(log, new AbortController().signal, () => undefined);
  const reaped: Pick<Reaped, 'batches' | 'givenBack' | 'uncertain'>[] = [];
  const reaper = new Reaper(connection, watch, 600_000, (each) => reaped.push(each), log);
  await reaper.reap();
  expect(reaped).toEqual([]);

  await reaper.takeOver(['host:1:gone:direct', 'host:1:gone:bulk']);
  expect(reaped).toMatchObject([{ batches: 3, givenBack: 2, uncertain: 1 }]);
  const held = await prisma().deliveryBatch.findMany({ where: { projectId, token: { not: null } } });
  expect(held.map(({ worker }) => worker)).toEqual(Array(3).fill('host:2:alive:direct'));
});
