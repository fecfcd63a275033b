import { createDomain, deleteDomain, verifyDomain, watchDomainJob } from '@postrider/core/domains';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { startTemporal, type Temporal } from '@postrider/local/temporal-server';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workflowBundle } from '../testing/time-skipping.ts';
import { createDomainActivities } from './domains.activities.ts';

let dns: DnsServer;
let temporal: Temporal;
let test: TestServices;
let connection: Connection;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  [dns, temporal] = await Promise.all([startDns(), startTemporal()]);
  test = await createTestServices({ env: { DNS_SERVERS: dns.address, TEMPORAL_ADDRESS: temporal.address } });
  connection = await Connection.connect({ address: temporal.address });
}, 300_000);

afterAll(async () => {
  await connection.close();
  await test.close();
  await temporal.stop();
  await dns.stop();
});

/** Runs `work` beside a worker for the real server. */
async function withWorker(work: () => Promise<void>): Promise<void> {
  const native = await NativeConnection.connect({ address: temporal.address });
  const worker = await Worker.create({
    connection: native,
    taskQueue: watchDomainJob.taskQueue,
    workflowBundle: await workflowBundle(),
    activities: createDomainActivities(test.services),
  });
  await worker.runUntil(work);
  await native.close();
}

it('a forced check goes through the watcher of the domain, which ends when the domain is removed', async () => {
  const project = await createTestProject(test.services);
  const domain = await createDomain.run(project.ctx, { domain: 'forced.watch.test' });
  const [dkim] = domain.records;
  if (!dkim) throw new Error('a domain without a DKIM record');
  dns.set(dkim.name, 'TXT', [dkim.value]);
  const { workflow } = new Client({ connection });
  const watcher = workflow.getHandle(watchDomainJob.id({ domainId: domain.id }));

  await withWorker(async () => {
    expect(await verifyDomain.run(project.ctx, { id: domain.id })).toMatchObject({ status: 'VERIFIED' });
    expect((await watcher.describe()).status.name).toBe('RUNNING');
    // A check that was made without the watcher asks it to look again; this one did not need to.
    const { wakeSeq } = await test.services.database.prisma.domain.findUniqueOrThrow({
      where: { id: domain.id },
    });
    expect(wakeSeq).toBe(1n);
    await deleteDomain.run(project.ctx, { id: domain.id });
    await watcher.result();
  });
});

it('a forced check answers within 15 seconds and is recorded while no worker runs', async () => {
  const project = await createTestProject(test.services);
  const domain = await createDomain.run(project.ctx, { domain: 'alone.watch.test' });
  const started = performance.now();
  const checked = await verifyDomain.run(project.ctx, { id: domain.id });
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(checked).toMatchObject({ status: 'PENDING', lastCheckedAt: expect.any(String) });
});
