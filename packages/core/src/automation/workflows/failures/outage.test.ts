import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { platformMailTo } from '../../../testing/mail.ts';
import { changeExecutionsBatch } from '../bulk/change-executions.ts';
import { retryExecutions } from '../bulk/retry-executions.ts';
import { RequestRuntime } from '../requests/request-runtime.ts';
import { buildContact, buildTemplate, buildWorkflow } from '../runtime/runtime.fixture.ts';
import { takeSet } from '../runtime/take-set.ts';
import { startExecution } from '../start-execution.ts';
import { getWorkflowJob } from '../versions/index.ts';
import { watchFailures } from './watch-failures.ts';

let test: TestServices;
let server: Server;
let url: string;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    asked.push(String(request.headers['x-postrider-delivery']));
    response.end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/`;
  test = await createTestServices({ env: { WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${port}` } });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await test.close();
});

const people = 200;
const step = 20;

it('of 200 that fail at a WEBHOOK there is one notice, the workflow is disabled in time, and one retry brings all to their end', async () => {
  const { prisma } = test.services.database;
  const project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
  const owner = await project.userCtx('OWNER');
  const userId = owner.actor.type === 'user' ? owner.actor.userId : '';
  const leader = (await prisma.user.findUniqueOrThrow({ where: { id: userId } })).email;
  const templateId = await buildTemplate(test.services, project.id);
  const workflow = await buildWorkflow(test.services, project.id, {
    mail: { type: 'SEND_EMAIL', templateId },
    // An address that no request may go to.
    hook: { type: 'WEBHOOK', config: { url: 'http://10.0.0.1/' } },
    out: { type: 'EXIT' },
  });
  for (let n = 0; n < people; n += 1) {
    const { id } = await buildContact(test.services, project.id);
    await startExecution.run(project.ctx, { id: workflow.id, contactId: id });
  }
  const unit = { projectId: project.id, workflowId: workflow.id };
  const requests = async () => {
    const runtime = new RequestRuntime(test.services);
    await expect
      .poll(() => prisma.stepRequest.count({ where: { projectId: project.id } }), { timeout: 60_000 })
      .toBe(0);
    await runtime.stop();
  };
  const failed = () =>
    prisma.workflowExecution.count({ where: { workflowId: workflow.id, status: 'FAILED' } });
  const isEnabled = async () =>
    (await prisma.workflow.findUniqueOrThrow({ where: { id: workflow.id } })).enabled;

  let disabledAfter = 0;
  for (let taken = 0; taken < people; taken += step) {
    await takeSet(test.services, unit, { limit: step });
    await requests();
    await takeSet(test.services, unit, { limit: step });
    const before = await failed();
    await watchFailures(test.services, performance.now() + 30_000);
    if (disabledAfter === 0 && !(await isEnabled())) disabledAfter = before;
  }
  while ((await takeSet(test.services, unit, { limit: 500 })).taken > 0) await requests();
  expect(await failed()).toBe(people);
  expect(disabledAfter).toBeGreaterThanOrEqual(50);
  expect(disabledAfter).toBeLessThanOrEqual(100);
  const notices = async () =>
    (await platformMailTo(test.services, leader)).map(({ subject }) => subject).sort();
  expect(await notices()).toEqual(['Executions of “Test” fail', '“Test” was disabled']);
  expect(asked).toEqual([]);

  await prisma.workflowStep.update({ where: { id: workflow.step('hook') }, data: { config: { url } } });
  const { jobId } = await retryExecutions.run(project.ctx, { id: workflow.id });
  while (await changeExecutionsBatch(test.services, jobId));
  const job = await getWorkflowJob.run(project.ctx, { id: workflow.id, jobId });
  expect(job.result).toEqual({
    matched: people,
    changed: people,
    retried: people,
    blocked: { active: 0, gone: 0 },
  });
  while ((await takeSet(test.services, unit, { limit: 500 })).taken > 0) await requests();
  expect(await prisma.workflowExecution.count({ where: { workflowId: workflow.id, status: 'EXITED' } })).toBe(
    people,
  );
  const emails = await prisma.email.groupBy({
    by: ['contactId'],
    where: { projectId: project.id },
    _count: true,
  });
  expect([emails.length, new Set(emails.map(({ _count }) => _count))]).toEqual([people, new Set([1])]);
  expect([asked.length, new Set(asked).size]).toEqual([people, people]);
  expect(await notices()).toHaveLength(2);
});

it('while the mail server is away nothing fails, and nothing is disabled', async () => {
  const { prisma } = test.services.database;
  const project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
  const templateId = await buildTemplate(test.services, project.id);
  const workflow = await buildWorkflow(test.services, project.id, {
    mail: { type: 'SEND_EMAIL', templateId },
    out: { type: 'EXIT' },
  });
  for (let n = 0; n < 60; n += 1) {
    const { id } = await buildContact(test.services, project.id);
    await startExecution.run(project.ctx, { id: workflow.id, contactId: id });
  }
  // No delivery process runs, as if none could reach it.
  await takeSet(test.services, { projectId: project.id, workflowId: workflow.id }, { limit: 500 });
  await watchFailures(test.services, performance.now() + 30_000);
  expect(await prisma.email.count({ where: { projectId: project.id, status: 'PENDING' } })).toBe(60);
  expect(await prisma.workflowExecution.count({ where: { workflowId: workflow.id, status: 'EXITED' } })).toBe(
    60,
  );
  expect(await prisma.workflow.findUniqueOrThrow({ where: { id: workflow.id } })).toMatchObject({
    enabled: true,
    failuresToldAt: null,
  });
});
