import {
  computeSegmentJob,
  createSegment,
  refreshMembershipJob,
  updateSegment,
} from '@postrider/core/audience/segments';
import { readRowSignal } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '@postrider/core/testing';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { executeJob } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createSegmentActivities, type SegmentActivities } from './segments.activities.ts';

let test: TestServices;
let environment: TestWorkflowEnvironment;
let project: TestProject;

beforeAll(async () => {
  [test, environment] = await Promise.all([createTestServices(), createTimeSkippingEnvironment()]);
}, 300_000);
afterAll(async () => {
  await environment.teardown();
  await test.close();
});
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const withPlan = (plan: string) => ({
  logic: 'AND' as const,
  groups: [{ filters: [{ field: 'data.plan', operator: 'equals' as const, value: plan }] }],
});

async function contact(plan: string): Promise<string> {
  const id = newId();
  await test.services.database.prisma.contact.create({
    data: { id, projectId: project.id, email: `${id}@people.test`, data: { plan } },
  });
  return id;
}

const tracked = (plan: string) =>
  createSegment.run(project.ctx, { name: plan, condition: withPlan(plan), trackMembership: true });

/** Names of the segment events of each contact, in order. */
async function eventsOf(contactId: string): Promise<string[]> {
  const rows = await test.services.database.prisma.event.findMany({
    where: { projectId: project.id, contactId, name: { startsWith: 'segment.' } },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ name }) => name);
}

const run = (activities: SegmentActivities, work: () => Promise<void>): Promise<void> =>
  withWorker(environment, activities, work);

const compute = (segmentId: string) => executeJob(environment, computeSegmentJob, { segmentId });

it('a segment that is due is computed once, however often its workflow is started', async () => {
  const [ada, bob] = [await contact('pro'), await contact('free')];
  const { id } = await tracked('pro');
  await run(createSegmentActivities(test.services), async () => {
    await compute(id);
    await compute(id);
  });
  expect(await eventsOf(ada)).toEqual(['segment.pro.entry']);
  expect(await eventsOf(bob)).toEqual([]);
  const { wakeSeq, seenSeq } = await test.services.database.prisma.segment.findUniqueOrThrow({
    where: { id },
  });
  expect(seenSeq).toBe(wakeSeq);
});

it('a change that arrives while a segment is being computed is included', async () => {
  const [ada, bob] = [await contact('pro'), await contact('free')];
  const { id } = await tracked('pro');
  const real = createSegmentActivities(test.services);
  let computed = 0;
  const activities: SegmentActivities = {
    ...real,
    async computeDueSegment(segmentId) {
      await real.computeDueSegment(segmentId);
      computed += 1;
      if (computed > 1) return;
      await updateSegment.run(project.ctx, { id, condition: withPlan('free') });
      await environment.client.workflow.getHandle(computeSegmentJob.id({ segmentId })).signal(readRowSignal);
    },
  };
  await run(activities, async () => void (await compute(id)));
  expect(computed).toBe(2);
  expect(await eventsOf(ada)).toEqual(['segment.pro.entry', 'segment.pro.exit']);
  expect(await eventsOf(bob)).toEqual(['segment.pro.entry']);
});

const refresh = () => executeJob(environment, refreshMembershipJob, { projectId: project.id });

const setPlan = (
  db: Pick<TestServices['services']['database']['prisma'], 'contact'>,
  id: string,
  plan: string,
) => db.contact.update({ where: { id }, data: { data: { plan } } });

const touched = () =>
  test.services.database.prisma.touchedContact.count({ where: { projectId: project.id } });

it('changed contacts enter and leave the tracked segments until none is left to check', async () => {
  const { prisma } = test.services.database;
  const [ada, bob] = [await contact('pro'), await contact('free')];
  const { id } = await tracked('pro');
  await run(createSegmentActivities(test.services), async () => {
    await compute(id);
    await setPlan(prisma, ada, 'free');
    await setPlan(prisma, bob, 'pro');
    expect(await touched()).toBe(2);
    await refresh();
  });
  expect(await eventsOf(ada)).toEqual(['segment.pro.entry', 'segment.pro.exit']);
  expect(await eventsOf(bob)).toEqual(['segment.pro.entry']);
  expect(await touched()).toBe(0);
});

it('a contact in an open transaction is checked again after the commit', async () => {
  const { prisma } = test.services.database;
  const ada = await contact('free');
  const { id } = await tracked('pro');
  const real = createSegmentActivities(test.services);
  const looks: { touched: number; done: number }[] = [];
  const activities: SegmentActivities = {
    ...real,
    async refreshTouchedContacts(projectId) {
      const look = await real.refreshTouchedContacts(projectId);
      looks.push(look);
      return look;
    },
  };
  await run(activities, async () => {
    await compute(id);
    await setPlan(prisma, ada, 'basic');
    const refreshing: Promise<unknown>[] = [];
    await prisma.$transaction(
      async (db) => {
        await setPlan(db, ada, 'pro');
        refreshing.push(refresh());
        await expect.poll(() => looks.some(({ done }) => done === 0)).toBe(true);
      },
      { timeout: 60_000 },
    );
    await Promise.all(refreshing);
  });
  expect(looks[0]).toEqual({ touched: 1, done: 0 });
  expect(await eventsOf(ada)).toEqual(['segment.pro.entry']);
  expect(await touched()).toBe(0);
});
