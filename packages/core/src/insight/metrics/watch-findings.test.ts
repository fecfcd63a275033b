import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { register } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createInspections } from '../../adapters/inspections.ts';
import type { Services } from '../../base/kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  waitingMail,
} from '../../testing/index.ts';
import type { Finding, Verdict } from '../findings/index.ts';
import { type Surroundings, tellFindings, watchFindings } from './watch-findings.ts';

const operator = 'operator@machine.test';

let test: TestServices;
let services: Services;
let lines: Record<string, unknown>[];
beforeAll(async () => {
  test = await createTestServices({ env: { OPERATOR_EMAIL: operator } });
});
afterAll(() => test.close());
beforeEach(async () => {
  const { prisma } = test.services.database;
  await prisma.findingState.deleteMany();
  await prisma.email.deleteMany({ where: { to: operator } });
  lines = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  services = { ...test.services, log };
});

const finding = (check: string, verdict: Verdict): Finding => ({
  ...{ check, verdict, subject: 'a thing', found: 'it is broken', cause: 'a fault', action: 'repair it' },
  ...{ reference: 'PostgreSQL: disk', ms: 1 },
});
const tell = (...verdicts: Verdict[]) =>
  tellFindings(
    services,
    verdicts.map((verdict) => finding('postgres.disk', verdict)),
  );
const mails = () => test.services.database.prisma.email.count({ where: { to: operator } });
const changes = () => lines.map(({ check, former, verdict }) => [check, former, verdict]);

it('a change of the worst verdict is a line of the log, and a new failure an email', async () => {
  await tell('ok', 'ok');
  expect(changes()).toEqual([]);
  await tell('ok', 'warning');
  await tell('warning', 'ok');
  expect(changes()).toEqual([['postgres.disk', 'ok', 'warning']]);
  expect(await mails()).toBe(0);
  await tell('failure', 'warning');
  await tell('failure');
  expect(changes()).toEqual([
    ['postgres.disk', 'ok', 'warning'],
    ['postgres.disk', 'warning', 'failure'],
  ]);
  expect(lines[1]).toMatchObject({
    found: 'it is broken',
    action: 'repair it',
    reference: 'PostgreSQL: disk',
  });
  expect(await mails()).toBe(1);
});

it('a check is told of once a day at most, and each for itself', async () => {
  await tell('failure');
  await tell('ok');
  await tell('failure');
  expect(await mails()).toBe(1);
  await tellFindings(services, [finding('storage.files', 'failure')]);
  expect(await mails()).toBe(2);
  await tell('ok');
  const { prisma } = test.services.database;
  await prisma.findingState.updateMany({ data: { mailedAt: new Date(Date.now() - 25 * 3_600_000) } });
  await tell('failure');
  expect(await mails()).toBe(3);
});

it('of processes that look at the same time, one reports a failure', async () => {
  await Promise.all(Array.from({ length: 8 }, () => tell('failure')));
  expect(await mails()).toBe(1);
  expect(changes()).toEqual([['postgres.disk', null, 'failure']]);
});

it('without OPERATOR_EMAIL only the log tells', async () => {
  const { OPERATOR_EMAIL: _, ...config } = services.config;
  await tellFindings({ ...services, config: config as Services['config'] }, [
    finding('postgres.disk', 'failure'),
  ]);
  expect(changes()).toEqual([['postgres.disk', null, 'failure']]);
  expect(await mails()).toBe(0);
});

it('what is wrong with an installation is found while it runs, and its end', async () => {
  const surroundings: Surroundings = {
    ...{ env: { DATABASE_URL: test.databaseUrl }, inspect: createInspections(services.config) },
    ...{ mailWorkers: 1, smtpConnections: 1, schedules: [] },
  };
  const { prisma } = test.services.database;
  const project = await createTestProject(test.services);
  await waitingMail(test.services, project.id, { count: 1 });
  await prisma.deliveryBatch.updateMany({ data: { nextAttemptAt: new Date(Date.now() - 3_600_000) } });
  const found = async (check: string) =>
    (await register.getSingleMetric('postrider_findings')?.get())?.values.find(
      ({ labels }) => labels['check'] === check,
    )?.labels['verdict'];
  const stop = watchFindings(services, surroundings, 300);
  try {
    await expect.poll(() => found('queues.email'), { timeout: 30_000 }).toBe('warning');
    expect(await found('temporal.connection')).toBe('failure');
    await prisma.deliveryBatch.deleteMany();
    await expect.poll(() => found('queues.email'), { timeout: 30_000 }).toBe('ok');
  } finally {
    await stop();
  }
  expect(changes()).toContainEqual(['queues.email', 'warning', 'ok']);
  expect(await mails()).toBe(changes().filter(([, , verdict]) => verdict === 'failure').length);
});

it('no secret is in the log, also of those in files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  const secret = 'a-secret-that-is-in-a-file-of-32-letters';
  await writeFile(join(folder, 'secret'), secret);
  const inspect = {
    ...createInspections(services.config),
    temporal: async () => ({ kind: 'away', error: `no answer to ${secret}` }) as const,
  };
  const stop = watchFindings(services, {
    ...{ env: { APP_SECRET_FILE: join(folder, 'secret') }, inspect },
    ...{ mailWorkers: 1, smtpConnections: 1, schedules: [] },
  });
  try {
    await expect.poll(changes, { timeout: 30_000 }).toContainEqual(['temporal.connection', null, 'failure']);
  } finally {
    await stop();
    await rm(folder, { recursive: true });
  }
  expect(JSON.stringify(lines)).toContain('no answer to ***');
  expect(JSON.stringify(lines)).not.toContain(secret);
});
