import { type Context, readRowSignal } from '@postrider/core/base/kernel';
import { checkUpdate, createDomain, deleteDomain, watchDomainJob } from '@postrider/core/people/domains';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import { type DnsServer, startDns } from '@postrider/local/dns-server';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJob } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createDomainActivities } from './domains.activities.ts';

let dns: DnsServer;
let test: TestServices;
let environment: TestWorkflowEnvironment;

const day = 86_400_000;

beforeAll(async () => {
  dns = await startDns();
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

interface AddedDomain {
  ctx: Context;
  id: string;
  name: string;
  dkim: { name: string; value: string };
}

let count = 0;

/** A domain that was added at the current time of the Temporal server. */
async function addedDomain({ pendingFor = 0 } = {}): Promise<AddedDomain> {
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
  return { ctx: project.ctx, id: domain.id, name: domain.domain, dkim };
}

const rowOf = (id: string) => test.services.database.prisma.domain.findUniqueOrThrow({ where: { id } });

async function watch(domainId: string, work: (handle: WorkflowHandle) => Promise<void>): Promise<void> {
  const activities = createDomainActivities(test.services, () => environment.currentTimeMs());
  await withWorker(environment, activities, async () => {
    const handle = await startJob(environment, watchDomainJob, { domainId });
    try {
      await work(handle);
    } finally {
      // After a workflow is terminated during an activity, the server never skips time again.
      await test.services.database.prisma.domain.deleteMany({ where: { id: domainId } });
      if ((await handle.describe()).status.name === 'RUNNING') await handle.signal(readRowSignal);
      await handle.result();
    }
  });
}

const later = (ms: number): Promise<unknown> => environment.sleep(ms);

describe('a pending domain', () => {
  it('is verified by the next check after its record appears, and its owner is notified', async () => {
    const domain = await addedDomain();
    await watch(domain.id, async () => {
      await later(10 * 60_000);
      expect((await rowOf(domain.id)).status).toBe('PENDING');
      dns.set(domain.dkim.name, 'TXT', [domain.dkim.value]);
      await later(6 * 60_000);
      await expect.poll(async () => (await rowOf(domain.id)).status).toBe('VERIFIED');
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
      await expect.poll(async () => (await rowOf(domain.id)).status).toBe('FAILED');
    });
  });
});

describe('a verified domain', () => {
  it('is pending again after three daily checks in a row that found nothing', async () => {
    const domain = await addedDomain();
    dns.set(domain.dkim.name, 'TXT', [domain.dkim.value]);
    await watch(domain.id, async () => {
      await later(60_000);
      await expect.poll(async () => (await rowOf(domain.id)).status).toBe('VERIFIED');
      dns.remove(domain.dkim.name);
      await later(2 * day + 600_000);
      expect((await rowOf(domain.id)).status).toBe('VERIFIED');
      await later(day);
      await expect.poll(async () => (await rowOf(domain.id)).status).toBe('PENDING');
    });
  });
});

describe('a forced check', () => {
  it('answers as soon as it is recorded, without waiting for the next scheduled check', async () => {
    const domain = await addedDomain();
    await watch(domain.id, async (handle) => {
      await later(60_000);
      dns.set(domain.dkim.name, 'TXT', [domain.dkim.value]);
      await handle.executeUpdate(checkUpdate);
      expect((await rowOf(domain.id)).status).toBe('VERIFIED');
    });
  });

  it('is the only way to verify a failed domain again', async () => {
    const domain = await addedDomain();
    await test.services.database.prisma.domain.update({
      where: { id: domain.id },
      data: { status: 'FAILED', nextCheckAt: null },
    });
    dns.set(domain.dkim.name, 'TXT', [domain.dkim.value]);
    await watch(domain.id, async (handle) => {
      await later(30 * day);
      await handle.signal(readRowSignal);
      await later(day);
      expect(await rowOf(domain.id)).toMatchObject({ status: 'FAILED', lastCheckedAt: null });
      dns.remove(domain.dkim.name);
      await handle.executeUpdate(checkUpdate);
      expect((await rowOf(domain.id)).status).toBe('PENDING');
      dns.set(domain.dkim.name, 'TXT', [domain.dkim.value]);
      await later(6 * 60_000);
      await expect.poll(async () => (await rowOf(domain.id)).status).toBe('VERIFIED');
    });
  });
});

describe('a watcher', () => {
  it('records which version of its row it has read', async () => {
    const domain = await addedDomain();
    await watch(domain.id, async (handle) => {
      const seen = async () => {
        const { wakeSeq, seenSeq } = await rowOf(domain.id);
        return seenSeq === wakeSeq;
      };
      await expect.poll(seen).toBe(true);
      await test.services.database.prisma.domain.update({
        where: { id: domain.id },
        data: { wakeSeq: { increment: 1 } },
      });
      await handle.signal(readRowSignal);
      await expect.poll(seen).toBe(true);
    });
  });

  it('ends when its domain is removed', async () => {
    const domain = await addedDomain();
    await watch(domain.id, async (handle) => {
      await later(60_000);
      await deleteDomain.run(domain.ctx, { id: domain.id });
      await handle.signal(readRowSignal);
      await handle.result();
      expect((await handle.describe()).status.name).toBe('COMPLETED');
    });
  });

  it('continues in a new run before its history grows long', async () => {
    const domain = await addedDomain();
    await watch(domain.id, async (handle) => {
      const { runId } = await handle.describe();
      await later(6 * 60 * 60_000);
      const now = await handle.describe();
      expect(now.runId).not.toBe(runId);
      expect(now.historyLength).toBeLessThan(1_000);
      dns.set(domain.dkim.name, 'TXT', [domain.dkim.value]);
      await later(6 * 60_000);
      await expect.poll(async () => (await rowOf(domain.id)).status).toBe('VERIFIED');
    });
  });
});
