import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { trackEvent } from '../../../audience/events/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../../testing/index.ts';
import { startExecution } from '../start-execution.ts';
import { ExecutionRunners, type RunnerOptions } from './runners.ts';
import { buildContact, buildWorkflow } from './runtime.fixture.ts';

let test: TestServices;
let running: ExecutionRunners[] = [];

beforeAll(async () => {
  test = await createTestServices();
});
afterEach(async () => {
  await Promise.all(running.map((runners) => runners.stop()));
  running = [];
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;
const run = (options: RunnerOptions) => running.push(new ExecutionRunners(test.services, options));
const patience = { timeout: 60_000, interval: 20 };

it('a tracked event goes through its workflow, and ends a wait of another one', async () => {
  const project = await createTestProject(test.services);
  const first = await buildWorkflow(test.services, project.id, {
    wait: { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid' } },
    out: { type: 'EXIT', config: { reason: 'paid' } },
  });
  run({ drivesAll: true });
  const statusOf = async () =>
    (await prisma().workflowExecution.findMany({ where: { workflowId: first.id } })).map(
      ({ status }) => status,
    );
  await trackEvent.run(project.publicCtx, { email: 'ann@people.test', event: 'signup' });
  await expect.poll(statusOf, patience).toEqual(['WAITING']);
  await trackEvent.run(project.publicCtx, { email: 'ann@people.test', event: 'paid' });
  await expect.poll(statusOf, patience).toEqual(['EXITED']);
});

it('thousands of due executions of one workflow do not keep another one of the project waiting', async () => {
  const project = await createTestProject(test.services);
  const steps = Object.fromEntries(
    Array.from({ length: 5 }, (_, n) => [
      `set${n}`,
      { type: 'UPDATE_CONTACT' as const, config: { data: { [`k${n}`]: n } } },
    ]),
  );
  const busy = await buildWorkflow(test.services, project.id, steps);
  await test.services.database.durable.query(
    `WITH person AS (
      INSERT INTO "Contact" ("id", "projectId", "email") SELECT uuid7(), $1::uuid, n || '@many.test' FROM generate_series(1, 6000) n RETURNING "id")
    INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "dueAt")
    SELECT uuid7(), $1::uuid, $2::uuid, "id", now() - interval '1 hour' FROM person`,
    [project.id, busy.id],
  );
  const welcome = await buildWorkflow(
    test.services,
    project.id,
    { out: { type: 'EXIT' } },
    { eventName: 'other' },
  );
  const contact = await buildContact(test.services, project.id);
  await startExecution.run(project.ctx, { id: welcome.id, contactId: contact.id });
  run({ drivesAll: true, runners: 1 });
  const ended = () =>
    prisma().workflowExecution.count({ where: { workflowId: welcome.id, status: 'EXITED' } });
  await expect.poll(ended, patience).toBe(1);
  const left = await prisma().workflowExecution.count({ where: { workflowId: busy.id, status: 'RUNNING' } });
  expect(left).toBeGreaterThan(0);
  await expect
    .poll(
      () => prisma().workflowExecution.count({ where: { workflowId: busy.id, status: 'COMPLETED' } }),
      patience,
    )
    .toBe(6_000);
}, 240_000);

it('what no process drives is served by those that see it late, and by one of several', async () => {
  const project = await createTestProject(test.services);
  const workflow = await buildWorkflow(test.services, project.id, { out: { type: 'EXIT' } });
  const contacts = await Promise.all(
    Array.from({ length: 20 }, () => buildContact(test.services, project.id)),
  );
  for (const { id } of contacts) await startExecution.run(project.ctx, { id: workflow.id, contactId: id });
  run({});
  run({});
  await expect
    .poll(
      () => prisma().workflowExecution.count({ where: { workflowId: workflow.id, status: 'EXITED' } }),
      patience,
    )
    .toBe(20);
  expect(await prisma().event.count({ where: { projectId: project.id, name: 'workflow.completed' } })).toBe(
    20,
  );
});

it('a text that needs a thread is filled in beside the sets, and its executions go on', async () => {
  const project = await createTestProject(test.services);
  const workflow = await buildWorkflow(test.services, project.id, {
    set: {
      type: 'UPDATE_CONTACT',
      config: { data: { y: '{% if data.x %}{{ data.x | upcase }}{% endif %}!' } },
    },
    out: { type: 'EXIT' },
  });
  run({ drivesAll: true });
  for (let n = 0; n < 5; n += 1) {
    const contact = await buildContact(test.services, project.id, { data: { x: `v${n}` } });
    await startExecution.run(project.ctx, { id: workflow.id, contactId: contact.id });
  }
  await expect
    .poll(
      () => prisma().workflowExecution.count({ where: { workflowId: workflow.id, status: 'EXITED' } }),
      patience,
    )
    .toBe(5);
});
