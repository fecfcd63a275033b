import fc from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmailSource, type EmailStatus, Prisma } from '../../../base/db/index.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { listEmails } from '../list-emails.ts';
import { foldTallies } from './fold-tallies.ts';
import { quartersWith, sumTallies, tallyEarlier } from './tally.store.ts';

let test: TestServices;
let contentId: string;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;
const begin = Date.parse('2026-03-29T00:00:00Z');
const quarter = 900_000;
const statuses: EmailStatus[] = ['PENDING', 'SENT', 'DELIVERED', 'FAILED', 'SKIPPED', 'UNCERTAIN', 'BOUNCED'];
const sources: EmailSource[] = ['TRANSACTIONAL', 'CAMPAIGN', 'TEST', 'SYSTEM'];

async function newProject(): Promise<TestProject> {
  const project = await createTestProject(test.services);
  contentId = newId();
  await prisma().content.create({
    data: {
      ...{ id: contentId, projectId: project.id, hash: Uint8Array.from(Buffer.from(contentId)) },
      ...{ type: 'TRANSACTIONAL', sourceType: 'TRANSACTIONAL', subject: 'S', body: 'B' },
      ...{ from: 'team@shop.test', projectName: 'Test' },
    },
  });
  return project;
}

interface Written {
  minute: number;
  status: EmailStatus;
  source: EmailSource;
}

const write = (project: TestProject, emails: readonly Written[]) =>
  prisma().email.createMany({
    data: emails.map(({ minute, status, source }, n) => ({
      ...{ id: newId(), projectId: project.id, to: `p${n}@people.test`, type: 'TRANSACTIONAL' as const },
      ...{ sourceType: source, contentId, status, createdAt: new Date(begin + minute * 60_000) },
    })),
  });

const written = fc.record({
  minute: fc.integer({ min: 0, max: 90 }),
  status: fc.constantFrom(...statuses),
  source: fc.constantFrom(...sources),
});

/** What a project's tallies must be. */
const counted = (project: TestProject) => prisma().$queryRaw`
  SELECT "status"::text, date_bin('15 minutes', "createdAt", 'epoch') AS "at", "sourceType"::text, count(*)::int AS "count" FROM "Email"
  WHERE "projectId" = ${project.id}::uuid AND "sourceType" <> 'SYSTEM' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
const tallied = (project: TestProject) => prisma().$queryRaw`
  SELECT "status"::text, "at", "sourceType"::text, sum("count")::int AS "count" FROM (
    SELECT "status", "at", "sourceType", "count" FROM "EmailTally" WHERE "projectId" = ${project.id}::uuid
    UNION ALL SELECT "status", "at", "sourceType", "count" FROM "EmailTallyEntry" WHERE "projectId" = ${project.id}::uuid) t
  GROUP BY 1, 2, 3 HAVING sum("count") <> 0 ORDER BY 1, 2, 3`;

const piece = (project: TestProject, size: number) =>
  prisma().$transaction((db) => tallyEarlier(db, project.id, size), {
    isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead,
  });

const change = fc.oneof(
  fc.record({
    what: fc.constant('write' as const),
    emails: fc.array(written, { minLength: 1, maxLength: 8 }),
  }),
  fc.record({
    what: fc.constant('settle' as const),
    from: fc.constantFrom(...statuses),
    to: fc.constantFrom(...statuses),
  }),
  fc.record({ what: fc.constant('remove' as const), status: fc.constantFrom(...statuses) }),
  fc.record({ what: fc.constant('fold' as const) }),
);

async function make(
  project: TestProject,
  one: typeof change extends fc.Arbitrary<infer Change> ? Change : never,
) {
  const where = { projectId: project.id };
  if (one.what === 'write') await write(project, one.emails);
  if (one.what === 'settle')
    await prisma().email.updateMany({
      where: { ...where, status: one.from },
      data: { status: one.to, sentAt: null },
    });
  if (one.what === 'remove') await prisma().email.deleteMany({ where: { ...where, status: one.status } });
  if (one.what === 'fold') await foldTallies(test.services);
}

describe('tallies of emails', () => {
  it('equal a count of the rows after any changes, folded or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 10 }), async (changes) => {
        const project = await newProject();
        await piece(project, 1);
        for (const one of changes) await make(project, one);
        expect(await tallied(project)).toEqual(await counted(project));
        await foldTallies(test.services);
        expect(await tallied(project)).toEqual(await counted(project));
        expect(await prisma().emailTallyEntry.count({ where: { projectId: project.id } })).toBe(0);
        expect(await prisma().emailTally.count({ where: { projectId: project.id, count: 0 } })).toBe(0);
      }),
      { numRuns: 25 },
    );
  });

  it('equal a count when emails of before there were any are counted piece by piece beside changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(written, { minLength: 5, maxLength: 40 }),
        fc.array(change, { minLength: 2, maxLength: 10 }),
        async (before, changes) => {
          const project = await newProject();
          await write(project, before);
          // As if there had been no triggers.
          await prisma().emailTallyEntry.deleteMany({ where: { projectId: project.id } });
          expect(await sumTallies(prisma(), { projectId: project.id })).toBeNull();
          const pieces = (async () => {
            while (await piece(project, 3).catch(() => true));
          })();
          for (const one of changes) await make(project, one);
          await pieces;
          while (await piece(project, 3));
          expect(await tallied(project)).toEqual(await counted(project));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('tell in which quarters of an hour a status is, until there are enough', async () => {
    const project = await newProject();
    await piece(project, 1);
    const failed = [1, 2, 20, 80].map((minute) => ({
      minute,
      status: 'FAILED' as const,
      source: 'CAMPAIGN' as const,
    }));
    await write(project, [...failed, { minute: 40, status: 'SENT', source: 'CAMPAIGN' }]);
    const of = async (dir: 'asc' | 'desc', enough: number, bounds: object = {}) =>
      (
        await quartersWith(prisma(), {
          ...{ projectId: project.id, statuses: ['FAILED'], dir, enough },
          ...bounds,
        })
      )?.map((at) => (at.getTime() - begin) / quarter);
    expect(await of('desc', 100)).toEqual([5, 1, 0]);
    expect(await of('desc', 2)).toEqual([5, 1]);
    expect(await of('asc', 2)).toEqual([0]);
    expect(
      await of('asc', 100, { from: new Date(begin + quarter), to: new Date(begin + 2 * quarter) }),
    ).toEqual([1]);
    await prisma().email.updateMany({
      where: { projectId: project.id, status: 'FAILED' },
      data: { status: 'SKIPPED' },
    });
    expect(await of('desc', 100)).toEqual([]);
  });
});

describe('the list of emails by status', () => {
  it('has every email once, in its order, with an exact total', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(written, { minLength: 10, maxLength: 60 }),
        fc.constantFrom(...statuses),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.record(
          {
            from: fc
              .integer({ min: 0, max: 90 })
              .map((minute) => new Date(begin + minute * 60_000).toISOString()),
            to: fc
              .integer({ min: 0, max: 90 })
              .map((minute) => new Date(begin + minute * 60_000).toISOString()),
            sourceType: fc.constantFrom('TRANSACTIONAL', 'CAMPAIGN', 'TEST'),
          },
          { requiredKeys: [] },
        ),
        async (emails, status, dir, given) => {
          const project = await newProject();
          await write(project, emails);
          const read = async () => {
            const ids: string[] = [];
            const totals: number[] = [];
            for (let cursor: string | undefined; ; ) {
              const page = await listEmails.runRaw(project.ctx, {
                ...given,
                status,
                dir,
                limit: 4,
                ...(cursor && { cursor }),
              });
              ids.push(...page.data.map(({ id }) => id));
              totals.push(page.total);
              if (page.cursor === null) return { ids, total: totals[0] };
              cursor = page.cursor;
            }
          };
          const before = await read();
          await piece(project, 1_000);
          expect(await read()).toEqual(before);
          await foldTallies(test.services);
          expect(await read()).toEqual(before);
          expect(before.total).toBe(before.ids.length);
          expect(new Set(before.ids).size).toBe(before.ids.length);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('counts what is held or scheduled as such, and not as PENDING', async () => {
    const project = await newProject();
    await piece(project, 1);
    const pending = (minute: number) => ({
      minute,
      status: 'PENDING' as const,
      source: 'TRANSACTIONAL' as const,
    });
    await write(project, [pending(1), pending(2), pending(20), pending(21), pending(50)]);
    const [scheduled, one, two] = await prisma().email.findMany({
      where: { projectId: project.id },
      orderBy: { createdAt: 'asc' },
    });
    await prisma().email.update({
      where: { id: scheduled?.id ?? '' },
      data: { scheduledAt: new Date(Date.now() + 86_400_000) },
    });
    const batchId = newId();
    const emailIds = [one?.id ?? '', two?.id ?? ''];
    await prisma().deliveryBatch.create({
      data: {
        id: batchId,
        projectId: project.id,
        priority: 1,
        token: newId(),
        leaseUntil: new Date(Date.now() + 60_000),
        emailIds,
      },
    });
    await prisma().email.updateMany({ where: { id: { in: emailIds } }, data: { batchId } });
    const of = async (status: string) => {
      const { data, total } = await listEmails.runRaw(project.ctx, { status });
      expect(data).toHaveLength(total);
      return total;
    };
    expect([await of('PENDING'), await of('SENDING'), await of('SCHEDULED')]).toEqual([2, 2, 1]);
    await prisma().email.updateMany({ where: { id: one?.id ?? '' }, data: { status: 'UNCERTAIN' } });
    expect([await of('PENDING'), await of('SENDING'), await of('UNCERTAIN')]).toEqual([2, 2, 0]);
  });
});
