import { fillConsentLog } from '@postrider/core/audience/consent';
import { newId } from '@postrider/core/base/lib';
import { normalizeAddresses } from '@postrider/core/insight/removal';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReconcileActivities } from './reconcile.activities.ts';
import { repeatSignals } from './repeat-signals.ts';

let test: TestServices;
/** the signals of a run, as `workflow id`, in order */
let signals: string[];
let fail: string | undefined;

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, {
    signal: async (job: { workflow: string; id: (input: unknown) => string }, input: unknown) => {
      if (job.workflow === fail) throw new Error('refused');
      signals.push(job.id(input));
      return true;
    },
  });
});
afterAll(() => test.close());
beforeEach(() => {
  signals = [];
  fail = undefined;
});

const drivers = { ensure: async () => 16 };
const reconciling = { drivers, overdueSeconds: 60, leaseMs: 60_000 };
const run = () => createReconcileActivities(test.services, reconciling).repeatHints();
const of = (kind: string) => signals.filter((id) => id.startsWith(kind));

describe('one run', () => {
  it('signals the other kinds although one fails, and reports the failure', async () => {
    const { id: projectId } = await createTestProject(test.services);
    const campaignId = newId();
    await test.services.database.prisma.campaignCounter.create({ data: { campaignId, projectId } });
    fail = 'removeData';
    await test.services.database.prisma.$executeRaw`
      INSERT INTO "ProjectRemoval" ("id", "projectId", "kind", "before") VALUES (gen_random_uuid(), gen_random_uuid(), 'DELETE', now())`;
    await expect(run()).rejects.toThrow(AggregateError);
    expect(of('campaign/')).toContain(`campaign/${campaignId}`);
    await test.services.database.prisma.projectRemoval.deleteMany();
  });

  it('signals every project that has data to be removed, however many there are', async () => {
    await test.services.database.prisma.$executeRaw`
      INSERT INTO "ProjectRemoval" ("id", "projectId", "kind", "before")
      SELECT gen_random_uuid(), gen_random_uuid(), 'DELETE', now() FROM generate_series(1, 1_500)`;
    expect((await run()).removals).toBe(1_500);
    expect(new Set(of('removal/')).size).toBe(1_500);
    await test.services.database.prisma.projectRemoval.deleteMany();
  });
});

it('what an update leaves to do is started until nothing is left, and not again', async () => {
  const { prisma } = test.services.database;
  const started = () => [of('fill-consent-log').length, of('normalize-addresses').length];
  await Promise.all([prisma.consentPass.deleteMany(), prisma.addressPass.deleteMany()]);
  await run();
  expect(started()).toEqual([1, 1]);
  while (await fillConsentLog(test.services));
  while (await normalizeAddresses(test.services));
  await run();
  expect(started()).toEqual([1, 1]);
});

it('a run ends in time, and says how far it came', async () => {
  const page = Array.from({ length: 100 }, (_, index) => index);
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
  const until = performance.now() + 200;
  const count = await repeatSignals<number>({ next: async () => page, signal: slow, lanes: 2 }, until);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(100);
});
