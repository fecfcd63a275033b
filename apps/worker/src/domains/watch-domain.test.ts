import { createDomain, watchDomainJob } from '@postrider/core/domains';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import { type DnsServer, startDns } from '@postrider/local/dns-server';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createDomainActivities } from './domains.activities.ts';

let dns: DnsServer;
let test: TestServices;
let environment: TestWorkflowEnvironment;

const day = 86_400_000;

beforeAll(async () => {
  dns = await startDns({ records: [] });
  [test, environment] = await Promise.all([
    createTestServices({ env: { DNS_SERVERS: dns.address, MAIL_HOST: 'mx.postrider.test' } }),
    createTimeSkippingEnvironment(),
  ]);
}, 300_000);

afterAll(async () => {
  await environment.teardown();
  await test.close();
  await dns.stop();
});

let count = 0;

/** A domain that was added at the Temporal server's present. */
async function addedDomain({
  pendingFor = 0,
} = {}): Promise<{ id: string; name: string; dkim: { name: string; value: string } }> {
  count += 1;
  const project = await createTestProject(test.services);
  const domain = await createDomain.run(project.ctx, { domain: `mail${count}.watch.test` });
  const now = new Date(await environment.currentTimeMs());
  await test.services.database.prisma.domain.update({
    where: { id: domain.id },
    data: { pendingSince: new Date(now.getTime() - pendingFor), nextCheckAt: now },
  });
  const dkim = domain.records.find(({ purpose }) => purpose === 'DKIM');
  if (!dkim) throw new Error('a domain without a DKIM record');
  return { id: domain.id, name: domain.domain, dkim };
}

const rowOf = (id: string) => test.services.database.prisma.domain.findUniqueOrThrow({ where: { id } });

async function watch(domainId: string, work: () => Promise<void>): Promise<void> {
  const activities = createDomainActivities(test.services, () => environment.currentTimeMs());
  await withWorker(environment, activities, async () => {
    const handle = await environment.client.workflow.start(watchDomainJob.workflow, {
      taskQueue: watchDomainJob.taskQueue,
      workflowId: watchDomainJob.id({ domainId }),
      args: [{ domainId }],
    });
    await work();
    await handle.terminate();
  });
}

const later = (ms: number): Promise<unknown> => environment.sleep(ms);

describe('a domain that is pending', () => {
  it('is verified by the next check after its record appears, and its owner is told', async () => {
    const domain = await addedDomain();
    await watch(domain.id, async () => {
      await later(10 * 60_000);
      expect((await rowOf(domain.id)).status).toBe('PENDING');
      dns.set(domain.dkim.name, 'TXT', [domain.dkim.value]);
      await later(6 * 60_000);
      await expect.poll(async () => (await rowOf(domain.id)).status, { timeout: 10_000 }).toBe('VERIFIED');
    });
    const notices = await test.services.database.prisma.email.findMany({ where: { sourceType: 'SYSTEM' } });
    const contents = await test.services.database.prisma.content.findMany({
      where: { sourceType: 'SYSTEM' },
    });
    expect(notices.length).toBe(1);
    expect(contents.map(({ subject }) => subject)).toEqual([`${domain.name} is verified`]);
  });

  it('fails after 72 hours without its record', async () => {
    const domain = await addedDomain({ pendingFor: 3 * day - 600_000 });
    await watch(domain.id, async () => {
      expect((await rowOf(domain.id)).status).toBe('PENDING');
      await later(1_200_000);
      await expect.poll(async () => (await rowOf(domain.id)).status, { timeout: 20_000 }).toBe('FAILED');
    });
  });
});

describe('a domain that is verified', () => {
  it('is pending again after three daily checks in a row that found nothing', async () => {
    const domain = await addedDomain();
    dns.set(domain.dkim.name, 'TXT', [domain.dkim.value]);
    await watch(domain.id, async () => {
      await later(60_000);
      await expect.poll(async () => (await rowOf(domain.id)).status, { timeout: 10_000 }).toBe('VERIFIED');
      dns.remove(domain.dkim.name);
      await later(2 * day + 600_000);
      expect((await rowOf(domain.id)).status).toBe('VERIFIED');
      await later(day);
      await expect.poll(async () => (await rowOf(domain.id)).status, { timeout: 10_000 }).toBe('PENDING');
    });
  });
});
