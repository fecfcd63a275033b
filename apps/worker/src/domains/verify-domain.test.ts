import { createDomain, deleteDomain, verifyDomain, watchDomainJob } from '@postrider/core/people/domains';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import { type DnsServer, startDns } from '@postrider/local/dns-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServerEnvironment, type ServerEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createDomainActivities } from './domains.activities.ts';

let dns: DnsServer;
let test: TestServices;
let environment: ServerEnvironment;

beforeAll(async () => {
  [dns, environment] = await Promise.all([startDns(), createServerEnvironment()]);
  test = await createTestServices({
    env: { DNS_SERVERS: dns.address, TEMPORAL_ADDRESS: environment.address },
  });
}, 300_000);

afterAll(async () => {
  await test.close();
  await environment.teardown();
  await dns.stop();
});

it('a forced check is made by the watcher of the domain, which ends when the domain is removed', async () => {
  const project = await createTestProject(test.services);
  const domain = await createDomain.run(project.ctx, { domain: 'forced.watch.test' });
  const [dkim] = domain.records;
  if (!dkim) throw new Error('a domain without a DKIM record');
  dns.set(dkim.name, 'TXT', [dkim.value]);
  const watcher = environment.client.workflow.getHandle(watchDomainJob.id({ domainId: domain.id }));

  await withWorker(environment, createDomainActivities(test.services), async () => {
    expect(await verifyDomain.run(project.ctx, { id: domain.id })).toMatchObject({ status: 'VERIFIED' });
    expect((await watcher.describe()).status.name).toBe('RUNNING');
    // A check made without the watcher signals it to read its row again; this one did not need to.
    const { wakeSeq } = await test.services.database.prisma.domain.findUniqueOrThrow({
      where: { id: domain.id },
    });
    expect(wakeSeq).toBe(1n);
    await deleteDomain.run(project.ctx, { id: domain.id });
    await watcher.result();
  });
});

it('a forced check is made and recorded while no worker runs', async () => {
  const project = await createTestProject(test.services);
  const domain = await createDomain.run(project.ctx, { domain: 'alone.watch.test' });
  const checked = await verifyDomain.run(project.ctx, { id: domain.id });
  expect(checked).toMatchObject({ status: 'PENDING', lastCheckedAt: expect.any(String) });
});
