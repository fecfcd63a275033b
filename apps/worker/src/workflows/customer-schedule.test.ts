import {
  addStep,
  createWorkflow,
  deleteWorkflow,
  updateWorkflow,
} from '@postrider/core/automation/workflows';
import { newId } from '@postrider/core/base/lib';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '@postrider/core/testing';
import { type ScheduleDescription, ScheduleNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createServerEnvironment, type ServerEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createCustomerSchedules } from './customer-schedule.ts';
import { createWorkflowActivities } from './workflows.activities.ts';

let test: TestServices;
let environment: ServerEnvironment;
let project: TestProject;

beforeAll(async () => {
  environment = await createServerEnvironment();
  test = await createTestServices({ env: { TEMPORAL_ADDRESS: environment.address } });
}, 300_000);
afterAll(async () => {
  await test.close();
  await environment.teardown();
});
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const run = (work: () => Promise<void>): Promise<void> =>
  withWorker(
    environment,
    createWorkflowActivities(test.services, createCustomerSchedules(environment.client)),
    work,
  );

const handleOf = (id: string) => environment.client.schedule.getHandle(`workflow-schedule/${id}`);

/** The Temporal Schedule of a workflow, or null. */
async function scheduleOf(id: string): Promise<ScheduleDescription | null> {
  try {
    return await handleOf(id).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

/** The time of the next tick of a schedule. */
const ticksOf = async (id: string): Promise<Date[]> => (await scheduleOf(id))?.info.nextActionTimes ?? [];

async function build(): Promise<string> {
  const { id } = await createWorkflow.run(project.ctx, { name: 'Digest', eventName: 'signup' });
  const position = { x: 0, y: 0 };
  await addStep.run(project.ctx, { id, type: 'EXIT', name: 'out', position, config: {} });
  return id;
}

const change = (id: string, given: object) => updateWorkflow.run(project.ctx, { id, ...given });
const scheduled = (cron: string, timezone?: string) => ({
  triggerType: 'SCHEDULE',
  triggerConfig: { cron, ...(timezone ? { timezone } : {}) },
});

it('the Temporal Schedule follows the row when it is created, changed and removed', async () => {
  const id = await build();
  await run(async () => {
    await change(id, { ...scheduled('* * * * *', 'Europe/Berlin'), enabled: true });
    await expect.poll(async () => (await ticksOf(id)).length).toBeGreaterThan(1);
    const [first, second] = await ticksOf(id);
    expect((first?.getTime() ?? 1) % 60_000).toBe(0);
    expect((second?.getTime() ?? 0) - (first?.getTime() ?? 0)).toBe(60_000);
    expect((await scheduleOf(id))?.spec.timezone).toBe('Europe/Berlin');

    // 09:30 on Mondays in Tokyo, which has no daylight saving time, is 00:30 UTC.
    await change(id, scheduled('30 9 * * 1', 'Asia/Tokyo'));
    const times = async () =>
      (await ticksOf(id)).map((tick) => `${tick.getUTCDay()} ${tick.toISOString().slice(11)}`);
    await expect.poll(async () => [...new Set(await times())]).toEqual(['1 00:30:00.000Z']);

    await change(id, { enabled: false });
    await expect.poll(() => scheduleOf(id)).toBeNull();

    await change(id, { enabled: true });
    await expect.poll(async () => [...new Set(await times())]).toEqual(['1 00:30:00.000Z']);
    await change(id, { triggerType: 'MANUAL' });
    await expect.poll(() => scheduleOf(id)).toBeNull();

    await change(id, scheduled('0 0 1 1 *'));
    await expect.poll(() => scheduleOf(id)).not.toBeNull();
    await deleteWorkflow.run(project.ctx, { id });
    await expect.poll(() => scheduleOf(id)).toBeNull();
  });
  const [row] = await test.services.database.prisma.$queryRaw<{ unseen: bigint }[]>`
    SELECT count(*) AS "unseen" FROM "Workflow" WHERE "wakeSeq" > "seenSeq" AND "triggerType" = 'SCHEDULE'`;
  expect(row?.unseen).toBe(0n);
});

it('a tick enters every subscribed contact once, and the next one enters none of them again', async () => {
  const { prisma } = test.services.database;
  const id = await build();
  const contacts = Array.from({ length: 12 }, (_, index) => ({
    id: newId(),
    projectId: project.id,
    email: `n${index}@people.test`,
    subscribed: index % 4 !== 0,
  }));
  await prisma.contact.createMany({ data: contacts });
  const entered = async () =>
    (await prisma.workflowExecution.findMany({ where: { workflowId: id } })).map(
      ({ contactId, status }) => `${contactId} ${status}`,
    );
  const tick = async (count: number): Promise<void> => {
    await handleOf(id).trigger();
    const actions = async () => (await scheduleOf(id))?.info.recentActions ?? [];
    await expect.poll(async () => (await actions()).length).toBe(count);
    const last = (await actions()).at(-1)?.action;
    if (last?.type !== 'startWorkflow') throw new Error('a tick that started nothing');
    await environment.client.workflow.getHandle(last.workflow.workflowId).result();
  };
  const expected = contacts.filter(({ subscribed }) => subscribed).map((contact) => `${contact.id} RUNNING`);
  await run(async () => {
    await change(id, { ...scheduled('0 0 1 1 *'), enabled: true });
    await expect.poll(() => scheduleOf(id)).not.toBeNull();
    await tick(1);
    await expect.poll(async () => (await entered()).sort()).toEqual(expected.toSorted());
    await tick(2);
    expect((await entered()).sort()).toEqual(expected.toSorted());
  });
});
