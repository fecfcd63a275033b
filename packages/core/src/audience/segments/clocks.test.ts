import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SqlDb } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { evaluateTrees, judgeRows, type TreeRow } from './evaluate-trees.store.ts';
import type { Filter, FilterTree } from './filters.rules.ts';

/** Rows with clocks of their own are judged as each would be alone, at its time. */
let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
});
afterAll(() => test.close());

const of = (...filters: Filter[]): FilterTree => ({ logic: 'AND', groups: [{ filters }] });
const timeZone = 'Europe/Berlin';
const hour = 3_600_000;

const timed: Filter[] = [
  { field: 'data.date', operator: 'within', value: 3, unit: 'days' },
  { field: 'data.date', operator: 'olderThan', value: 30, unit: 'hours' },
  { field: 'data.date', operator: 'withinNext', value: 2, unit: 'days' },
  { field: 'data.date', operator: 'laterThan', value: 90, unit: 'minutes' },
  { field: 'data.date', operator: 'onDay', value: 0 },
  { field: 'data.date', operator: 'onDay', value: -1 },
  { field: 'data.date', operator: 'anniversaryWithinNext', value: 2 },
  { field: 'createdAt', operator: 'within', value: 5, unit: 'days' },
  { field: 'context.date', operator: 'within', value: 3, unit: 'days' },
  { field: 'event.buy', operator: 'triggeredWithin', value: 4, unit: 'days' },
  { field: 'event.buy', operator: 'triggeredOlderThan', value: 2, unit: 'days' },
  { field: 'event.buy', operator: 'occurred', window: { last: 50, unit: 'hours' }, times: { min: 2 } },
  { field: 'event.buy', operator: 'notOccurred', window: { olderThan: 1, unit: 'days' } },
  {
    field: 'event.buy',
    operator: 'occurred',
    where: [{ property: 'due', operator: 'withinNext', value: 1, unit: 'days' }],
  },
  { field: 'event.buy', operator: 'last', compare: 'within', value: 30, unit: 'hours' },
  { field: 'data.plan', operator: 'equals', value: 'pro' },
];

const begin = Date.UTC(2026, 2, 26, 21);

async function rowsOf(count: number): Promise<TreeRow[]> {
  const contacts = Array.from({ length: count }, () => newId());
  await test.services.database.prisma.event.createMany({
    data: contacts.flatMap((contactId, index) =>
      [0, 1].map((each) => ({
        ...{ id: newId(), projectId: project.id, contactId, name: 'buy' },
        data: { due: new Date(begin + (index % 90) * hour).toISOString() },
        createdAt: new Date(begin + ((index * 7 + each * 20) % 120) * hour),
      })),
    ),
  });
  // Over the change of the clocks, and with days alone as well as instants.
  return contacts.map((contactId, n) => {
    const instant = new Date(begin + ((n * 13) % 150) * hour).toISOString();
    const date = n % 3 === 0 ? instant.slice(0, 10) : instant;
    return {
      ...{ n, contactId, email: `c${n}@people.test`, subscribed: true, steps: {} },
      ...{ topicsOn: [], topicsOff: [], topicDefaults: true },
      ...{ status: 'subscribed' as const, consentBasis: 'default' as const, consentedAt: null },
      ...{ createdAt: new Date(begin - n * hour).toISOString(), updatedAt: new Date(begin).toISOString() },
      data: { date, plan: n % 2 === 0 ? 'pro' : 'free' },
      context: { date },
      at: new Date(begin + n * 1.5 * hour),
    };
  });
}

/** Counts what is asked. */
function counting(db: SqlDb): SqlDb & { asked: number } {
  const counted = {
    asked: 0,
    $queryRaw: <T>(...given: Parameters<SqlDb['$queryRaw']>) => {
      counted.asked += 1;
      return db.$queryRaw<T>(...given);
    },
    $executeRaw: (...given: Parameters<SqlDb['$executeRaw']>) => db.$executeRaw(...given),
    $queryRawUnsafe: <T>(...given: Parameters<SqlDb['$queryRawUnsafe']>) => db.$queryRawUnsafe<T>(...given),
  };
  return counted;
}

it('each row is judged at its own time, all of them by one statement', async () => {
  const rows = await rowsOf(100);
  const db = counting(test.services.database.prisma);
  const asked = { projectId: project.id, now: new Date(0), timeZone };
  for (const filter of timed) {
    const branches = [of(filter), of({ field: 'data.plan', operator: 'equals', value: 'pro' }, filter)];
    db.asked = 0;
    const together = await judgeRows(db, { ...asked, rows, branches });
    expect(db.asked, JSON.stringify(filter)).toBe(1);
    const firsts = await evaluateTrees(db, { ...asked, rows, branches });
    const alone = new Map<number, unknown>();
    const some = rows.filter(({ n }) => n % 5 === 0);
    for (const { at, ...row } of some) {
      const one = await judgeRows(db, { ...asked, now: at ?? new Date(0), rows: [row], branches });
      alone.set(row.n, one.get(row.n));
    }
    const those = new Map(some.map(({ n }) => [n, together.get(n)]));
    expect(those, JSON.stringify(filter)).toEqual(alone);
    expect(firsts).toEqual(new Map([...together].map(([n, { branch }]) => [n, branch])));
    const matching = [...firsts.values()].filter((branch) => branch === 0).length;
    expect(matching, JSON.stringify(filter)).toBeGreaterThan(0);
    expect(matching, JSON.stringify(filter)).toBeLessThan(100);
  }
}, 120_000);

it('a condition with all of them is one statement', async () => {
  const rows = await rowsOf(60);
  const db = counting(test.services.database.prisma);
  const asked = { projectId: project.id, now: new Date(0), timeZone, rows };
  await judgeRows(db, { ...asked, branches: [of(...timed)] });
  expect(db.asked).toBe(1);
});
