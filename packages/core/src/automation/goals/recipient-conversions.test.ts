import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import {
  createCampaign,
  duplicateCampaign,
  getCampaign,
  preflightDraft,
  updateCampaign,
} from '../campaigns/index.ts';
import { dispatchBatch } from '../workflows/index.ts';
import { createGoal, deleteGoal, sweepGoals, updateGoal } from './index.ts';

let test: TestServices;
let project: TestProject;
let goalId: string;
let campaignId: string;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
  goalId = await goalOf();
  campaignId = await campaignOf({ goalId });
});

const prisma = () => test.services.database.prisma;
const dayMs = 86_400_000;

const goalOf = async (given: object = {}): Promise<string> => {
  const value = { property: 'amount', currency: 'EUR' };
  const goal = { name: 'Purchase', eventName: 'order.paid', value, ...given };
  const { id } = (await createGoal.runRaw(project.ctx, goal)) as { id: string };
  return id;
};

const content = { subject: 'S', body: '<p>B</p>', from: 'a@shop.test' };
const fieldsOf = (given: object = {}) => ({ name: 'Spring', ...content, audienceType: 'ALL', ...given });
const campaignOf = async (given: object = {}): Promise<string> => {
  const { id } = (await createCampaign.runRaw(project.ctx, fieldsOf(given))) as { id: string };
  return id;
};
const statusIs = (id: string, status: 'SENT' | 'SENDING') =>
  prisma().campaign.update({ where: { id }, data: { status } });

async function contactOf(): Promise<string> {
  const id = newId();
  await prisma().contact.create({ data: { id, projectId: project.id, email: `${id}@people.test` } });
  return id;
}

async function emailTo(contactId: string, given: object = {}): Promise<string> {
  const id = newId();
  await prisma().email.create({
    data: {
      id,
      ...{
        projectId: project.id,
        contactId,
        to: `${id}@people.test`,
        toHash: Uint8Array.from(Buffer.from(id)),
      },
      ...{ type: 'MARKETING', contentId: newId(), sourceType: 'CAMPAIGN', status: 'SENT', campaignId },
      ...{ sentAt: new Date(Date.now() - dayMs), createdAt: new Date(Date.now() - 40 * dayMs) },
      ...given,
    },
  });
  return id;
}

async function happens(contactId: string, data: object = {}, more: object = {}): Promise<void> {
  await prisma().event.create({
    data: { id: newId(), projectId: project.id, contactId, name: 'order.paid', data, ...more },
  });
  while ((await dispatchBatch(test.services, project.id)).taken > 0);
}

const converted = () =>
  prisma().recipientConversion.findMany({ where: { projectId: project.id }, orderBy: { at: 'asc' } });

it('the email of a campaign with the goal converts by what its contact does, touched or not, once with all events', async () => {
  const contactId = await contactOf();
  const emailId = await emailTo(contactId);
  await happens(contactId, { amount: 0.1 });
  await happens(contactId, { amount: 0.2 });
  await happens(contactId);
  expect(await converted()).toMatchObject([
    { goalId, emailId, campaignId, heldOut: false, conversions: 3, value: 0.3 },
  ]);
  expect(await getCampaign.run(project.ctx, { id: campaignId })).toMatchObject({
    ...{ goalId, convertedCount: 1, convertedValue: 0.3 },
  });
});

it('an event counts from the moment of sending to the end of the window', async () => {
  const at = new Date();
  const before = (ms: number) => new Date(at.getTime() - ms);
  const cases = [
    [before(0), true],
    [before(7 * dayMs), true],
    [before(7 * dayMs + 1), false],
    [before(-1), false],
  ] as const;
  const ids: string[] = [];
  for (const [sentAt, counts] of cases) {
    const contactId = await contactOf();
    const emailId = await emailTo(contactId, { sentAt });
    if (counts) ids.push(emailId);
    await happens(contactId, {}, { createdAt: at });
  }
  expect((await converted()).map(({ emailId }) => emailId).toSorted()).toEqual(ids.toSorted());
});

it('who was held out converts from then on when the email would have been due; who was skipped otherwise does not', async () => {
  const skipped = { status: 'SKIPPED', sentAt: null, createdAt: new Date(Date.now() - dayMs) };
  const [heldOut, unsubscribed] = [await contactOf(), await contactOf()];
  const emailId = await emailTo(heldOut, { ...skipped, reason: 'held_out' });
  await emailTo(unsubscribed, { ...skipped, reason: 'unsubscribed' });
  for (const contactId of [heldOut, unsubscribed]) await happens(contactId, { amount: 5 });
  expect(await converted()).toMatchObject([{ emailId, heldOut: true, conversions: 1 }]);
  expect(await getCampaign.run(project.ctx, { id: campaignId })).toMatchObject({
    ...{ convertedCount: 0, convertedValue: 0 },
  });
});

it('campaigns without the goal, and other projects, are not concerned', async () => {
  const contactId = await contactOf();
  await emailTo(contactId, { campaignId: await campaignOf() });
  await emailTo(contactId, { campaignId: await campaignOf({ goalId: await goalOf({ name: 'Other' }) }) });
  await emailTo(contactId, { campaignId: null, sourceType: 'TRANSACTIONAL' });
  await happens(contactId);
  // The other goal counts the same event.
  expect((await converted()).filter((row) => row.goalId === goalId)).toEqual([]);
  expect(await converted()).toHaveLength(1);
});

it('values that no double holds together are the largest one', async () => {
  const contactId = await contactOf();
  await emailTo(contactId);
  for (let n = 0; n < 3; n += 1) await happens(contactId, { amount: 1e308 });
  expect(await converted()).toMatchObject([{ conversions: 3, value: Number.MAX_VALUE }]);
});

it('a goal that a campaign names which is not finished is neither archived nor deleted; then its conversions go with it', async () => {
  const used = {
    code: 'CONFLICT',
    details: { usedBy: { campaigns: [expect.objectContaining({ id: campaignId, name: 'Spring' })] } },
  };
  await expect(deleteGoal.run(project.ctx, { id: goalId })).rejects.toMatchObject(used);
  await expect(updateGoal.run(project.ctx, { id: goalId, archived: true })).rejects.toMatchObject(used);
  const contactId = await contactOf();
  await emailTo(contactId);
  await happens(contactId);
  await statusIs(campaignId, 'SENT');
  await deleteGoal.run(project.ctx, { id: goalId });
  for (let left = 1; left > 0; ) left = await sweepGoals(test.services, new Date(), 1);
  expect(await converted()).toEqual([]);
  expect(await getCampaign.run(project.ctx, { id: campaignId })).toMatchObject({
    ...{ convertedCount: null, convertedValue: null },
  });
  expect(await duplicateCampaign.run(project.ctx, { id: campaignId })).toMatchObject({ goalId: null });
});

it('a campaign keeps its goal when it is copied, and loses it when it is replaced without one', async () => {
  expect(await duplicateCampaign.run(project.ctx, { id: campaignId })).toMatchObject({ goalId });
  const replaced = await updateCampaign.runRaw(project.ctx, { id: campaignId, ...fieldsOf() });
  expect(replaced).toMatchObject({ goalId: null, convertedCount: null });
});

it('a goal that is unknown, archived, or of another project is refused', async () => {
  const archived = await goalOf({ name: 'Archived' });
  await updateGoal.run(project.ctx, { id: archived, archived: true });
  const other = await createTestProject(test.services);
  const theirs = await createGoal.runRaw(other.ctx, { name: 'Theirs', eventName: 'order.paid' });
  const refused = {
    code: 'VALIDATION_ERROR',
    errors: [expect.objectContaining({ field: 'goalId', code: 'unknown_reference' })],
  };
  for (const unknown of [newId(), archived, (theirs as { id: string }).id]) {
    const given = fieldsOf({ goalId: unknown });
    await expect(createCampaign.runRaw(project.ctx, given)).rejects.toMatchObject(refused);
    await expect(preflightDraft.runRaw(project.ctx, given)).rejects.toMatchObject(refused);
  }
});
