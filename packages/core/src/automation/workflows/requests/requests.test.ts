import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { removedBehind } from '../bulk/removed-behind.fixture.ts';
import { cancelAllExecutions } from '../cancel-all-executions.ts';
import { cancelExecution } from '../cancel-execution.ts';
import { deleteWorkflow } from '../delete-workflow.ts';
import { buildContact, buildWorkflow } from '../runtime/runtime.fixture.ts';
import { takeSet } from '../runtime/take-set.ts';
import { RequestRuntime } from './request-runtime.ts';
import { claimRequests, settleRequests } from './requests.store.ts';

let test: TestServices;
let project: TestProject;
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
beforeEach(async () => {
  project = await createTestProject(test.services);
  asked.length = 0;
  await prisma().stepRequest.deleteMany();
});

const prisma = () => test.services.database.prisma;
const durable = () => test.services.database.durable;

/** Executions that have parked at a WEBHOOK step. */
async function parked(count: number, address = url) {
  const workflow = await buildWorkflow(test.services, project.id, {
    hook: { type: 'WEBHOOK', config: { url: address } },
    out: { type: 'EXIT' },
  });
  for (let n = 0; n < count; n += 1) {
    const contact = await buildContact(test.services, project.id);
    await prisma().workflowExecution.create({
      data: { id: newId(), projectId: project.id, workflowId: workflow.id, contactId: contact.id },
    });
  }
  const unit = { projectId: project.id, workflowId: workflow.id };
  const take = () => takeSet(test.services, unit, { limit: 500, now: new Date(Date.now() + 1_000) });
  expect((await take()).taken).toBe(count);
  return { workflow, take };
}

const room = { free: '{}', perHost: 100, fullTurns: [], total: 1_000, leaseMs: 30_000 };
const claim = (more: object = {}) =>
  claimRequests(durable(), { ...room, token: newId(), now: new Date(Date.now() + 1_000), ...more });

it('requests of many executions are made once each, and their executions go on', async () => {
  const { take } = await parked(40);
  expect(
    await prisma().workflowExecution.count({
      where: { projectId: project.id, dueAt: null, status: 'RUNNING' },
    }),
  ).toBe(40);
  const runtimes = [new RequestRuntime(test.services), new RequestRuntime(test.services)];
  await expect.poll(() => prisma().stepRequest.count(), { timeout: 60_000 }).toBe(0);
  await Promise.all(runtimes.map((runtime) => runtime.stop()));
  expect([asked.length, new Set(asked).size]).toEqual([40, 40]);
  await take();
  expect(await prisma().workflowExecution.count({ where: { projectId: project.id, status: 'EXITED' } })).toBe(
    40,
  );
});

it('a host has no more requests than it has room, and one that is claimed is claimed by nobody else until its lease ends', async () => {
  await parked(10);
  await parked(3, 'http://other.test/');
  const first = await claim({ perHost: 4, free: JSON.stringify({ 'other.test': 1 }) });
  const hosts = first.map(({ host }) => host);
  expect(hosts.filter((host) => host === 'other.test')).toHaveLength(1);
  expect(hosts.filter((host) => host === '127.0.0.1')).toHaveLength(4);
  expect(await claim({ total: 0 })).toEqual([]);
  const others = await claim();
  expect(others).toHaveLength(8);
  expect(await claim()).toEqual([]);
  const later = await claim({ now: new Date(Date.now() + 40_000) });
  expect(later).toHaveLength(13);
  expect(new Set(later.map(({ attempt }) => attempt))).toEqual(new Set([2]));
});

it('the result of an earlier claim, and one of an execution that was cancelled, change nothing', async () => {
  const { workflow } = await parked(2);
  const [stale] = await claim({ total: 1 });
  await claim({ now: new Date(Date.now() + 40_000) });
  const result = (of: typeof stale) => ({
    ...{
      stepExecutionId: of?.stepExecutionId ?? '',
      executionId: of?.executionId ?? '',
      token: of?.token ?? '',
    },
    ...{ status: 'COMPLETED' as const, inMs: null, output: { success: true }, error: null },
  });
  await settleRequests(durable(), [result(stale)]);
  expect(await prisma().stepRequest.count()).toBe(2);
  const [current] = await claim({ now: new Date(Date.now() + 80_000), total: 1 });
  const executionId = current?.executionId ?? '';
  await cancelExecution.run(project.ctx, { id: workflow.id, executionId });
  await settleRequests(durable(), [result(current)]);
  expect(await prisma().workflowExecution.findUniqueOrThrow({ where: { id: executionId } })).toMatchObject({
    status: 'CANCELLED',
    dueAt: null,
  });
  const step = await prisma().workflowStepExecution.findUniqueOrThrow({
    where: { id: current?.stepExecutionId ?? '' },
  });
  expect(step.status).toBe('SKIPPED');
  expect(await prisma().stepRequest.count()).toBe(1);
});

it('a deleted workflow leaves no request to be made, and no entry', async () => {
  const { workflow } = await parked(2);
  await cancelAllExecutions.run(project.ctx, { id: workflow.id });
  await deleteWorkflow.run(project.ctx, { id: workflow.id });
  expect(await claim()).toEqual([]);
  await removedBehind(test.services, project.id);
  expect(await prisma().workflowEntry.count({ where: { workflowId: workflow.id } })).toBe(0);
});
