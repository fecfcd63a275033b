import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plainTransaction } from '../../../base/db/index.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { waitForLock } from '../../../testing/wait-for-lock.ts';
import { createGoal } from '../../goals/index.ts';
import { addStep, createWorkflow, deleteStep, publishWorkflow, updateWorkflow } from '../index.ts';
import { dispatchBatch } from './dispatch-events.ts';
import { advanceExecution, buildContact, buildTemplate, storeEvent } from './runtime.fixture.ts';
import { claim } from './set.store.ts';
import { takeSet } from './take-set.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
});

const prisma = () => test.services.database.prisma;
const day = { amount: 1, unit: 'days' };
const dayMs = 86_400_000;
const position = { x: 0, y: 0 };
const paid = { name: 'Has paid', eventName: 'order.paid' };

interface Given {
  type: string;
  config?: object;
  templateId?: string;
}

/** An enabled workflow whose steps follow each other, with the ids of its steps by their names. */
async function build(steps: Record<string, Given>, ends: object) {
  const { id } = await createWorkflow.run(project.ctx, {
    name: 'W',
    eventName: 'signup',
    allowReentry: true,
  });
  const ids: Record<string, string> = {};
  for (const [name, { config = {}, ...step }] of Object.entries(steps)) {
    const added = await addStep.runRaw(project.ctx, { id, name, config, position, ...step });
    ids[name] = (added as { id: string }).id;
  }
  await updateWorkflow.runRaw(project.ctx, { id, ...ends, enabled: true });
  return { id, ids };
}

const goalOf = (given: object = {}) =>
  createGoal.runRaw(project.ctx, { name: 'Purchase', eventName: 'order.paid', ...given }) as ReturnType<
    typeof createGoal.run
  >;

const dispatch = async () => {
  while ((await dispatchBatch(test.services, project.id)).taken > 0);
};
const happens = async (contactId: string, name: string, data?: object) => {
  const eventId = await storeEvent(test.services, {
    ...{ projectId: project.id, contactId, name },
    ...(data && { data }),
  });
  await dispatch();
  return eventId;
};
/** A contact that has entered the workflow by its event. */
async function enter(): Promise<{ contactId: string; executionId: string }> {
  const { id: contactId } = await buildContact(test.services, project.id);
  await happens(contactId, 'signup');
  const { id } = await prisma().workflowExecution.findFirstOrThrow({
    where: { contactId },
    orderBy: { id: 'desc' },
  });
  return { contactId, executionId: id };
}
const turn = (id: string, now = Date.now()) => advanceExecution(test.services, id, async () => now);
const rowOf = (id: string) => prisma().workflowExecution.findUniqueOrThrow({ where: { id } });
const stepsOf = (executionId: string) =>
  prisma().workflowStepExecution.findMany({ where: { executionId }, orderBy: { createdAt: 'asc' } });
const emailsOf = (executionId: string) =>
  prisma().email.findMany({ where: { workflowExecutionId: executionId }, orderBy: { id: 'asc' } });
const mail = async (type: 'TRANSACTIONAL' | 'MARKETING' = 'MARKETING'): Promise<Given> => {
  const templateId = await buildTemplate(test.services, project.id, { type });
  return { type: 'SEND_EMAIL', templateId, config: { templateId } };
};

describe('an exit rule by an event', () => {
  it('ends who waits in a delay, and skips the step', async () => {
    await build({ rest: { type: 'DELAY', config: day } }, { exits: [paid] });
    const { contactId, executionId } = await enter();
    await turn(executionId);
    const eventId = await happens(contactId, 'order.paid');
    expect(await rowOf(executionId)).toMatchObject({ status: 'WAITING' });
    expect(await turn(executionId)).toEqual({ kind: 'end' });
    expect(await rowOf(executionId)).toMatchObject({
      ...{ status: 'EXITED', exitReason: 'Has paid', dueAt: null },
      endedBy: { kind: 'exit', name: 'Has paid', eventId },
    });
    expect((await stepsOf(executionId)).map(({ status }) => status)).toEqual(['COMPLETED', 'SKIPPED']);
    expect(await prisma().workflowEntry.findFirstOrThrow({ where: { contactId } })).toMatchObject({
      active: false,
    });
  });

  it('ends who waits for another event, or for the result of a request, whose answer is then of no use', async () => {
    await build({ ask: { type: 'WEBHOOK', config: { url: 'https://crm.example.com/' } } }, { exits: [paid] });
    const { contactId, executionId } = await enter();
    await takeSet(test.services, await unitOf(executionId), { limit: 1, ids: [executionId] });
    expect(await prisma().stepRequest.count({ where: { executionId } })).toBe(1);
    await happens(contactId, 'order.paid');
    await takeSet(test.services, await unitOf(executionId), { limit: 1 });
    expect(await rowOf(executionId)).toMatchObject({ status: 'EXITED' });
    expect(await prisma().stepRequest.count({ where: { executionId } })).toBe(0);
  });

  it('leaves who waits for the result of a request with its request, where the event does not meet it', async () => {
    await build(
      { ask: { type: 'WEBHOOK', config: { url: 'https://crm.example.com/' } } },
      { exits: [{ ...paid, where: [{ property: 'amount', operator: 'greaterThan', value: 10 }] }] },
    );
    const { contactId, executionId } = await enter();
    await takeSet(test.services, await unitOf(executionId), { limit: 1, ids: [executionId] });
    const before = await prisma().stepRequest.findFirstOrThrow({ where: { executionId } });
    await happens(contactId, 'order.paid', { amount: 10 });
    await takeSet(test.services, await unitOf(executionId), { limit: 1 });
    expect(await rowOf(executionId)).toMatchObject({ status: 'RUNNING', dueAt: null });
    expect(await prisma().stepRequest.findFirstOrThrow({ where: { executionId } })).toEqual(before);
    await happens(contactId, 'order.paid', { amount: 11 });
    await takeSet(test.services, await unitOf(executionId), { limit: 1 });
    expect(await rowOf(executionId)).toMatchObject({ status: 'EXITED' });
  });

  it('leaves who waits in a delay with the time that was told, where the event does not meet it', async () => {
    await build(
      { rest: { type: 'DELAY', config: day } },
      { exits: [{ ...paid, where: [{ property: 'plan', operator: 'equals', value: 'pro' }] }] },
    );
    const { contactId, executionId } = await enter();
    await turn(executionId);
    const { dueAt } = await rowOf(executionId);
    await happens(contactId, 'order.paid', { plan: 'free' });
    await turn(executionId);
    expect(await rowOf(executionId)).toMatchObject({ status: 'WAITING', dueAt });
  });

  it('is not met by the event that started the execution, nor by one before it', async () => {
    await build(
      { rest: { type: 'DELAY', config: day } },
      { exits: [{ name: 'Again', eventName: 'signup' }] },
    );
    const { contactId, executionId } = await enter();
    await turn(executionId);
    const { beganAt } = await rowOf(executionId);
    await prisma().event.create({
      data: {
        ...{ id: newId(), projectId: project.id, contactId, name: 'signup' },
        createdAt: new Date((beganAt?.getTime() ?? 0) - 1),
      },
    });
    await dispatch();
    await turn(executionId);
    expect((await rowOf(executionId)).status).toBe('WAITING');
    await happens(contactId, 'signup');
    await turn(executionId);
    expect((await rowOf(executionId)).status).toBe('EXITED');
  });

  it('of another contact, or of another project, ends nobody', async () => {
    await build({ rest: { type: 'DELAY', config: day } }, { exits: [paid] });
    const { executionId } = await enter();
    await turn(executionId);
    const other = await buildContact(test.services, project.id);
    await happens(other.id, 'order.paid');
    await turn(executionId);
    expect((await rowOf(executionId)).status).toBe('WAITING');
  });

  it('of two counts that whose event came first, and of one event that which is named first', async () => {
    await build(
      { rest: { type: 'DELAY', config: day } },
      {
        exits: [
          { name: 'Left', eventName: 'left' },
          { name: 'First', eventName: 'order.paid' },
          { name: 'Second', eventName: 'order.paid' },
        ],
      },
    );
    const { contactId, executionId } = await enter();
    await turn(executionId);
    await happens(contactId, 'order.paid');
    await happens(contactId, 'left');
    await turn(executionId);
    expect((await rowOf(executionId)).exitReason).toBe('First');
  });

  it.each([
    ['before the time of a wait', -1, 'SKIPPED'],
    ['at the time of a wait', 0, 'COMPLETED'],
    ['after the time of a wait', 1, 'COMPLETED'],
  ])('%s, by milliseconds, ends the execution, and the step is %s', async (_, ms, status) => {
    await build({ rest: { type: 'DELAY', config: day }, mail: await mail() }, { exits: [paid] });
    const { contactId, executionId } = await enter();
    await turn(executionId);
    const { dueAt } = await rowOf(executionId);
    const end = dueAt?.getTime() ?? 0;
    await prisma().event.create({
      data: {
        ...{ id: newId(), projectId: project.id, contactId, name: 'order.paid' },
        createdAt: new Date(end + ms),
      },
    });
    await dispatch();
    await turn(executionId, end + 1_000);
    expect((await rowOf(executionId)).status).toBe('EXITED');
    expect((await stepsOf(executionId)).at(-1)?.status).toBe(status);
    expect(await emailsOf(executionId)).toEqual([]);
  });
});

/**
 * Runs a set, and has the event stored and dispatched before one of its statements, or after the last.
 *
 * @returns the texts of its statements
 */
async function statementsOfSet(
  { contactId, executionId }: { contactId: string; executionId: string },
  place?: number,
): Promise<string[]> {
  const texts: string[] = [];
  const dispatched: Promise<unknown>[] = [];
  const pay = async () => {
    await storeEvent(test.services, { projectId: project.id, contactId, name: 'order.paid' });
    // It waits for the set where that holds the execution.
    dispatched.push(dispatchBatch(test.services, project.id));
  };
  const { database } = test.services;
  const { asyncCommit } = database;
  const watched = new Proxy(asyncCommit, {
    get(pool, name) {
      if (name !== 'connect') return Reflect.get(pool, name);
      return async () => {
        // The connection of the set alone is watched.
        Object.assign(database, { asyncCommit });
        const client = await pool.connect();
        return new Proxy(client, {
          get(inner, member) {
            const value = Reflect.get(inner, member);
            if (member !== 'query') return typeof value === 'function' ? value.bind(inner) : value;
            return async (...given: [string | { text: string }]) => {
              const [statement] = given;
              if (texts.length === place) await pay();
              texts.push(typeof statement === 'string' ? statement : statement.text);
              return Reflect.apply(value, inner, given);
            };
          },
        });
      };
    },
  });
  Object.assign(database, { asyncCommit: watched });
  await takeSet(test.services, await unitOf(executionId), { limit: 1, ids: [executionId] });
  if (place === texts.length) await pay();
  await Promise.all(dispatched);
  return texts;
}

const unitOf = async (executionId: string) => {
  const { projectId, workflowId } = await rowOf(executionId);
  return { projectId, workflowId };
};

describe('the event of an exit rule and the set of an email', () => {
  it('stored before the set reads: no email is written', async () => {
    await build({ rest: { type: 'DELAY', config: day }, mail: await mail() }, { exits: [paid] });
    const { contactId, executionId } = await enter();
    await turn(executionId);
    // Not dispatched: what is stored is enough.
    await storeEvent(test.services, { projectId: project.id, contactId, name: 'order.paid' });
    await turn(executionId, Date.now() + 2 * dayMs);
    expect((await rowOf(executionId)).status).toBe('EXITED');
    expect(await emailsOf(executionId)).toEqual([]);
  });

  it('stored while a set holds the execution: its dispatcher waits, and wakes it as the set leaves it', async () => {
    await build({ mail: await mail(), rest: { type: 'DELAY', config: day } }, { exits: [paid] });
    const { contactId, executionId } = await enter();
    const unit = await unitOf(executionId);
    const dispatched: Promise<unknown>[] = [];
    await plainTransaction(test.services.database.durable, async (db) => {
      expect(await claim(db, { ...unit, limit: 10 })).toHaveLength(1);
      await storeEvent(test.services, { projectId: project.id, contactId, name: 'order.paid' });
      // The dispatcher waits for the lock of the set.
      dispatched.push(dispatchBatch(test.services, project.id));
      await waitForLock(test.services.database);
    });
    await Promise.all(dispatched);
    await turn(executionId);
    expect((await rowOf(executionId)).status).toBe('EXITED');
    expect(await emailsOf(executionId)).toEqual([]);
  });

  it('stored before, between and after the statements of the set: none is sent, and none is written once it searched', async () => {
    await build({ mail: await mail(), rest: { type: 'DELAY', config: day } }, { exits: [paid] });
    // Once the definition is known to the process.
    await statementsOfSet(await enter());
    const statements = await statementsOfSet(await enter());
    const search = statements.findIndex((text) => text.includes('"since" ->>'));
    const write = statements.findIndex((text) => text.includes('INSERT INTO "Email"'));
    expect(search).toBeGreaterThan(0);
    expect(write).toBeGreaterThan(search);
    for (let place = 0; place <= statements.length; place += 1) {
      const entered = await enter();
      await statementsOfSet(entered, place);
      await turn(entered.executionId);
      expect((await rowOf(entered.executionId)).status).toBe('EXITED');
      const emails = await emailsOf(entered.executionId);
      // What is stored before the search begins is found by it.
      expect(emails).toHaveLength(place <= search ? 0 : 1);
      for (const email of emails) expect(email).toMatchObject({ status: 'SKIPPED', reason: 'exited' });
    }
  });

  it('stored after it: what no process has claimed is skipped, and told', async () => {
    await build({ mail: await mail(), rest: { type: 'DELAY', config: day } }, { exits: [paid] });
    const { contactId, executionId } = await enter();
    await turn(executionId);
    expect(await emailsOf(executionId)).toMatchObject([{ status: 'PENDING' }]);
    await happens(contactId, 'order.paid');
    await turn(executionId);
    const [email] = await emailsOf(executionId);
    expect(email).toMatchObject({ status: 'SKIPPED', reason: 'exited', batchId: null });
    expect(await prisma().deliveryBatch.count({ where: { projectId: project.id } })).toBe(0);
    expect(
      await prisma().event.findFirstOrThrow({ where: { contactId, name: 'email.skipped' } }),
    ).toMatchObject({ data: { emailId: email?.id, reason: 'exited' } });
  });

  it('what a process has claimed is sent', async () => {
    await build({ mail: await mail(), rest: { type: 'DELAY', config: day } }, { exits: [paid] });
    const { contactId, executionId } = await enter();
    await turn(executionId);
    await prisma().deliveryBatch.updateMany({
      where: { projectId: project.id },
      data: { token: newId(), leaseUntil: new Date(Date.now() + 60_000) },
    });
    await happens(contactId, 'order.paid');
    await turn(executionId);
    expect((await rowOf(executionId)).status).toBe('EXITED');
    expect(await emailsOf(executionId)).toMatchObject([{ status: 'PENDING' }]);
  });

  it('the emails of others in the same batch stay in it', async () => {
    const { id } = await build(
      { mail: await mail(), rest: { type: 'DELAY', config: day } },
      { exits: [paid] },
    );
    const people = [];
    for (let n = 0; n < 5; n += 1) people.push(await enter());
    await takeSet(test.services, { projectId: project.id, workflowId: id }, { limit: 10 });
    expect(await prisma().deliveryBatch.count({ where: { projectId: project.id } })).toBe(1);
    for (const { contactId } of people.slice(1, 3)) await happens(contactId, 'order.paid');
    await takeSet(test.services, { projectId: project.id, workflowId: id }, { limit: 10 });
    const batch = await prisma().deliveryBatch.findFirstOrThrow({ where: { projectId: project.id } });
    const left = await prisma().email.findMany({ where: { projectId: project.id, status: 'PENDING' } });
    expect(left).toHaveLength(3);
    expect(new Set(batch.emailIds)).toEqual(new Set(left.map((email) => email.id)));
  });

  it('100 events around as many sets: no email to who had paid before, nobody ends twice', async () => {
    const { id } = await build(
      { mail: await mail(), rest: { type: 'DELAY', config: day } },
      { exits: [paid] },
    );
    const unit = { projectId: project.id, workflowId: id };
    const people = await Promise.all(
      Array.from({ length: 100 }, () => buildContact(test.services, project.id)),
    );
    const stored = new Map<string, Date>();
    const work = async (run: () => Promise<unknown>, times: number) => {
      for (let n = 0; n < times; n += 1) await run();
    };
    await Promise.all([
      ...people.map(async ({ id: contactId }, n) => {
        await storeEvent(test.services, { projectId: project.id, contactId, name: 'signup' });
        await new Promise((resolve) => setImmediate(resolve));
        if (n % 4 === 3) return;
        await storeEvent(test.services, { projectId: project.id, contactId, name: 'order.paid' });
        stored.set(contactId, new Date());
      }),
      work(() => dispatchBatch(test.services, project.id), 30),
      work(() => takeSet(test.services, unit, { limit: 7 }), 30),
      work(() => takeSet(test.services, unit, { limit: 50 }), 30),
    ]);
    await dispatch();
    while ((await takeSet(test.services, unit, { limit: 500 })).taken > 0);
    const rows = await prisma().workflowExecution.findMany({ where: { workflowId: id } });
    expect(rows).toHaveLength(100);
    for (const { id: executionId, contactId, status } of rows) {
      expect(status).toBe(stored.has(contactId) ? 'EXITED' : 'WAITING');
      const [email] = await emailsOf(executionId);
      // Written before the event was known, or not at all.
      if (stored.has(contactId) && email)
        expect(email).toMatchObject({ status: 'SKIPPED', reason: 'exited' });
    }
    const ends = await prisma().event.groupBy({
      by: ['contactId'],
      where: { projectId: project.id, name: 'workflow.completed' },
      _count: true,
    });
    expect(ends).toHaveLength(stored.size);
    expect(ends.every(({ _count }) => _count === 1)).toBe(true);
  });
});

describe('an exit rule by a condition', () => {
  const left = (value: string) => ({
    name: 'Left the plan',
    condition: {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value }] }],
    },
  });

  it.each(['SEND_EMAIL', 'WEBHOOK', 'UPDATE_CONTACT'])('is asked before a %s', async (type) => {
    const step =
      type === 'SEND_EMAIL'
        ? await mail()
        : type === 'WEBHOOK'
          ? { type, config: { url: 'https://crm.example.com/' } }
          : { type, config: { data: { touched: true } } };
    await build({ step }, { exits: [left('none')] });
    const { contactId, executionId } = await enter();
    await prisma().contact.update({ where: { id: contactId }, data: { data: { plan: 'none' } } });
    await takeSet(test.services, await unitOf(executionId), { limit: 1 });
    expect(await rowOf(executionId)).toMatchObject({
      ...{ status: 'EXITED', exitReason: 'Left the plan' },
      endedBy: { kind: 'exit', name: 'Left the plan' },
    });
    expect(await emailsOf(executionId)).toEqual([]);
    expect(await prisma().stepRequest.count({ where: { executionId } })).toBe(0);
    const contact = await prisma().contact.findUniqueOrThrow({ where: { id: contactId } });
    expect(contact.data).toEqual({ plan: 'none' });
  });

  it('sees what a step before it has changed in the same set, and withdraws what that set has written', async () => {
    await build(
      {
        first: await mail(),
        change: { type: 'UPDATE_CONTACT', config: { data: { plan: 'none' } } },
        second: await mail(),
      },
      { exits: [left('none')] },
    );
    const { executionId } = await enter();
    await turn(executionId);
    expect((await rowOf(executionId)).status).toBe('EXITED');
    expect(await emailsOf(executionId)).toMatchObject([{ status: 'SKIPPED', reason: 'exited' }]);
  });

  it('is not asked by a delay, and lets others go on', async () => {
    await build({ rest: { type: 'DELAY', config: day }, mail: await mail() }, { exits: [left('none')] });
    const { executionId } = await enter();
    await turn(executionId, Date.now());
    expect((await rowOf(executionId)).status).toBe('WAITING');
    await turn(executionId, Date.now() + 2 * dayMs);
    expect((await rowOf(executionId)).status).toBe('COMPLETED');
    expect(await emailsOf(executionId)).toHaveLength(1);
  });
});

describe('a goal of a workflow', () => {
  const conversionsOf = (executionId: string) =>
    prisma().executionConversion.findMany({ where: { executionId } });

  it('that is measured ends nobody, and counts once per execution: by its first event, with its value', async () => {
    const goal = await goalOf({ value: { property: 'amount', currency: 'EUR' } });
    await build({ rest: { type: 'DELAY', config: day } }, { goals: [{ goalId: goal.id }] });
    const { contactId, executionId } = await enter();
    await turn(executionId);
    const first = await happens(contactId, 'order.paid', { amount: 5 });
    await happens(contactId, 'order.paid', { amount: 7 });
    await turn(executionId);
    expect((await rowOf(executionId)).status).toBe('WAITING');
    expect(await conversionsOf(executionId)).toMatchObject([{ goalId: goal.id, eventId: first, value: 5 }]);
  });

  it('is measured until as many days after the end as it has', async () => {
    const goal = await goalOf({ windowDays: 2 });
    await build({ out: { type: 'EXIT' } }, { goals: [{ goalId: goal.id }] });
    const [late, inTime] = [await enter(), await enter()];
    for (const [{ contactId, executionId }, ms] of [
      [late, 2 * dayMs + 1],
      [inTime, 2 * dayMs],
    ] as const) {
      await turn(executionId);
      const { completedAt } = await rowOf(executionId);
      await prisma().event.create({
        data: {
          ...{ id: newId(), projectId: project.id, contactId, name: 'order.paid' },
          createdAt: new Date((completedAt?.getTime() ?? 0) + ms),
        },
      });
    }
    await dispatch();
    expect(await conversionsOf(late.executionId)).toEqual([]);
    expect(await conversionsOf(inTime.executionId)).toHaveLength(1);
  });

  it('whose event is dispatched before the execution is stored is found by the first set', async () => {
    const goal = await goalOf();
    await build({ rest: { type: 'DELAY', config: day } }, { goals: [{ goalId: goal.id }] });
    const { contactId, executionId } = await enter();
    await storeEvent(test.services, { projectId: project.id, contactId, name: 'order.paid' });
    await prisma().eventDispatch.deleteMany({ where: { projectId: project.id } });
    await turn(executionId);
    expect(await conversionsOf(executionId)).toHaveLength(1);
  });

  it('with EXIT ends the execution, and its end says by which goal', async () => {
    const goal = await goalOf();
    await build({ rest: { type: 'DELAY', config: day } }, { goals: [{ goalId: goal.id, effect: 'EXIT' }] });
    const { contactId, executionId } = await enter();
    await turn(executionId);
    await happens(contactId, 'order.paid');
    await turn(executionId);
    expect(await rowOf(executionId)).toMatchObject({ status: 'EXITED', exitReason: 'Goal: Purchase' });
    expect(await conversionsOf(executionId)).toHaveLength(1);
    expect(
      await prisma().event.findFirstOrThrow({ where: { contactId, name: 'workflow.completed' } }),
    ).toMatchObject({ data: { goalId: goal.id, exitReason: 'Goal: Purchase' } });
  });

  it('with EXIT comes before one with JUMP, and before the rule of the same event', async () => {
    const [exit, jump] = [await goalOf({ name: 'Exit' }), await goalOf({ name: 'Jump' })];
    await build(
      { rest: { type: 'DELAY', config: day }, mark: { type: 'DELAY', config: day } },
      {
        goals: [
          { goalId: jump.id, effect: 'JUMP', toStepKey: 'mark' },
          { goalId: exit.id, effect: 'EXIT' },
        ],
        exits: [paid],
      },
    );
    const { contactId, executionId } = await enter();
    await turn(executionId);
    await happens(contactId, 'order.paid');
    await turn(executionId);
    expect((await rowOf(executionId)).exitReason).toBe('Goal: Exit');
  });

  it('with JUMP goes on at its step, once, and the open step is skipped', async () => {
    const goal = await goalOf();
    const { ids } = await build(
      {
        rest: { type: 'DELAY', config: day },
        between: { type: 'UPDATE_CONTACT', config: { data: { between: true } } },
        thanks: { type: 'DELAY', config: day },
      },
      { goals: [{ goalId: goal.id, effect: 'JUMP', toStepKey: 'thanks' }] },
    );
    const { contactId, executionId } = await enter();
    await turn(executionId);
    await happens(contactId, 'order.paid');
    await turn(executionId);
    expect(await rowOf(executionId)).toMatchObject({ status: 'WAITING', currentStepId: ids.thanks });
    const { dueAt } = await rowOf(executionId);
    await happens(contactId, 'order.paid');
    await turn(executionId);
    expect(await rowOf(executionId)).toMatchObject({ status: 'WAITING', currentStepId: ids.thanks, dueAt });
    const byStep = new Map((await stepsOf(executionId)).map((row) => [row.stepId, row.status]));
    expect(byStep.get(ids.rest ?? '')).toBe('SKIPPED');
    expect(byStep.has(ids.between ?? '')).toBe(false);
  });

  it('that a publish brings to those inside counts from then on', async () => {
    const { id } = await build({ rest: { type: 'DELAY', config: day } }, {});
    const { contactId, executionId } = await enter();
    await turn(executionId);
    await happens(contactId, 'order.paid');
    await updateWorkflow.runRaw(project.ctx, { id, exits: [paid], publish: false });
    await publishWorkflow.runRaw(project.ctx, { id, move: 'ALL' });
    await prisma().workflowExecution.update({ where: { id: executionId }, data: { dueAt: new Date() } });
    await turn(executionId);
    expect((await rowOf(executionId)).status).toBe('WAITING');
    await happens(contactId, 'order.paid');
    await turn(executionId);
    expect((await rowOf(executionId)).status).toBe('EXITED');
  });

  it('of a new version ends nobody who stays with the old one', async () => {
    const { id } = await build({ rest: { type: 'DELAY', config: day } }, {});
    const { contactId, executionId } = await enter();
    await turn(executionId);
    await updateWorkflow.runRaw(project.ctx, { id, exits: [paid] });
    await happens(contactId, 'order.paid');
    await turn(executionId);
    expect((await rowOf(executionId)).status).toBe('WAITING');
    const later = await enter();
    await turn(later.executionId);
    await happens(later.contactId, 'order.paid');
    await turn(later.executionId);
    expect((await rowOf(later.executionId)).status).toBe('EXITED');
  });
});

describe('goals and exit rules in a definition', () => {
  const refused = (given: object) =>
    createWorkflow
      .run(project.ctx, { name: 'W', eventName: 'signup' })
      .then(({ id }) => updateWorkflow.runRaw(project.ctx, { id, ...given }));
  const at = (field: string, code: string) => ({
    code: 'VALIDATION_ERROR',
    errors: expect.arrayContaining([expect.objectContaining({ field, code })]),
  });

  it('of another project, or archived, are unknown', async () => {
    const other = await createTestProject(test.services);
    const theirs = await createGoal.run(other.ctx, { name: 'Purchase', eventName: 'order.paid' });
    await expect(refused({ goals: [{ goalId: theirs.id }] })).rejects.toMatchObject(
      at('goals.0.goalId', 'unknown_reference'),
    );
    const segment = newId();
    const condition = {
      logic: 'AND',
      groups: [{ filters: [{ field: `segment.${segment}`, operator: 'notMemberOfSegment' }] }],
    };
    await expect(refused({ exits: [{ name: 'Left', condition }] })).rejects.toMatchObject(
      at('exits.0.condition.groups.0.filters.0.field', 'unknown_segment'),
    );
  });

  it.each([
    [{ exits: [{ name: 'X' }] }, 'exits.0.eventName', 'required'],
    [{ exits: [{ eventName: 'x' }] }, 'exits.0.name', 'required'],
    [
      { exits: [{ ...paid, where: [{ property: 'a', operator: 'no' }] }] },
      'exits.0.where.0.operator',
      'invalid_enum_value',
    ],
    [{ exits: Array.from({ length: 11 }, () => paid) }, 'exits', 'too_big'],
    [{ goals: Array.from({ length: 6 }, () => ({ goalId: newId() })) }, 'goals', 'too_big'],
    [{ goals: [{ goalId: newId(), effect: 'JUMP' }] }, 'goals.0.toStepKey', 'required'],
    [{ goals: [{ goalId: newId(), effect: 'EXIT', toStepKey: 'x' }] }, 'goals.0.toStepKey', 'custom'],
  ])('%j is refused at %s', async (given, field, code) => {
    await expect(refused(given)).rejects.toMatchObject(at(field, code));
  });

  it('a step to which a goal jumps is not deleted from a live workflow', async () => {
    const goal = await goalOf();
    const { id, ids } = await build(
      { rest: { type: 'DELAY', config: day }, thanks: { type: 'DELAY', config: day } },
      { goals: [{ goalId: goal.id, effect: 'JUMP', toStepKey: 'thanks' }] },
    );
    await expect(deleteStep.run(project.ctx, { id, stepId: ids.thanks ?? '' })).rejects.toMatchObject(
      at('goals.0.toStepKey', 'unknown_reference'),
    );
  });
});

describe('a SPLIT with a holdout', () => {
  it('says of each execution whether it was held out', async () => {
    await build(
      {
        split: {
          type: 'SPLIT',
          config: {
            branches: [
              { id: 'mail', name: 'Mail', percent: 60 },
              { id: 'none', name: 'None', percent: 40 },
            ],
            holdout: 'none',
          },
        },
      },
      {},
    );
    for (let n = 0; n < 12; n += 1) {
      const { executionId } = await enter();
      await turn(executionId);
      const row = await rowOf(executionId);
      const split = (await stepsOf(executionId)).at(-1)?.output as { branch: string };
      expect(row.heldOut).toBe(split.branch === 'none');
      expect(row.drawnShare).toBeCloseTo(0.6);
    }
  });
});
