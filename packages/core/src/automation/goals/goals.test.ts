import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { createEndpoint } from '../../insight/webhook-endpoints/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { createWorkflow, dispatchBatch, updateWorkflow } from '../workflows/index.ts';
import { createGoal, deleteGoal, getGoal, listGoals, sweepGoals, updateGoal } from './index.ts';

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
const create = (given: object = {}) =>
  createGoal.runRaw(project.ctx, {
    name: 'Purchase',
    eventName: 'order.paid',
    ...given,
  }) as ReturnType<typeof createGoal.run>;
const purchase = { value: { property: 'amount', currency: 'EUR' } };

async function contactOf(): Promise<string> {
  const id = newId();
  await prisma().contact.create({ data: { id, projectId: project.id, email: `${id}@people.test` } });
  return id;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** An event that happens after everything that was planted before. */
async function happens(contactId: string, data: object = {}, more: object = {}): Promise<string> {
  const id = newId();
  await prisma().event.create({
    data: { id, projectId: project.id, contactId, name: 'order.paid', data, ...more },
  });
  while ((await dispatchBatch(test.services, project.id)).taken > 0);
  return id;
}

const conversions = () => prisma().conversion.findMany({ where: { projectId: project.id } });
const only = async () => {
  const [first, ...others] = await conversions();
  expect(others).toEqual([]);
  return first;
};

async function emailTo(contactId: string, given: object = {}): Promise<string> {
  const id = newId();
  await prisma().email.create({
    data: {
      id,
      ...{ projectId: project.id, contactId, to: 'a@people.test', type: 'MARKETING', contentId: newId() },
      ...{ sourceType: 'CAMPAIGN', status: 'SENT', createdAt: new Date(Date.now() - 40 * dayMs) },
      ...given,
    },
  });
  return id;
}

describe('a goal', () => {
  it('is created with its defaults, listed and read', async () => {
    const goal = await create();
    expect(goal).toMatchObject({
      ...{ name: 'Purchase', eventName: 'order.paid', where: [], value: null },
      ...{ attribution: 'CLICK', windowDays: 7, archived: false },
    });
    expect((await listGoals.run(project.ctx, { limit: 20 })).data).toEqual([goal]);
    expect(await getGoal.run(project.ctx, { id: goal.id })).toEqual(goal);
  });

  it('has a name that no other goal has that counts', async () => {
    const first = await create();
    await expect(create()).rejects.toMatchObject({ code: 'CONFLICT' });
    await updateGoal.run(project.ctx, { id: first.id, archived: true });
    await create();
    await expect(updateGoal.run(project.ctx, { id: first.id, archived: false })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await createTestProject(test.services).then((other) =>
      createGoal.run(other.ctx, { name: 'Purchase', eventName: 'order.paid' }),
    );
  });

  it('is one of at most 20 that count, also of those that are created at the same time', async () => {
    const made = await Promise.allSettled(
      Array.from({ length: 25 }, (_, n) => create({ name: `Goal ${n}` })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const refused = made.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(['CONFLICT']));
  });

  it.each([
    [{ eventName: 'email.open' }, 'eventName'],
    [{ eventName: '' }, 'eventName'],
    [{ value: { property: 'amount', currency: 'euro' } }, 'value.currency'],
    [{ value: { property: 'amount' } }, 'value.currency'],
    [{ windowDays: 31 }, 'windowDays'],
    [{ where: [{ property: 'plan', operator: 'like', value: 'x' }] }, 'where.0.operator'],
    [{ where: Array.from({ length: 11 }, () => ({ property: 'plan', operator: 'exists' })) }, 'where'],
  ])('%o is refused at %s', async (given, field) => {
    await expect(create(given)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [expect.objectContaining({ field })],
    });
  });

  it('that a workflow uses is neither deleted nor archived, and the workflow is named', async () => {
    const goal = await create();
    const { id } = await createWorkflow.run(project.ctx, { name: 'Onboarding', eventName: 'signup' });
    await updateWorkflow.run(project.ctx, { id, goals: [{ goalId: goal.id, effect: 'EXIT' }] });
    const used = { code: 'CONFLICT', details: { usedBy: { workflows: [{ id, name: 'Onboarding' }] } } };
    await expect(deleteGoal.run(project.ctx, { id: goal.id })).rejects.toMatchObject(used);
    await expect(updateGoal.run(project.ctx, { id: goal.id, archived: true })).rejects.toMatchObject(used);
    await updateWorkflow.run(project.ctx, { id, goals: [] });
    await deleteGoal.run(project.ctx, { id: goal.id });
    await expect(getGoal.run(project.ctx, { id: goal.id })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });

  it('of another project is unknown', async () => {
    const goal = await create();
    const other = await createTestProject(test.services);
    const unknown = { code: 'RESOURCE_NOT_FOUND' };
    await expect(getGoal.run(other.ctx, { id: goal.id })).rejects.toMatchObject(unknown);
    await expect(updateGoal.run(other.ctx, { id: goal.id, name: 'X' })).rejects.toMatchObject(unknown);
    await expect(deleteGoal.run(other.ctx, { id: goal.id })).rejects.toMatchObject(unknown);
  });

  it('goes with its conversions, which the sweep removes', async () => {
    const goal = await create();
    await happens(await contactOf());
    expect(await conversions()).toHaveLength(1);
    await deleteGoal.run(project.ctx, { id: goal.id });
    for (let left = 1; left > 0; ) left = await sweepGoals(test.services, new Date(), 1);
    expect(await conversions()).toEqual([]);
    expect(await prisma().goal.count({ where: { projectId: project.id } })).toBe(0);
  });
});

describe('an event', () => {
  it('counts once, however many dispatchers there are', async () => {
    await create();
    const contactId = await contactOf();
    await prisma().event.createMany({
      data: Array.from({ length: 700 }, () => ({
        ...{ id: newId(), projectId: project.id, contactId, name: 'order.paid' },
      })),
    });
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while ((await dispatchBatch(test.services, project.id)).taken > 0);
      }),
    );
    expect(await conversions()).toHaveLength(700);
  });

  it('counts for each goal whose conditions it meets', async () => {
    await create({ name: 'Any' });
    const large = await create({
      name: 'Large',
      where: [{ property: 'amount', operator: 'greaterThan', value: 100 }],
    });
    const contactId = await contactOf();
    await happens(contactId, { amount: 99 });
    expect(await conversions()).toHaveLength(1);
    await happens(contactId, { amount: '101' });
    const all = await conversions();
    expect(all).toHaveLength(3);
    expect(all.filter(({ goalId }) => goalId === large.id)).toHaveLength(1);
  });

  it('from before the goal was created, or while it is archived, does not count', async () => {
    const goal = await create();
    const contactId = await contactOf();
    await happens(contactId, {}, { createdAt: new Date(Date.parse(goal.createdAt) - 1) });
    await updateGoal.run(project.ctx, { id: goal.id, archived: true });
    await happens(contactId);
    await updateGoal.run(project.ctx, { id: goal.id, archived: false });
    expect(await conversions()).toEqual([]);
    await happens(contactId);
    expect(await conversions()).toHaveLength(1);
  });

  it('is told to webhook endpoints', async () => {
    await createEndpoint.run(project.ctx, { url: 'https://hooks.example.com/', types: ['goal.converted'] });
    const goal = await create(purchase);
    const contactId = await contactOf();
    await happens(contactId, { amount: 49.9, currency: 'EUR' });
    const told = await prisma().webhookDelivery.findFirstOrThrow({ where: { projectId: project.id } });
    expect(told).toMatchObject({
      type: 'goal.converted',
      data: {
        ...{ goalId: goal.id, goalName: 'Purchase', value: 49.9, currency: 'EUR', emailId: null },
        ...{ campaignId: null, workflowId: null, contact: { id: contactId } },
      },
    });
  });

  it.each([
    [{ amount: 12.5 }, 12.5],
    [{ amount: '12.5' }, 12.5],
    [{ amount: 12.5, currency: 'eur' }, 12.5],
    [{ amount: 12.5, currency: 'USD' }, null],
    [{ amount: 12.5, currency: 7 }, null],
    [{ amount: 12.5, currency: null }, 12.5],
    [{ amount: 'much' }, null],
    [{ amount: '1e400' }, null],
    [{ amount: null }, null],
    [{ amount: [1] }, null],
    [{ amount: true }, null],
    [{ amount: -3 }, -3],
    [{ amount: '' }, null],
    [{}, null],
  ])('%o has the value %s', async (data, value) => {
    await create(purchase);
    await happens(await contactOf(), data);
    expect((await only())?.value).toBe(value);
  });

  it.each([
    ['1e400', null],
    ['-1e400', null],
    ['1e-400', 0],
    ['1.7976931348623157e308', Number.MAX_VALUE],
  ])('a number of JSON that no double holds, %s, fails nothing', async (number, value) => {
    await create(purchase);
    const contactId = await contactOf();
    await prisma().$executeRaw`
      INSERT INTO "Event" ("id", "projectId", "contactId", "kind", "name", "data")
      VALUES (${newId()}::uuid, ${project.id}::uuid, ${contactId}::uuid, 'CUSTOM', 'order.paid', ${`{"amount": ${number}}`}::jsonb)`;
    await dispatchBatch(test.services, project.id);
    expect((await only())?.value).toBe(value);
  });
});

describe('a conversion is credited to', () => {
  const at = new Date();
  const ago = (ms: number) => new Date(at.getTime() - ms);
  const goalFrom = async (given: object = {}) => {
    const goal = await create(given);
    // It counts events from a time on at which the table has its first email.
    await prisma().goal.update({ where: { id: goal.id }, data: { createdAt: ago(100 * dayMs) } });
  };
  const creditOf = async (contactId: string) => {
    await happens(contactId, {}, { createdAt: at });
    return (await only())?.emailId ?? null;
  };

  it.each([
    ['an email clicked at the moment of the event', { clickedAt: at }, true],
    ['an email clicked a millisecond later', { clickedAt: new Date(at.getTime() + 1) }, false],
    ['an email clicked exactly at the start of the window', { clickedAt: ago(7 * dayMs) }, true],
    ['an email clicked a millisecond before the window', { clickedAt: ago(7 * dayMs + 1) }, false],
    ['an email that was only opened', { openedAt: ago(minuteMs) }, false],
    ['an email that was only sent', { sentAt: ago(minuteMs) }, false],
    ['a test email', { clickedAt: ago(minuteMs), sourceType: 'TEST' }, false],
    ['a transactional email', { clickedAt: ago(minuteMs), sourceType: 'TRANSACTIONAL' }, false],
    ['an email of a workflow', { clickedAt: ago(minuteMs), sourceType: 'WORKFLOW' }, true],
    ['an email to another address', { clickedAt: ago(minuteMs), toOther: true }, false],
  ])('%s: %o is %s', async (_, email, isCredited) => {
    await goalFrom();
    const contactId = await contactOf();
    const id = await emailTo(contactId, email);
    expect(await creditOf(contactId)).toBe(isCredited ? id : null);
  });

  it.each([
    ['OPEN', { openedAt: ago(minuteMs) }],
    ['SENT', { sentAt: ago(minuteMs) }],
  ])('the touch that the goal names, %s', async (attribution, email) => {
    await goalFrom({ attribution });
    const contactId = await contactOf();
    const id = await emailTo(contactId, email);
    expect(await creditOf(contactId)).toBe(id);
  });

  it('the latest touch, of equal ones that with the later id', async () => {
    await goalFrom();
    const contactId = await contactOf();
    await emailTo(contactId, { clickedAt: ago(3 * minuteMs) });
    await emailTo(contactId, { clickedAt: ago(2 * minuteMs) });
    const last = await emailTo(contactId, { clickedAt: ago(2 * minuteMs) });
    expect(await creditOf(contactId)).toBe(last);
  });

  it('no email of another contact or project', async () => {
    await goalFrom();
    const contactId = await contactOf();
    await emailTo(await contactOf(), { clickedAt: ago(minuteMs) });
    const other = await createTestProject(test.services);
    await emailTo(contactId, { clickedAt: ago(minuteMs), projectId: other.id });
    expect(await creditOf(contactId)).toBeNull();
  });

  it('the campaign of the email', async () => {
    await goalFrom();
    const contactId = await contactOf();
    const campaignId = newId();
    await emailTo(contactId, { clickedAt: ago(minuteMs), campaignId });
    await creditOf(contactId);
    expect(await only()).toMatchObject({ campaignId, workflowId: null });
  });

  it('the workflow of the email', async () => {
    await goalFrom();
    const contactId = await contactOf();
    const { id: workflowId } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
    const execution = await prisma().workflowExecution.create({
      data: {
        ...{ id: newId(), projectId: project.id, workflowId, contactId },
        status: 'COMPLETED',
        dueAt: null,
      },
    });
    await emailTo(contactId, {
      ...{ clickedAt: ago(minuteMs), sourceType: 'WORKFLOW', workflowExecutionId: execution.id },
    });
    await creditOf(contactId);
    expect(await only()).toMatchObject({ workflowId, campaignId: null });
  });
});
