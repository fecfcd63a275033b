import pg, { type PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { sendingCampaign, type TestProject, waitingMail } from '../../testing/index.ts';
import { claimBatches } from './claim.store.ts';
import { dueProjects, skipGone } from './due.store.ts';
import { openTestLedger, type TestLedger } from './ledger.fixture.ts';

let ledger: TestLedger;
let project: TestProject;
/** A snapshot from before what is claimed below: while it is held, the index keeps the entries of what is gone. */
let snapshot: pg.Client;

beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  project = await ledger.newProject();
  snapshot = new pg.Client({ connectionString: ledger.test.databaseUrl });
  await snapshot.connect();
  return () => snapshot.end();
});

const prisma = () => ledger.test.services.database.prisma;

/** Batches that were due and are gone, of which entries stay. */
async function leaveGone(count: number, priority: number): Promise<void> {
  await prisma().$executeRaw`
    INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "nextAttemptAt", "emailIds")
    SELECT uuid7(), ${project.id}::uuid, ${priority}::int, now() - interval '1 minute', ARRAY[uuid7()] FROM generate_series(1, ${count}::int)`;
  await snapshot.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await snapshot.query('SELECT count(*) FROM "DeliveryBatch"');
  await prisma()
    .$executeRaw`DELETE FROM "DeliveryBatch" WHERE "projectId" = ${project.id}::uuid AND "priority" = ${priority}::int`;
}

/** Entries of the index of waiting batches that `run` reads. */
const reads = (run: (client: PoolClient) => Promise<unknown>) =>
  ledger.use(async (client) => {
    await client.query('BEGIN');
    await run(client);
    const { rows } = await client.query<{ count: string }>(
      `SELECT pg_stat_get_xact_tuples_returned('"DeliveryBatch_waiting"'::regclass) AS count`,
    );
    await client.query('COMMIT');
    return Number(rows[0]?.count);
  });

const due = () => ledger.use((client) => dueProjects(client, 100));
const skip = () => ledger.use(skipGone);
const idsOf = (held: { emails: { id: string }[] }[]) =>
  held.flatMap(({ emails }) => emails.map(({ id }) => id));

/** As if the ten seconds were over. */
const forget = () =>
  prisma().sendBucket.updateMany({ where: { projectId: project.id }, data: { claimFromUntil: new Date() } });

it('what is gone while a snapshot is held is walked once, and not by every claim', async () => {
  await waitingMail(ledger.test.services, project.id, { count: 1 });
  await ledger.take(project.id);
  await leaveGone(20_000, 1);
  const [first] = await waitingMail(ledger.test.services, project.id, { count: 1 });
  expect((await due()).readsGone).toBe(true);
  await skip();
  const after = await due();
  expect(after).toMatchObject({
    readsGone: false,
    projects: [{ projectId: project.id, direct: true, bulk: false }],
  });
  const taken: string[] = [];
  const claim = (client: PoolClient, kind: 'direct' | 'bulk') =>
    claimBatches(client, {
      projects: [{ projectId: project.id, maxEmails: 100 }],
      kind,
      ...{ token: newId(), worker: 'test', leaseMs: 60_000, defaultRate: 1_000 },
    });
  const read = await reads(async (client) => {
    await claim(client, 'bulk');
    taken.push(...(await claim(client, 'direct')).batches.map(({ id }) => id));
    await claim(client, 'direct');
    await dueProjects(client, 100);
  });
  expect(taken).toEqual([first?.batchId]);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(1_000);
  // Nothing waits, which is found out without a walk, too.
  expect(await due()).toMatchObject({ readsGone: false, projects: [] });
});

it('what the campaigns of a project have left is in the way of none of its other email', async () => {
  await waitingMail(ledger.test.services, project.id, { count: 1 });
  await ledger.take(project.id);
  await leaveGone(20_000, 4);
  expect((await due()).readsGone).toBe(true);
  await skip();
  const campaignId = await sendingCampaign(ledger.test.services, project.id);
  const bulk = await waitingMail(ledger.test.services, project.id, { count: 3, campaignId });
  expect((await due()).projects).toEqual([{ projectId: project.id, direct: false, bulk: true }]);
  expect(idsOf(await ledger.take(project.id, { kind: 'bulk' })).toSorted()).toEqual(
    bulk.map(({ id }) => id).toSorted(),
  );
});

it('a project whose email is gone hides no project after it', async () => {
  await waitingMail(ledger.test.services, project.id, { count: 1 });
  await ledger.take(project.id);
  await leaveGone(20_000, 1);
  await skip();
  const others = await Promise.all([ledger.newProject(), ledger.newProject(), ledger.newProject()]);
  for (const { id } of others) await waitingMail(ledger.test.services, id, { count: 1 });
  const found = (await due()).projects.map(({ projectId }) => projectId);
  expect(found.toSorted()).toEqual(others.map(({ id }) => id).toSorted());
  for (const { id } of others) expect((await ledger.take(id)).length).toBe(1);
});

it('what becomes due behind a place is claimed after ten seconds at most', async () => {
  await waitingMail(ledger.test.services, project.id, { count: 1 });
  await ledger.take(project.id);
  await skip();
  const bucket = () => prisma().sendBucket.findUniqueOrThrow({ where: { projectId: project.id } });
  const until = (await bucket()).claimFromUntil?.getTime() ?? 0;
  expect(until).toBeGreaterThan(Date.now() + 5_000);
  expect(until).toBeLessThan(Date.now() + 11_000);
  const [late] = await waitingMail(ledger.test.services, project.id, { count: 1 });
  await prisma().deliveryBatch.update({
    where: { id: late?.batchId ?? '' },
    data: { nextAttemptAt: new Date(Date.now() - 60_000) },
  });
  expect(await ledger.take(project.id)).toEqual([]);
  expect((await due()).projects).toEqual([]);
  // A place is not moved for longer by another call.
  await skip();
  expect((await bucket()).claimFromUntil?.getTime()).toBe(until);
  await forget();
  expect((await due()).projects.length).toBe(1);
  expect(idsOf(await ledger.take(project.id))).toEqual([late?.id]);
});

it('a place of a clock that has been set back since is not used', async () => {
  await waitingMail(ledger.test.services, project.id, { count: 1 });
  await ledger.take(project.id);
  await prisma().sendBucket.update({
    where: { projectId: project.id },
    data: {
      claimFrom: Array.from({ length: 10 }, () => new Date(Date.now() + 3_600_000)),
      claimFromUntil: new Date(Date.now() + 3_600_000),
    },
  });
  const [email] = await waitingMail(ledger.test.services, project.id, { count: 1 });
  expect((await due()).projects.length).toBe(1);
  expect(idsOf(await ledger.take(project.id))).toEqual([email?.id]);
});

it('a retry that is due later is claimed when its time comes', async () => {
  const [email] = await waitingMail(ledger.test.services, project.id, { count: 1 });
  await ledger.take(project.id, { maxEmails: 0 });
  await prisma().deliveryBatch.update({
    where: { id: email?.batchId ?? '' },
    data: { again: true, nextAttemptAt: new Date(Date.now() + 400) },
  });
  await skip();
  await expect
    .poll(async () => idsOf(await ledger.take(project.id)), { timeout: 5_000 })
    .toEqual([email?.id]);
});
