import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { lastMigration, version } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  waitingMail,
} from '../../testing/index.ts';
import { applyRestore, findFaults, type InFlight, proveSent, sendRest } from './index.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;
const minute = 60_000;
const add = (options: Parameters<typeof waitingMail>[2]) => waitingMail(test.services, project.id, options);
const emailOf = (id: string) => prisma().email.findUniqueOrThrow({ where: { id } });

/** As `restore` does with what it has read from a backup, which has no row of the installation. */
async function restore({
  aheadMs = 0,
  inFlight = 'uncertain',
}: {
  aheadMs?: number;
  inFlight?: InFlight;
} = {}) {
  await prisma().installation.deleteMany();
  const dataUntil = new Date(Date.now() - minute);
  const lostUntil = new Date(Date.now() + aheadMs);
  return applyRestore(test.services.database, { dataUntil, lostUntil, inFlight });
}

it('an email that waits for its automatic second attempt gets none: the old state may have made it', async () => {
  const [email] = await add({ count: 1 });
  const { id = '', batchId = '' } = email ?? {};
  await prisma().email.update({
    where: { id },
    data: { status: 'UNCERTAIN', autoResent: true, uncertainAt: new Date(), attempts: 1, error: 'No answer' },
  });
  await prisma().deliveryBatch.update({ where: { id: batchId }, data: { again: true } });
  expect((await restore()).counts).toMatchObject({ mayHaveLeft: 1 });
  expect(await emailOf(id)).toMatchObject({ status: 'UNCERTAIN', batchId: null });
  expect(await prisma().deliveryBatch.count({ where: { projectId: project.id } })).toBe(0);
});

it('the installation that a restore begins has the schema that its database has', async () => {
  await restore();
  expect(await prisma().installation.findMany()).toMatchObject([
    { schema: await lastMigration(), version, minVersion: null },
  ]);
});

it('the span ends when it is said to: what is due after it waits', async () => {
  const [email] = await add({ count: 1 });
  const data = { nextAttemptAt: new Date(Date.now() + minute) };
  await prisma().deliveryBatch.update({ where: { id: email?.batchId ?? '' }, data });
  await restore();
  expect(await emailOf(email?.id ?? '')).toMatchObject({ status: 'PENDING' });
  await restore({ aheadMs: 2 * minute });
  expect(await emailOf(email?.id ?? '')).toMatchObject({ status: 'UNCERTAIN' });
});

it('a retry of a campaign that went on ends', async () => {
  const id = await sendingCampaign(test.services, project.id);
  await prisma().campaign.update({
    where: { id },
    data: { retryBefore: new Date(), retryStatuses: ['FAILED'] },
  });
  await restore();
  expect(await prisma().campaign.findUniqueOrThrow({ where: { id } })).toMatchObject({
    ...{ status: 'SENDING', retryBefore: null, retryStatuses: [] },
  });
});

it('each restore begins an epoch of its own', async () => {
  const { epoch } = await restore();
  expect((await restore()).epoch).toBe(epoch + 1);
  expect(await prisma().installation.findMany()).toMatchObject([{ id: 1, epoch: epoch + 1, hold: 'all' }]);
});

it('emails that did not leave wait again in batches of their campaign, which is open again, and are counted once', async () => {
  const campaignId = await sendingCampaign(test.services, project.id);
  const emails = await add({ count: 4, campaignId });
  await prisma().campaign.update({ where: { id: campaignId }, data: { totalRecipients: 4 } });
  await restore();
  await prisma().campaign.update({
    where: { id: campaignId },
    data: { status: 'SENT', closedAt: new Date() },
  });
  const [left, ...rest] = emails.map(({ id }) => id);
  const lost = newId();
  expect(await proveSent(test.services, [left ?? '', lost])).toEqual({ sent: 1, unknown: [lost] });
  expect(await sendRest(test.services)).toBe(3);
  expect(await sendRest(test.services)).toBe(0);
  expect(await prisma().deliveryBatch.findMany({ where: { campaignId } })).toMatchObject([
    { emailIds: rest, priority: 4 },
  ]);
  expect(await prisma().campaign.findUniqueOrThrow({ where: { id: campaignId } })).toMatchObject({
    ...{ status: 'SENDING', closedAt: null },
  });
  const counter = await prisma().campaignCounter.findUniqueOrThrow({ where: { campaignId } });
  expect(counter).toMatchObject({ sentCount: 1, uncertainCount: 0 });
  expect(await findFaults(test.services.database)).toEqual([]);
});

it('emails of campaigns with the same content wait again in batches of their own campaign', async () => {
  const first = await sendingCampaign(test.services, project.id);
  const second = await sendingCampaign(test.services, project.id);
  const [ofFirst, ofSecond] = [
    await add({ count: 2, campaignId: first }),
    await add({ count: 2, campaignId: second }),
  ];
  const [{ contentId } = { contentId: '' }] = await prisma().email.findMany({ where: { campaignId: first } });
  await prisma().email.updateMany({ where: { campaignId: second }, data: { contentId } });
  await restore();
  await sendRest(test.services);
  for (const [campaignId, emails] of [[first, ofFirst] as const, [second, ofSecond] as const])
    expect(await prisma().deliveryBatch.findMany({ where: { campaignId } })).toMatchObject([
      { emailIds: emails.map(({ id }) => id) },
    ]);
  expect(await findFaults(test.services.database)).toEqual([]);
});

it('emails from a domain that is gone wait again together, and fail for that', async () => {
  const campaignId = await sendingCampaign(test.services, project.id);
  await add({ count: 3, campaignId });
  await restore();
  await prisma().domain.deleteMany({ where: { projectId: project.id } });
  await sendRest(test.services);
  expect(await prisma().deliveryBatch.count({ where: { campaignId } })).toBe(1);
});

it('what was claimed when the data was saved goes on, and no claim of it counts any more', async () => {
  const id = newId();
  await prisma().webhookDelivery.create({
    data: { id, projectId: project.id, endpointId: newId(), type: 'email.sent', data: {}, token: newId() },
  });
  await restore();
  expect(await prisma().webhookDelivery.findUniqueOrThrow({ where: { id } })).toMatchObject({
    ...{ token: null, claimedUntil: null, status: 'PENDING' },
  });
});

it('contacts do not enter by what happened in the span', async () => {
  const [day, source, later] = [newId(), newId(), newId()];
  const at = new Date(Date.now() - 1_000);
  const workflowId = newId();
  const row = { workflowId, projectId: project.id };
  await prisma().workflowDue.createMany({
    data: [
      { ...row, contactId: day, at, day: at },
      { ...row, contactId: source, at, source: 'form' },
      { ...row, contactId: later, at: new Date(Date.now() + minute), day: at },
    ],
  });
  expect((await restore()).counts).toMatchObject({ entries: 2 });
  const rows = await prisma().workflowDue.findMany({ where: { workflowId } });
  expect(rows.map(({ contactId, day: occurrence }) => [contactId, occurrence === null]).sort()).toEqual(
    [
      [day, true],
      [later, false],
    ].sort(),
  );
});
