import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInspections } from '@postrider/core/adapters';
import { version } from '@postrider/core/base/db';
import { newId } from '@postrider/core/base/lib';
import { watchDatabase, watchFindings } from '@postrider/core/insight/metrics';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  waitingMail,
} from '@postrider/core/testing/index.ts';
import { freePort } from '@postrider/local/ports';
import { findPrometheus, type Prometheus } from '@postrider/local/prometheus';
import { register } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveMetrics } from '../metrics-server.ts';
import { metricsIn, readDashboard, readRules } from './read-monitoring.fixture.ts';

let test: TestServices;
let metrics: Awaited<ReturnType<typeof serveMetrics>>;
let stops: (() => Promise<void>)[];

beforeAll(async () => {
  await Promise.all([
    import('@postrider/core/mail/delivery'),
    import('@postrider/core/mail/sending'),
    import('../bounces/bounce-receiver.ts'),
  ]);
  test = await createTestServices();
  stops = [
    watchDatabase(test.services, 500),
    watchFindings(
      test.services,
      {
        ...{ env: {}, inspect: createInspections(test.services.config) },
        ...{ mailWorkers: 1, smtpConnections: 1, schedules: [] },
      },
      2_000,
    ),
  ];
  const { config } = test.services;
  metrics = await serveMetrics(
    { HOST: '127.0.0.1', METRICS_TOKEN: undefined, NODE_ENV: config.NODE_ENV },
    0,
    async () => [],
  );
});
afterAll(async () => {
  await metrics.close();
  for (const stop of stops) await stop();
  await test.close();
});

it('every metric of the rules and the dashboard is one that is served', async () => {
  const { panels } = await readDashboard();
  const used = new Set([
    ...metricsIn(await readRules()),
    ...panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))),
  ]);
  const served = new Set((await register.getMetricsAsJSON()).map(({ name }) => name));
  const missing = [...used].filter((name) => name.startsWith('postrider_') && !served.has(name));
  expect(missing).toEqual([]);
  expect(used.size).toBeGreaterThan(25);
});

describe('a real Prometheus', () => {
  let prometheus: Prometheus | null = null;
  let child: ChildProcess | null = null;
  let url: string;
  let folder: string;
  let reason = '';

  beforeAll(async () => {
    prometheus = await findPrometheus((why) => {
      reason = why;
    });
    if (!prometheus) return;
    folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
    // Of the same rules, in seconds.
    const rules = (await readRules())
      .replaceAll('interval: 30s', 'interval: 2s')
      .replace(/^( +for: ).*$/gm, '$12s')
      .replaceAll('[50h]', '[4s]')
      .replace('postrider_db_oldest_snapshot_seconds) > 600', 'postrider_db_oldest_snapshot_seconds) > 3');
    await writeFile(join(folder, 'rules.yml'), rules);
    await writeFile(
      join(folder, 'prometheus.yml'),
      JSON.stringify({
        global: { scrape_interval: '2s', evaluation_interval: '2s' },
        rule_files: ['rules.yml'],
        scrape_configs: [
          { job_name: 'worker', static_configs: [{ targets: [`127.0.0.1:${metrics.port}`] }] },
        ],
      }),
    );
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    child = spawn(
      prometheus.server,
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
  });
  afterAll(async () => {
    if (child) {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    }
  });

  interface Answer {
    data: { result: { metric: Record<string, string>; value: [number, string] }[] };
  }

  async function query(text: string): Promise<Answer['data']['result']> {
    const answer = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: text })}`);
    if (!answer.ok) throw new Error(`${text}: ${await answer.text()}`);
    return ((await answer.json()) as Answer).data.result;
  }

  const firing = (name: string): Promise<boolean> =>
    query(`ALERTS{alertname="${name}", alertstate="firing"}`).then(({ length }) => length > 0);
  const patience = { timeout: 240_000, interval: 250 };

  it('scrapes a worker, and answers every query of the dashboard', async (context) => {
    if (!child) return context.skip(`Prometheus is absent: ${reason}`);
    await expect
      .poll(
        () =>
          query('up')
            .then(([up]) => up?.value[1])
            .catch(() => undefined),
        patience,
      )
      .toBe('1');
    for (const { targets = [] } of (await readDashboard()).panels)
      for (const { expr } of targets) await query(expr.replaceAll('$__rate_interval', '1m'));
  }, 600_000);

  it('raises alerts by real faults, and ends them', async (context) => {
    if (!child) return context.skip(`Prometheus is absent: ${reason}`);
    const { durable, prisma } = test.services.database;
    // No Temporal server runs here.
    await expect.poll(() => firing('EngineAway'), patience).toBe(true);
    // No delivery process runs here.
    const project = await createTestProject(test.services);
    await waitingMail(test.services, project.id, { count: 1 });
    await prisma.deliveryBatch.updateMany({ data: { nextAttemptAt: new Date(Date.now() - 90_000) } });
    const client = await durable.connect();
    // Of another program, which may take as long as it likes.
    await client.query('SET idle_in_transaction_session_timeout = 0');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query('SELECT count(*) FROM "Project"');
    await prisma.epoch.updateMany({ data: { startedAt: new Date(Date.now() - 3 * 86_400_000) } });
    const { config } = test.services;
    await prisma.idempotencyKey.create({
      data: {
        ...{ projectId: project.id, key: 'a', request: 'a' },
        createdAt: new Date(Date.now() - (config.IDEMPOTENCY_TTL_HOURS + 7) * 3_600_000),
      },
    });
    const now = new Date();
    await prisma.process.create({
      data: {
        ...{ id: newId(), kind: 'worker', host: 'another', version, schema: '', apartMs: 500 },
        // It is not renewed, and stays for as long as this test lasts.
        ...{ startedAt: now, seenAt: new Date(now.getTime() + 600_000) },
      },
    });
    await prisma.$executeRaw`UPDATE pg_class SET reltuples = 30000000 WHERE relname = 'Event_1'`;
    const faults = ['OldestEmailWaits', 'SnapshotOld', 'BackupOld', 'SweepBehind', 'ClockApart', 'SliceFull'];
    for (const name of faults) await expect.poll(() => firing(name), patience).toBe(true);
    await prisma.route.create({ data: { id: 'smtp://relay:25', pausedAt: new Date(), reason: 'connect' } });
    await expect.poll(() => firing('RoutePaused'), patience).toBe(true);
    // Its mail server is the cause, which has an alert of its own.
    await expect.poll(() => firing('OldestEmailWaits'), patience).toBe(false);
    await client.query('ROLLBACK');
    client.release(true);
    await prisma.$executeRaw`UPDATE pg_class SET reltuples = 0 WHERE relname = 'Event_1'`;
    await prisma.route.deleteMany();
    await prisma.idempotencyKey.deleteMany();
    await prisma.process.deleteMany();
    await prisma.deliveryBatch.deleteMany();
    await prisma.installation.updateMany({ data: { backedUpAt: new Date() } });
    for (const name of ['RoutePaused', ...faults])
      await expect.poll(() => firing(name), patience).toBe(false);
  }, 900_000);

  it('says when no worker looks', async (context) => {
    if (!child) return context.skip(`Prometheus is absent: ${reason}`);
    const [stop, ...others] = stops;
    stops = others;
    await stop?.();
    await expect.poll(() => firing('OldestEmailWaits'), patience).toBe(true);
  }, 600_000);
});
