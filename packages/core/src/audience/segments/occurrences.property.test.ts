import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prisma } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import type { Filter, FilterTree, OccurrenceWindow, WhereCondition } from './filters.rules.ts';
import { readFilterTree } from './filters.schema.ts';
import { compileForOne, compileTree } from './filters.store.ts';
import { holdsPlainly, momentIn, type Question } from './plain-values.fixture.ts';

let test: TestServices;
let project: TestProject;

const now = new Date('2026-06-15T12:00:00.000Z');
const timeZone = 'America/New_York';
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

interface Occurred {
  id: string;
  name: string;
  at: Date;
  kind: 'CUSTOM' | 'ACTIVITY';
  data: Record<string, unknown> | null;
}

interface Mailed {
  id: string;
  campaignId: string | null;
  templateId: string | null;
  type: 'MARKETING' | 'TRANSACTIONAL';
  sentAt: Date | null;
  clickedAt: Date | null;
  links: string[];
  unsubscribed: boolean;
  cancelled: boolean;
  isTest: boolean;
}

interface Person {
  id: string;
  events: Occurred[];
  emails: Mailed[];
}

const [one, two] = [newId(), newId()];
const minutes = fc.constantFrom(0, 1, 60, 719, 720, 721, 1_440, 1_441, 2_880, 10_000);
const moment = minutes.map(minutesAgo);
const amounts = [
  0,
  1,
  0.1,
  0.2,
  -2.5,
  100,
  '7',
  '0.3',
  '1e3',
  'EUR',
  '',
  null,
  true,
  1e21,
  ['a'],
  { b: 1 },
] as const;
const amount = fc.constantFrom<unknown>(...amounts);

const data = fc.option(
  fc.record(
    {
      amount,
      'a.b': fc.constantFrom<unknown>('literal', null, 1),
      a: fc.record({ b: amount, '-1': fc.constant('odd') }, { requiredKeys: [] }),
      items: fc.array(fc.record({ sku: fc.constantFrom<unknown>('x', 'y', 1) }), { maxLength: 2 }),
      on: fc.constantFrom<unknown>('2026-06-15', '2026-06-14', '2026-06-15T01:00:00Z', 'soon'),
    },
    { requiredKeys: [] },
  ),
  { freq: 6 },
) as fc.Arbitrary<Record<string, unknown> | null>;

const person: fc.Arbitrary<Person> = fc.record({
  id: fc.constant('').map(() => newId()),
  events: fc.array(
    fc.record({
      id: fc.constant('').map(() => newId()),
      name: fc.constantFrom('buy', 'buy', 'buy.now'),
      at: moment,
      kind: fc.constantFrom('CUSTOM', 'CUSTOM', 'CUSTOM', 'ACTIVITY'),
      data,
    }),
    { maxLength: 6 },
  ),
  emails: fc.array(
    fc.record({
      id: fc.constant('').map(() => newId()),
      campaignId: fc.constantFrom(null, one, two),
      templateId: fc.constantFrom(null, one),
      type: fc.constantFrom('MARKETING', 'TRANSACTIONAL'),
      sentAt: fc.option(moment, { freq: 4 }),
      clickedAt: fc.option(moment),
      links: fc.array(fc.constantFrom('https://shop.test/a', 'https://shop.test/b?c=%_'), { maxLength: 2 }),
      unsubscribed: fc.boolean(),
      cancelled: fc.boolean(),
      isTest: fc.constantFrom(false, false, false, true),
    }),
    { maxLength: 3 },
  ),
});

const property = fc.constantFrom(
  'amount',
  'a.b',
  'items.0.sku',
  'items.-1.sku',
  'a.-1',
  'none',
  'a.b.c',
  'items',
  '',
);
const unit = fc.constantFrom('days', 'hours', 'minutes');
const question: fc.Arbitrary<Question> = fc.oneof(
  fc.record({
    operator: fc.constantFrom('equals', 'notEquals', 'greaterThan', 'lessThanOrEqual', 'contains'),
    value: fc.constantFrom<unknown>(0, 1, '7', 7, 'x', 'literal', null, true, '2026-06-15'),
  }),
  fc.record({ operator: fc.constantFrom('exists', 'notExists', 'isEmpty', 'isNotEmpty') }),
  fc.record({ operator: fc.constantFrom('isAnyOf', 'isNoneOf'), value: fc.constant([1, 'x', true]) }),
  fc.record({ operator: fc.constantFrom('within', 'olderThan'), value: fc.constantFrom(0, 1, 24), unit }),
) as fc.Arbitrary<Question>;
const some = property.filter((each) => each !== '');
const where = fc.option(
  fc.array(
    fc.tuple(some, question).map(([name, asked]) => ({ property: name, ...asked }) as WhereCondition),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  { nil: undefined },
);
const ids = fc.oneof(
  fc.record({
    operator: fc.constantFrom('equals', 'notEquals'),
    value: fc.constantFrom(one, two.toUpperCase()),
  }),
  fc.record({ operator: fc.constantFrom('isAnyOf', 'isNoneOf'), value: fc.constantFrom([one], [one, two]) }),
);
const emailCondition = (isClick: boolean) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('campaignId', 'templateId'), ids)
      .map(([name, asked]) => ({ property: name, ...asked })),
    fc.record({
      property: fc.constant('type'),
      operator: fc.constantFrom('equals', 'notEquals'),
      value: fc.constant('MARKETING'),
    }),
    ...(isClick
      ? [
          fc.record({
            property: fc.constant('link'),
            operator: fc.constantFrom('equals', 'notEquals', 'contains', 'startsWith'),
            value: fc.constantFrom('https://shop.test/a', 'shop', '%_', 'https://shop'),
          }),
        ]
      : []),
  ) as fc.Arbitrary<WhereCondition>;
const emailWhere = (isClick: boolean) =>
  fc.option(fc.array(emailCondition(isClick), { minLength: 1, maxLength: 2 }), { nil: undefined });

const window: fc.Arbitrary<OccurrenceWindow | undefined> = fc.option(
  fc.oneof(
    fc.record({ last: fc.constantFrom(1, 12, 60, 1_440, 1e300), unit }),
    fc.record({ olderThan: fc.constantFrom(0, 1, 12, 60), unit }),
    fc.record({ last: fc.constantFrom(24, 48, 1_440), olderThan: fc.constantFrom(0, 1, 12), unit }),
    fc
      .record(
        {
          from: fc.constantFrom('2026-06-14', '2026-06-15T12:00:00Z', '2026-06-14T20:00'),
          to: fc.constantFrom('2026-06-14', '2026-06-15', '2026-06-15T11:59:00Z', '9999-12-31'),
        },
        { requiredKeys: [] },
      )
      .filter((each) => Object.keys(each).length > 0),
  ),
  { nil: undefined },
) as fc.Arbitrary<OccurrenceWindow | undefined>;

const times = fc.constantFrom(
  undefined,
  { min: 1 },
  { min: 2 },
  { max: 0 },
  { max: 2 },
  { min: 1, max: 1 },
  { min: 0, max: 1 },
  { min: 2, max: 10_000 },
);
const field = fc.constantFrom('event.buy', 'event.buy.now', 'event.none');
const comparisons = [
  'equals',
  'notEquals',
  'greaterThan',
  'lessThan',
  'greaterThanOrEqual',
  'lessThanOrEqual',
] as const;

const defined = (filter: Record<string, unknown>): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([, each]) => each !== undefined)) as unknown as Filter;

const eventFilter = fc.oneof(
  fc.record({ field, operator: fc.constant('occurred'), where, window, times }),
  fc.record({ field, operator: fc.constant('notOccurred'), where, window }),
  fc.record({ field, operator: fc.constantFrom('triggered', 'notTriggered'), where }),
  fc.record({
    field,
    operator: fc.constantFrom('triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan'),
    value: fc.constantFrom(1, 12),
    unit,
    where,
  }),
  fc.record({
    field,
    operator: fc.constantFrom('total', 'average', 'smallest', 'largest', 'distinct'),
    property: some,
    compare: fc.constantFrom(...comparisons),
    value: fc.constantFrom(0, 0.3, 0.1, 1, 2, 100, -2.5),
    where,
    window,
  }),
  fc
    .tuple(
      fc.record({ field, operator: fc.constantFrom('first', 'last'), property: some, where, window }),
      question,
    )
    .map(([filter, { operator: compare, ...given }]) => ({ ...filter, compare, ...given })),
  fc.record({
    field,
    operator: fc.constantFrom('first', 'last'),
    compare: fc.constantFrom('within', 'olderThan'),
    value: fc.constantFrom(1, 12),
    unit,
    where,
    window,
  }),
);
const emailFilter = (name: string, isClick: boolean) =>
  fc.oneof(
    fc.record({
      field: fc.constant(name),
      operator: fc.constant('occurred'),
      where: emailWhere(isClick),
      window,
      times,
    }),
    fc.record({
      field: fc.constant(name),
      operator: fc.constant('notOccurred'),
      where: emailWhere(isClick),
      window,
    }),
    fc.record({
      field: fc.constant(name),
      operator: fc.constantFrom('first', 'last'),
      compare: fc.constantFrom('within', 'olderThan'),
      value: fc.constantFrom(1, 12),
      unit,
      where: emailWhere(isClick),
      window,
    }),
  );
const outcomeFilter = fc.record({
  field: fc.constantFrom('email.unsubscribed', 'email.cancelled'),
  operator: fc.constant('occurred'),
  where: emailWhere(false),
  times,
});
const filter: fc.Arbitrary<Filter> = fc
  .oneof(
    { weight: 4, arbitrary: eventFilter },
    emailFilter('email.sent', false),
    emailFilter('email.clicked', true),
    outcomeFilter,
  )
  .map((each) => defined(each as Record<string, unknown>));

/** What a filter is about: when, with which properties. */
interface Plain {
  id: string;
  at: number;
  read: (property: string) => unknown;
  links?: string[];
}

const own = (holder: unknown, key: string): unknown =>
  typeof holder === 'object' &&
  holder !== null &&
  Object.hasOwn(holder, key) &&
  !(Array.isArray(holder) && !/^\d+$/.test(key))
    ? (holder as Record<string, unknown>)[key]
    : undefined;

function readPlainly(from: unknown, name: string): unknown {
  const literal = own(from, name);
  if (literal !== undefined) return literal;
  return name.split('.').reduce<unknown>((value, key) => own(value, key), from);
}

function occurrencesOf(who: Person, name: string): Plain[] {
  if (name.startsWith('event.'))
    return who.events
      .filter((each) => each.kind !== 'ACTIVITY' && each.name === name.slice(6))
      .map(({ id, at, data: given }) => ({ id, at: at.getTime(), read: (key) => readPlainly(given, key) }));
  return who.emails.flatMap((mail) => {
    const happened = {
      'email.sent': mail.sentAt,
      'email.clicked': mail.clickedAt,
      'email.unsubscribed': mail.unsubscribed ? now : null,
      'email.cancelled': mail.cancelled ? now : null,
    }[name];
    if (!happened || mail.isTest) return [];
    const read = (key: string): unknown => mail[key as 'type'];
    return [{ id: mail.id, at: happened.getTime(), read, links: mail.links }];
  });
}

const lowered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(lowered);
  return typeof value === 'string' && /^[0-9A-F-]{36}$/i.test(value) ? value.toLowerCase() : value;
};

const meets = (occurred: Plain, { property: name, ...asked }: WhereCondition): boolean => {
  const given = { ...asked, value: lowered(asked.value) } as Question;
  return name === 'link'
    ? (occurred.links ?? []).some((link) => holdsPlainly(link, given, { now, timeZone }))
    : holdsPlainly(occurred.read(name), given, { now, timeZone });
};

const unitMs = { days: 86_400_000, hours: 3_600_000, minutes: 60_000 };

/** Midnight in New York, which is four hours behind in June. */
const startOf = (day: string): number =>
  day.startsWith('9999') ? Number.POSITIVE_INFINITY : Date.parse(`${day}T04:00:00Z`);
const isDay = (text: string): boolean => text.length === 10;

function isWithin(at: number, { last, olderThan, unit: by = 'days', from, to }: OccurrenceWindow): boolean {
  if (last !== undefined && at < now.getTime() - last * unitMs[by]) return false;
  if (olderThan !== undefined && at >= now.getTime() - olderThan * unitMs[by]) return false;
  if (from !== undefined && at < (isDay(from) ? startOf(from) : (momentIn(from, timeZone) ?? 0)))
    return false;
  if (to === undefined) return true;
  return at < (isDay(to) ? startOf(to) + unitMs.days : (momentIn(to, timeZone) ?? 0));
}

const plainNumber = (value: unknown): number[] => {
  if (typeof value === 'number') return [value];
  return typeof value === 'string' && /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/.test(value) ? [Number(value)] : [];
};

/** Tenths as whole numbers, which JavaScript adds exactly. */
const tenths = (value: number): bigint => (value === 1e21 ? 10n ** 22n : BigInt(Math.round(value * 10)));

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort())
    : value;

function compares(left: bigint, compare: string | undefined, right: bigint): boolean {
  switch (compare) {
    case 'equals':
      return left === right;
    case 'notEquals':
      return left !== right;
    case 'greaterThan':
      return left > right;
    case 'lessThan':
      return left < right;
    case 'greaterThanOrEqual':
      return left >= right;
    default:
      return left <= right;
  }
}

function figureHolds(found: Plain[], { operator, property: name = '', compare, value }: Filter): boolean {
  const values = found.map(({ read }) => read(name));
  const wanted = tenths(Number(value));
  if (operator === 'distinct') {
    const different = new Set(
      values
        .filter((each) => each !== undefined && each !== null)
        .map((each) => JSON.stringify(sorted(each))),
    );
    return compares(BigInt(different.size) * 10n, compare, wanted);
  }
  const numbers = values.flatMap(plainNumber).map(tenths);
  const sum = numbers.reduce((left, right) => left + right, 0n);
  if (operator === 'total') return compares(sum, compare, wanted);
  if (numbers.length === 0) return false;
  if (operator === 'average') return compares(sum, compare, wanted * BigInt(numbers.length));
  const ordered = numbers.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  return compares((operator === 'smallest' ? ordered[0] : ordered.at(-1)) ?? 0n, compare, wanted);
}

function holds(who: Person, asked: Filter): boolean {
  const { operator, where: conditions = [], window: period, times: often, value, unit: by = 'days' } = asked;
  const all = occurrencesOf(who, asked.field).filter((each) =>
    conditions.every((condition) => meets(each, condition)),
  );
  const found = period ? all.filter(({ at }) => isWithin(at, period)) : all;
  const recent = (): boolean => all.some(({ at }) => isWithin(at, { last: Number(value), unit: by }));
  switch (operator) {
    case 'occurred':
      return (
        found.length >= (often?.min ?? (often?.max === undefined ? 1 : 0)) &&
        found.length <= (often?.max ?? 1e9)
      );
    case 'notOccurred':
    case 'notTriggered':
      return found.length === 0;
    case 'triggered':
      return found.length > 0;
    case 'triggeredWithin':
      return recent();
    case 'notTriggeredWithin':
      return !recent();
    case 'triggeredOlderThan':
      return all.length > 0 && !recent();
    case 'first':
    case 'last': {
      const ordered = found.toSorted((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1));
      const edge = operator === 'first' ? ordered[0] : ordered.at(-1);
      if (!edge) return false;
      const actual =
        asked.property === undefined ? new Date(edge.at).toISOString() : edge.read(asked.property);
      return holdsPlainly(actual, { ...asked, operator: asked.compare } as Question, { now, timeZone });
    }
    default:
      return figureHolds(found, asked);
  }
}

const treeOf = (asked: Filter): FilterTree => ({ logic: 'AND', groups: [{ filters: [asked] }] });

async function store(projectId: string, people: Person[]): Promise<void> {
  const { prisma } = test.services.database;
  await prisma.contact.createMany({
    data: people.map(({ id }) => ({ id, projectId, email: `${id}@people.test` })),
  });
  await prisma.event.createMany({
    data: people.flatMap(({ id: contactId, events }) =>
      events.map(({ at, data: given, ...event }) => ({
        ...event,
        projectId,
        contactId,
        createdAt: at,
        ...(given && { data: given as Prisma.InputJsonObject }),
      })),
    ),
  });
  await prisma.email.createMany({
    data: people.flatMap(({ id: contactId, emails }) =>
      emails.map(({ isTest, links: _links, cancelled, ...mail }) => ({
        ...mail,
        projectId,
        contactId,
        to: `${contactId}@people.test`,
        sourceType: isTest ? ('TEST' as const) : ('CAMPAIGN' as const),
        contentId: newId(),
        ...(cancelled && { status: 'SKIPPED' as const, reason: 'cancelled' }),
      })),
    ),
  });
  await prisma.interaction.createMany({
    data: people.flatMap(({ emails }) =>
      emails.flatMap(({ id: emailId, links }) =>
        links.map((link) => ({ id: newId(), projectId, emailId, type: 'click' as const, link })),
      ),
    ),
  });
}

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  await test.services.database.prisma.project.update({ where: { id: project.id }, data: { timeZone } });
}, 120_000);

afterAll(() => test.close());

describe('filters on occurrences', () => {
  it('match exactly the contacts that plain rules match', async () => {
    const { prisma } = test.services.database;
    const people = fc.sample(person, { numRuns: 120, seed: 11 }).map((who) => ({
      ...who,
      // A campaign has at most one email for a contact.
      emails: who.emails.map((mail, index) => ({
        ...mail,
        campaignId: index === 0 ? mail.campaignId : null,
      })),
    }));
    await store(project.id, people);
    await fc.assert(
      fc.asyncProperty(filter, async (asked) => {
        const read = readFilterTree(JSON.parse(JSON.stringify(treeOf(asked))), { namesUnknown: true });
        // A window whose end is not before its beginning is refused.
        fc.pre(!read.issues.some(({ path }) => path.at(-1) === 'last'));
        expect(read.issues).toEqual([]);
        expect(read.tree).toEqual(treeOf(asked));
        const expected = people
          .filter((who) => holds(who, asked))
          .map(({ id }) => id)
          .sort();
        const set = await compileTree(prisma, project.id, treeOf(asked), now);
        const single = await compileForOne(prisma, project.id, treeOf(asked), now);
        const rows = await prisma.$queryRaw<{ id: string; set: boolean | null; single: boolean | null }[]>`
          SELECT c."id", (${set}) AS "set", (${single.matches}) AS "single" FROM "Contact" c
          WHERE c."projectId" = ${project.id}::uuid ORDER BY c."id"`;
        expect(rows.every((row) => typeof row.set === 'boolean' && row.set === row.single)).toBe(true);
        expect(rows.filter((row) => row.set).map(({ id }) => id)).toEqual(expected);
      }),
      { numRuns: runs(120) },
    );
  }, 240_000);

  it('fit into a statement, however long their paths are', async () => {
    const { prisma } = test.services.database;
    const condition = { property: Array(66).fill('-1').join('.'), operator: 'equals', value: '2026-06-15' };
    const asked = {
      ...{ field: 'event.buy', operator: 'triggeredOlderThan', value: 1, unit: 'days' },
      where: Array(10).fill(condition),
    } as Filter;
    const hostile: FilterTree = { logic: 'OR', groups: [{ filters: Array(20).fill(asked) }] };
    expect(readFilterTree(hostile).issues).toEqual([]);
    const { matches } = await compileForOne(prisma, project.id, hostile, now);
    const rows = await prisma.$queryRaw<unknown[]>`
      SELECT c."id" FROM "Contact" c WHERE c."projectId" = ${project.id}::uuid AND c."email" = 'nobody' AND ${matches}`;
    expect(rows).toEqual([]);
  }, 180_000);
});
