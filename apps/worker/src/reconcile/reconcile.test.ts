import { newId } from '@postrider/core/base/lib';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReconcileActivities } from './reconcile.activities.ts';
import { repeatSignals } from './repeat-signals.ts';

let test: TestServices;
/** the signals of a run, as `workflow id`, in order */
let signals: string[];
let fail: string | undefined;
/** whether the server takes signals */
let isTaken: boolean;

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, {
    signal: async (job: { workflow: string; id: (input: unknown) => string }, input: unknown) => {
      if (job.workflow === fail) throw new Error('refused');
      signals.push(job.id(input));
      return isTaken;
    },
  });
});
afterAll(() => test.close());
beforeEach(() => {
  signals = [];
  fail = undefined;
  isTaken = true;
});

const reconciling = { overdueSeconds: 60, leaseMs: 60_000 };
const run = () => createReconcileActivities(test.services, reconciling).repeatHints();
const of = (kind: string) => signals.filter((id) => id.startsWith(kind));

/** Executions that were never started, the first of them the oldest. */
async function lostExecutions(count: number): Promise<string> {
  const project = await createTestProject(test.services);
  await test.services.database.prisma.$executeRaw`
    INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "wakeSeq", "updatedAt")
    SELECT gen_random_uuid(), ${project.id}::uuid, ${newId()}::uuid, gen_random_uuid(), 1, now() - interval '1 day' + n * interval '1 second'
    FROM generate_series(1, ${count}::int) n`;
  return project.id;
}

describe('one run', () => {
  it('signals every row, however many there are, the oldest first and each once', async () => {
    const projectId = await lostExecutions(3_500);
    expect((await run()).executions).toBe(3_500);
    const rows = await test.services.database.prisma.workflowExecution.findMany({
      where: { projectId },
      orderBy: { updatedAt: 'asc' },
    });
    const order = new Map(rows.map(({ id }, index) => [`execution/${id}`, index]));
    expect(new Set(of('execution/'))).toEqual(new Set(order.keys()));
    // Concurrent signals overtake one another by a few places only.
    of('execution/').forEach((id, place) => {
      expect(Math.abs((order.get(id) ?? Number.NaN) - place)).toBeLessThan(100);
    });
  });

  it('signals the other kinds although one fails, and reports the failure', async () => {
    const { id: projectId } = await createTestProject(test.services);
    const campaignId = newId();
    await test.services.database.prisma.campaignCounter.create({ data: { campaignId, projectId } });
    fail = 'runExecution';
    await lostExecutions(1);
    await expect(run()).rejects.toThrow(AggregateError);
    expect(of('campaign/')).toContain(`campaign/${campaignId}`);
  });

  it('signals every project that has data to be removed, however many there are', async () => {
    await test.services.database.prisma.$executeRaw`
      INSERT INTO "ProjectRemoval" ("id", "projectId", "kind", "before")
      SELECT gen_random_uuid(), gen_random_uuid(), 'DELETE', now() FROM generate_series(1, 1_500)`;
    expect((await run()).removals).toBe(1_500);
    expect(new Set(of('removal/')).size).toBe(1_500);
    await test.services.database.prisma.projectRemoval.deleteMany();
  });

  it('finds each project with waiting events once, the one with the oldest event first', async () => {
    const projects = [await createTestProject(test.services), await createTestProject(test.services)];
    const { prisma } = test.services.database;
    for (const { id: projectId } of projects) {
      await prisma.eventDispatch.createMany({
        data: Array.from({ length: 300 }, () => ({ eventId: newId(), projectId })),
      });
    }
    await run();
    expect(of('events/')).toEqual(projects.map(({ id }) => `events/${id}`));
  });
});

describe('executions that wait for their turn', () => {
  const clear = () => test.services.database.prisma.workflowExecution.deleteMany();

  it('are signalled in every fifth run beyond the oldest five hundred, so that signals do not take the time of their turns', async () => {
    await clear();
    await lostExecutions(600);
    const { repeatHints } = createReconcileActivities(test.services, reconciling);
    const counts: number[] = [];
    for (let n = 0; n < 6; n += 1) counts.push((await repeatHints()).executions);
    expect(counts).toEqual([600, 500, 500, 500, 500, 600]);
  });

  it('are signalled in the next run once they change, and when the server did not take the signal', async () => {
    await clear();
    await lostExecutions(600);
    const { repeatHints } = createReconcileActivities(test.services, reconciling);
    isTaken = false;
    expect((await repeatHints()).executions).toBe(600);
    isTaken = true;
    expect((await repeatHints()).executions).toBe(600);
    await test.services.database.prisma.$executeRaw`
      UPDATE "WorkflowExecution" SET "updatedAt" = "updatedAt" + interval '1 second'
      WHERE "id" = (SELECT "id" FROM "WorkflowExecution" ORDER BY "updatedAt" DESC LIMIT 1)`;
    expect((await repeatHints()).executions).toBe(501);
    expect((await repeatHints()).executions).toBe(500);
  });
});

it('a run ends in time, and says how far it came', async () => {
  const page = Array.from({ length: 100 }, (_, index) => index);
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
  const until = performance.now() + 200;
  const count = await repeatSignals<number>({ next: async () => page, signal: slow, lanes: 2 }, until);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(100);
});
