import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Prisma } from '../../base/db/index.ts';
import { newId, type Unit } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import type { Filter, FilterTree, WhereCondition } from './filters.rules.ts';
import { readFilterTree } from './filters.schema.ts';
import { compileForRows } from './filters.store.ts';
import { compileMoment } from './moments.store.ts';
import { wheelMs } from './segments.rules.ts';

let test: TestServices;

/** Zones, each with an instant within a day of which its clocks are changed. In Havana and Beirut midnight is skipped, or occurs twice. */
const places = [
  ['UTC', '2026-02-28T12:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['America/Havana', '2026-11-01T03:00:00.000Z'],
  ['Asia/Beirut', '2026-03-28T21:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-04T14:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-12-31T09:59:00.000Z'],
] as const;

const unitMs: Record<Unit, number> = { days: 86_400_000, hours: 3_600_000, minutes: 60_000 };
const amounts: Record<Unit, readonly number[]> = {
  days: [0, 1, 2, 7, 0.5],
  hours: [1, 24, 30],
  minutes: [1, 90, 1_440],
};
const spans = Object.entries(amounts).flatMap(([unit, list]) =>
  list.map((amount) => ({ value: amount, unit: unit as Unit })),
);
const span = fc.constantFrom(...spans);

/** An instant that a window of some length enters or leaves around the time of the test. */
const moment = fc
  .tuple(span, fc.constantFrom(-1, 1), fc.integer({ min: -27 * 60, max: 27 * 60 }), fc.nat(59_999))
  .map(([{ value, unit }, way, minutes, ms]) => way * value * unitMs[unit] + minutes * 60_000 + ms);

type Written = (at: number) => string;
const written: fc.Arbitrary<Written> = fc.constantFrom<Written[]>(
  (at) => new Date(at).toISOString(),
  (at) => new Date(at).toISOString().slice(0, 10),
  (at) => new Date(at).toISOString().slice(0, 16),
  (at) => `${new Date(at + 5.5 * 3_600_000).toISOString().slice(0, 19)}+05:30`,
  (at) => `1984${new Date(at).toISOString().slice(4, 10)}`,
  () => '2026-02-30',
);
const text = fc.tuple(moment, written);

const person = fc.record({
  createdAt: moment,
  since: text,
  until: fc.option(text, { nil: null, freq: 5 }),
  plan: fc.constantFrom('pro', 'free'),
  bought: fc.array(fc.record({ at: moment, on: text, amount: fc.constantFrom(1, 5) }), { maxLength: 5 }),
  opened: fc.array(moment, { maxLength: 3 }),
});

const windowed = (operators: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...operators), span)
    .map(([operator, given]) => ({ operator, ...given }) as WhereCondition);
const ofDays = fc.oneof(
  fc.record({ operator: fc.constant('onDay'), value: fc.constantFrom(-1, 0, 1, 7) }),
  fc.record({ operator: fc.constant('anniversaryWithinNext'), value: fc.constantFrom(0, 1, 30) }),
) as fc.Arbitrary<WhereCondition>;
const asking = fc.oneof(
  { weight: 3, arbitrary: windowed(['within', 'olderThan', 'withinNext', 'laterThan']) },
  ofDays,
);

const ofDate: fc.Arbitrary<Filter> = fc
  .tuple(fc.constantFrom('createdAt', 'data.since', 'data.until'), asking)
  .map(([field, asked]) => ({ ...asked, field }) as Filter);
const still = fc.constantFrom<Filter[]>(
  { field: 'data.plan', operator: 'equals', value: 'pro' },
  { field: 'data.since', operator: 'greaterThan', value: '2026-06-01' },
  { field: 'event.buy', operator: 'triggered' },
);
const ofShortForm = fc
  .tuple(
    fc.constantFrom('event.buy', 'email.opened'),
    windowed(['triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan']),
  )
  .map(([field, asked]) => ({ ...asked, field }) as unknown as Filter);
const window = fc.oneof(
  span.map(({ value, unit }) => ({ last: value, unit })),
  span.map(({ value, unit }) => ({ olderThan: value, unit })),
);
const bothEnds = fc.constantFrom(
  { last: 7, olderThan: 1, unit: 'days' },
  { last: 30, olderThan: 1, unit: 'hours' },
);
const times = fc.constantFrom({ min: 1 }, { min: 2 }, { max: 1 }, { min: 1, max: 2 }, { max: 0 });
const ofCount = (period: fc.Arbitrary<object>) =>
  fc
    .record({
      field: fc.constantFrom('event.buy', 'email.opened'),
      operator: fc.constant('occurred'),
      window: period,
      times,
    })
    .map((filter) => filter as Filter);
const where = fc.option(
  fc.oneof(
    fc.constant<WhereCondition>({ property: 'amount', operator: 'greaterThan', value: 2 }),
    asking.map((asked) => ({ ...asked, property: 'on' })),
  ),
  { nil: null },
);
const conditional = (filter: object, condition: WhereCondition | null): Filter =>
  ({ ...filter, ...(condition && { where: [condition] }) }) as Filter;
const ofFigure = fc
  .tuple(
    fc.record({
      field: fc.constant('event.buy'),
      operator: fc.constantFrom('total', 'smallest', 'distinct'),
      property: fc.constant('amount'),
      compare: fc.constantFrom('greaterThan', 'equals'),
      value: fc.constantFrom(0, 1, 5),
      window: fc.oneof(window, bothEnds),
    }),
    where,
  )
  .map(([filter, condition]) => conditional(filter, condition));
const ofEdge = fc
  .tuple(
    fc.constantFrom('first', 'last'),
    asking,
    fc.option(fc.oneof(window, bothEnds), { nil: null }),
    fc.boolean(),
    where,
  )
  .map(([operator, { operator: compare, value, unit }, period, ofProperty, condition]) =>
    conditional(
      {
        ...{ field: 'event.buy', operator, compare, value },
        ...(unit && { unit }),
        ...(ofProperty && { property: 'on' }),
        ...(period && { window: period }),
      },
      condition,
    ),
  );
const conditionalCount = fc
  .tuple(fc.oneof(ofShortForm, ofCount(fc.oneof(window, bothEnds))), where)
  .map(([filter, condition]) => (filter.field === 'email.opened' ? filter : conditional(filter, condition)));

/** Filters whose moments are those at which their answer changes, and none besides. */
const exact = fc.oneof({ weight: 2, arbitrary: ofDate }, ofShortForm, ofCount(window));
const anyFilter = fc.oneof({ weight: 3, arbitrary: ofDate }, still, conditionalCount, ofFigure, {
  weight: 2,
  arbitrary: ofEdge,
});
const tree: fc.Arbitrary<FilterTree> = fc
  .tuple(
    fc.constantFrom<('AND' | 'OR')[]>('AND', 'OR'),
    fc.array(fc.array(anyFilter, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }),
    fc.option(anyFilter, { nil: null }),
  )
  .map(([logic, groups, nested]) => ({
    logic,
    groups: groups.map((filters, index) => ({
      filters,
      ...(nested && index === 0 && { conditions: { logic: 'OR', groups: [{ filters: [nested] }] } }),
    })),
  }));

interface Place {
  project: TestProject;
  timeZone: string;
  now: Date;
  /** what the times of its contacts are, in milliseconds */
  instants: Map<string, number[]>;
}

const population: Place[] = [];

async function populate(timeZone: string, at: string, seed: number): Promise<Place> {
  const { prisma } = test.services.database;
  const project = await createTestProject(test.services);
  const projectId = project.id;
  await prisma.project.update({ where: { id: projectId }, data: { timeZone } });
  const now = new Date(at);
  const instants = new Map<string, number[]>();
  const text = ([ms, write]: [number, Written]): string => write(now.getTime() + ms);
  for (const who of fc.sample(person, { numRuns: 40, seed })) {
    const id = newId();
    const since = (ms: number): Date => new Date(now.getTime() + ms);
    const past = (ms: number): Date => since(-Math.abs(ms));
    await prisma.contact.create({
      data: {
        id,
        projectId,
        email: `${id}@people.test`,
        createdAt: since(who.createdAt),
        data: { plan: who.plan, since: text(who.since), ...(who.until && { until: text(who.until) }) },
      },
    });
    await prisma.event.createMany({
      data: who.bought.map(({ at: ms, on, amount }) => ({
        ...{ id: newId(), projectId, contactId: id, kind: 'CUSTOM' as const, name: 'buy' },
        data: { on: text(on), amount },
        createdAt: past(ms),
      })),
    });
    await prisma.email.createMany({
      data: who.opened.map((ms) => ({
        ...{ id: newId(), projectId, contactId: id, to: `${id}@people.test`, contentId: newId() },
        ...{ type: 'TRANSACTIONAL' as const, sourceType: 'TRANSACTIONAL' as const, openedAt: past(ms) },
      })),
    });
    const texts = [who.since, ...(who.until ? [who.until] : []), ...who.bought.map(({ on }) => on)];
    instants.set(id, [
      since(who.createdAt).getTime(),
      ...texts.flatMap(([ms]) => [since(ms).getTime(), Date.parse(since(ms).toISOString().slice(0, 10))]),
      ...[...who.bought.map(({ at: ms }) => ms), ...who.opened].map((ms) => past(ms).getTime()),
    ]);
  }
  return { project, timeZone, now, instants };
}

const asked = fc.record({
  place: fc.nat(places.length - 1),
  shiftMs: fc.oneof(fc.constant(0), fc.integer({ min: -43_200_000, max: 43_200_000 })),
  from: fc.nat(31),
  picks: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
});
const contactsPerRun = 8;
const mostTimes = 120;

/** The times at which the answers are looked at: around every moment, around what may be one, and evenly spread. */
function timesToLook(
  { now, instants }: Place,
  ids: readonly string[],
  moments: readonly (Date | null)[],
  picks: readonly number[],
  start: number,
): number[] {
  const end = start + wheelMs;
  const spread = Array.from(
    { length: 53 },
    (_, index) => start + (index + 1) * 30 * 60_000 - (index % 7) * 61_001,
  );
  const near = ids.flatMap((id) =>
    (instants.get(id) ?? []).flatMap((at) =>
      spans.flatMap(({ value, unit }) => [at - value * unitMs[unit], at + value * unitMs[unit]]),
    ),
  );
  const within = [...new Set(near)].filter((at) => at > start && at < end);
  const picked = picks.flatMap((pick) => (within.length > 0 ? [within[pick % within.length] ?? start] : []));
  const around = (at: number): number[] => [at - 60_000, at - 1, at, at + 1, at + 60_000];
  const found = moments.flatMap((at) => (at ? [at.getTime() - 60_000, at.getTime() - 1, at.getTime()] : []));
  const days = Array.from(
    { length: 5 },
    (_, index) => Math.floor(now.getTime() / 86_400_000) * 86_400_000 + index * 43_200_000,
  );
  const all = [...found, ...picked.flatMap(around), ...days, ...spread].filter(
    (at) => at > start && at <= end,
  );
  return [...new Set([start, ...all.slice(0, mostTimes)])].toSorted((a, b) => a - b);
}

interface Looked {
  id: string;
  at: Date | null;
  answers: { time: number; matches: boolean }[];
}

/** The moments of some contacts, and their answers as time passes. */
async function look(
  condition: FilterTree,
  given: ReturnType<(typeof asked)['generate']>['value'],
): Promise<Looked[]> {
  const { prisma } = test.services.database;
  const place = population[given.place];
  if (!place) throw new Error('no such place');
  const { project, timeZone, now } = place;
  const start = now.getTime() + given.shiftMs;
  const ids = [...place.instants.keys()].slice(given.from, given.from + contactsPerRun);
  const until = new Date(start + wheelMs);
  const moment = await compileMoment(prisma, project.id, condition, { now: new Date(start), until });
  const ofThese = Prisma.sql`FROM "Contact" c WHERE c."projectId" = ${project.id}::uuid AND c."id" = ANY(${ids}::uuid[])`;
  const rows = await prisma.$queryRaw<{ id: string; at: Date | null }[]>`
    SELECT c."id", ${moment ?? Prisma.sql`NULL::timestamptz`} AS "at" ${ofThese}`;
  const times = timesToLook(
    place,
    ids,
    rows.map(({ at }) => at),
    given.picks,
    start,
  );
  const compile = compileForRows(prisma, project.id, [condition]);
  const each: Prisma.Sql[] = [];
  for (const time of times) each.push(...(await compile({ now: new Date(time), timeZone })));
  const answers = await prisma.$queryRaw<{ id: string; each: boolean[] }[]>`
    SELECT c."id", ARRAY[${Prisma.join(each)}]::boolean[] AS "each" ${ofThese}`;
  const byId = new Map(answers.map((row) => [row.id, row.each]));
  return rows.map(({ id, at }) => ({
    ...{ id, at },
    answers: times.map((time, index) => ({ time, matches: byId.get(id)?.[index] ?? false })),
  }));
}

beforeAll(async () => {
  test = await createTestServices();
  for (const [index, [timeZone, at]] of places.entries())
    population.push(await populate(timeZone, at, index + 1));
}, 120_000);
afterAll(() => test.close());

const alone = (filter: Filter): FilterTree => ({ logic: 'AND', groups: [{ filters: [filter] }] });

describe('the moment at which time alone can change an answer', () => {
  it('is never too late, in every zone and across changes of the clock', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(tree, asked, async (condition, given) => {
        const read = readFilterTree(JSON.parse(JSON.stringify(condition)));
        fc.pre(read.issues.length === 0);
        for (const { id, at, answers } of await look(condition, given)) {
          const [now] = answers;
          const before = answers.filter(({ time }) => at === null || time < at.getTime());
          const late = before.find(({ matches }) => matches !== now?.matches);
          expect(late && { id, late: new Date(late.time), at }).toBeUndefined();
          if (at === null) continue;
          expect(at.getTime()).toBeGreaterThan(now?.time ?? 0);
          found += 1;
        }
      }),
      { numRuns: runs(50) },
    );
    expect(found).toBeGreaterThan(100);
  }, 300_000);

  it('is exactly the one at which it changes, for dates and for counts in a window with one end', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(exact, asked, async (filter, given) => {
        const read = readFilterTree(JSON.parse(JSON.stringify(alone(filter))));
        fc.pre(read.issues.length === 0);
        for (const { id, at, answers } of await look(alone(filter), given)) {
          if (at === null) continue;
          const [now] = answers;
          const then = answers.find(({ time }) => time === at.getTime());
          if (!then) continue;
          expect({ id, at, changes: then.matches !== now?.matches }).toMatchObject({ changes: true });
          found += 1;
        }
      }),
      { numRuns: runs(50) },
    );
    expect(found).toBeGreaterThan(40);
  }, 300_000);

  it('is none for a tree that time does not change, and where another filter decides alone', async () => {
    const { prisma } = test.services.database;
    const place = population[0];
    if (!place) throw new Error('no such place');
    const span = { now: place.now, until: new Date(place.now.getTime() + wheelMs) };
    const isPro: Filter = { field: 'data.plan', operator: 'equals', value: 'pro' };
    const isNew: Filter = { field: 'createdAt', operator: 'within', value: 1, unit: 'days' };
    expect(await compileMoment(prisma, place.project.id, alone(isPro), span)).toBeNull();
    const both: FilterTree = { logic: 'AND', groups: [{ filters: [isPro, isNew] }] };
    const either: FilterTree = { logic: 'OR', groups: [{ filters: [isPro] }, { filters: [isNew] }] };
    const [ofBoth, ofEither] = await Promise.all(
      [both, either].map((condition) => compileMoment(prisma, place.project.id, condition, span)),
    );
    const rows = await prisma.$queryRaw<{ plan: string; both: Date | null; either: Date | null }[]>`
      SELECT c."data" ->> 'plan' AS "plan", ${ofBoth} AS "both", ${ofEither} AS "either" FROM "Contact" c
      WHERE c."projectId" = ${place.project.id}::uuid`;
    expect(rows.filter(({ plan, both: at }) => plan === 'free' && at !== null)).toEqual([]);
    expect(rows.filter(({ plan, either: at }) => plan === 'pro' && at !== null)).toEqual([]);
    expect(rows.some(({ both: at }) => at !== null)).toBe(true);
    expect(rows.some(({ either: at }) => at !== null)).toBe(true);
  });
});
