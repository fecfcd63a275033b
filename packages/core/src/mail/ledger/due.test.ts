import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendingCampaign, waitingMail } from '../../testing/index.ts';
import { dueProjects } from './due.store.ts';
import { openTestLedger, type TestLedger } from './ledger.fixture.ts';

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());

const due = (limit = 100) => ledger.use((client) => dueProjects(client, limit));

it('finds due projects, longest due first, whatever waits in them', async () => {
  const { services } = ledger.test;
  const { prisma } = services.database;
  expect(await due()).toEqual({ projects: [], nextInMs: null, readsGone: false });

  const [old, recent, later] = await Promise.all([
    ledger.newProject(),
    ledger.newProject(),
    ledger.newProject(),
  ]);
  await waitingMail(services, old.id, {
    count: 3,
    campaignId: await sendingCampaign(services, old.id),
    batchSize: 1,
  });
  await prisma.deliveryBatch.updateMany({
    where: { projectId: old.id },
    data: { nextAttemptAt: new Date(Date.now() - 60_000) },
  });
  await waitingMail(services, recent.id, { count: 2 });
  await waitingMail(services, later.id, { count: 1 });
  await prisma.deliveryBatch.updateMany({
    where: { projectId: later.id },
    data: { nextAttemptAt: new Date(Date.now() + 60_000) },
  });

  const found = await due();
  expect(found.projects).toEqual([
    { projectId: old.id, direct: false, bulk: true },
    { projectId: recent.id, direct: true, bulk: false },
  ]);
  expect(found.nextInMs).toBeGreaterThan(50_000);
  expect(found.nextInMs).toBeLessThan(61_000);
  expect((await due(1)).projects).toMatchObject([{ projectId: old.id }]);

  await ledger.take(recent.id);
  expect((await due()).projects).toMatchObject([{ projectId: old.id }]);
});

it('what is due does not hide what becomes due after it', async () => {
  const { services } = ledger.test;
  const project = await ledger.newProject();
  const [first, second] = await waitingMail(services, project.id, { count: 2 });
  const at = (batchId = '', ms = 0) =>
    services.database.prisma.deliveryBatch.update({
      where: { id: batchId },
      data: { nextAttemptAt: new Date(Date.now() + ms) },
    });
  await at(first?.batchId, -60_000);
  await at(second?.batchId, 30_000);
  const found = await due();
  expect(found.projects).toContainEqual({ projectId: project.id, direct: true, bulk: false });
  expect(found.nextInMs).toBeGreaterThan(20_000);
  expect(found.nextInMs).toBeLessThan(31_000);
});
