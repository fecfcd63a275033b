import fc, { runs } from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prisma } from '../../base/db/index.ts';
import { addressRule, matchesRule, newId, type ValueOperator } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import {
  activities,
  type Filter,
  type FilterTree,
  formOf,
  type Operator,
  type Unit,
} from './filters.rules.ts';
import { readFilterTree } from './filters.schema.ts';
import { compileTree } from './filters.store.ts';
import { holdsPlainly, type Question } from './plain-values.fixture.ts';

let test: TestServices;
let project: TestProject;

const now = new Date('2026-06-15T12:00:00.000Z');
const timeZone = 'America/New_York';
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

interface Person {
  id: string;
  email: string;
  subscribed: boolean;
  createdAt: Date;
  updatedAt: Date;
  data: Record<string, unknown>;
  events: { name: string; at: Date; kind: 'CUSTOM' | 'SYSTEM' | 'ACTIVITY' }[];
  emails: { openedAt: Date | null; sentAt: Date | null; test: boolean }[];
}

const keys = ['plan', 'a.b', 'n'] as const;
const names = ['signup', 'buy.now', 'email.open'] as const;
const values = [
  'pro',
  'Pro',
  'prö',
  'z\u{1F600}',
  'z\uFF5E',
  '',
  '1',
  'true',
  1,
  0,
  -2.5,
  1e21,
  true,
  false,
  null,
  '2026-06-15',
  '2026-06-15T11:59:59.999Z',
  '2026-06-14T23:30:00-05:00',
  '2026-06-31',
  '2026-06-16T00:00:00.000Z',
  '2027-01-01',
  "it's %_\\",
] as const;
const minutes = [0, 1, 59, 60, 61, 1_439, 1_440, 1_441, 10_000] as const;

const value = fc.constantFrom(...values);
const moment = fc.constantFrom(...minutes).map(minutesAgo);

const person: fc.Arbitrary<Person> = fc.record({
  id: fc.constant('').map(() => newId()),
  email: fc.constantFrom('ada', 'bob', 'b_b', 'x%y').map((name) => `${name}.${newId()}@people.test`),
  subscribed: fc.boolean(),
  createdAt: moment,
  updatedAt: moment,
  data: fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 3 }),
  events: fc.array(
    fc.record({
      name: fc.constantFrom(...names),
      at: moment,
      kind: fc.constantFrom('CUSTOM', 'SYSTEM', 'ACTIVITY'),
    }),
    { maxLength: 2 },
  ),
  emails: fc.array(
    fc.record({
      openedAt: fc.option(moment),
      sentAt: fc.option(moment),
      test: fc.boolean(),
    }),
    { maxLength: 1 },
  ),
});

const unit: fc.Arbitrary<Unit> = fc.constantFrom('days', 'hours', 'minutes');
const amount = fc.constantFrom(0, 1, 24, 60, 1_440, 1e9, 1e300);
const window = (operator: Operator) => fc.record({ operator: fc.constant(operator), value: amount, unit });
const plain = (...list: Operator[]) => fc.record({ operator: fc.constantFrom(...list), value });
const fields = (...list: string[]) => fc.constantFrom(...list).map((field) => ({ field }));

const ask = (field: fc.Arbitrary<{ field: string }>, ...rest: fc.Arbitrary<Omit<Filter, 'field'>>[]) =>
  fc.tuple(field, fc.oneof(...rest)).map(([a, b]): Filter => ({ ...a, ...b }));

const comparisons: Operator[] = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual'];
const presence: Operator[] = ['exists', 'notExists', 'isEmpty', 'isNotEmpty'];
const dateWindows: Operator[] = ['within', 'olderThan', 'withinNext', 'laterThan'];
const calendarFilters = [
  fc.record({ operator: fc.constant<Operator>('onDay'), value: fc.constantFrom(-1, 0, 1, 3_650) }),
  fc.record({ operator: fc.constant<Operator>('anniversaryWithinNext'), value: fc.constantFrom(0, 1, 366) }),
];
const list = fc.array(
  value.filter((each) => each !== null),
  { minLength: 1, maxLength: 4 },
);
const part = fc.constantFrom('p', '2026', 'o', '%', 'Z');
const dates = fc.constantFrom(
  '2026-06-15',
  '2026-06-14 12:00',
  minutesAgo(60).toISOString(),
  minutesAgo(61).getTime(),
);

const filter: fc.Arbitrary<Filter> = fc.oneof(
  {
    weight: 4,
    arbitrary: ask(
      fields(...keys.map((key) => `data.${key}`), 'data.unknown'),
      plain('equals', 'notEquals', 'contains', 'notContains', ...presence, ...comparisons),
      fc.record({ operator: fc.constantFrom<Operator>('isAnyOf', 'isNoneOf'), value: list }),
      fc.record({ operator: fc.constantFrom<Operator>('startsWith', 'endsWith'), value: part }),
      ...dateWindows.map(window),
      ...calendarFilters,
    ),
  },
  ask(
    fields('email'),
    plain('equals', 'notEquals'),
    fc.record({
      operator: fc.constantFrom<Operator>('contains', 'notContains'),
      value: fc.constantFrom<unknown>('ADA', 'b_b', '%', '@people', 1, null, { toString: null }),
    }),
    fc.record({
      operator: fc.constantFrom<Operator>('startsWith', 'endsWith'),
      value: fc.constantFrom('ADA', 'b_b', 'x%', '.TEST', 'st'),
    }),
    fc.record({ operator: fc.constantFrom<Operator>('isEmpty', 'isNotEmpty') }),
    fc.record({ operator: fc.constantFrom<Operator>('isAnyOf', 'isNoneOf'), value: list }),
  ),
  ask(fields('subscribed'), plain('equals', 'notEquals')),
  ask(
    fields('createdAt', 'updatedAt'),
    fc.record({ operator: fc.constantFrom<Operator>('equals', 'notEquals', ...comparisons), value: dates }),
    ...dateWindows.map(window),
    ...calendarFilters,
  ),
  ask(
    fields('event.signup', 'event.buy.now', 'event.email.open', 'email.open', 'email.opened', 'email.sent'),
    plain('triggered', 'notTriggered'),
    window('triggeredWithin'),
    window('triggeredOlderThan'),
    window('notTriggeredWithin'),
  ),
);

const tree: fc.Arbitrary<FilterTree> = fc.letrec<{ node: FilterTree }>((tie) => ({
  node: fc.record({
    logic: fc.constantFrom('AND', 'OR'),
    groups: fc.array(
      fc.record({
        filters: fc.array(filter, { minLength: 1, maxLength: 3 }),
        conditions: fc.option(tie('node'), { depthSize: 'small', maxDepth: 3 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  }),
})).node;

/** The rules of B2.5 in plain words, without a database. */
function matches(who: Person, { logic, groups }: FilterTree): boolean {
  const results = groups.map(
    ({ filters, conditions }) =>
      filters.every((each) => holds(who, each)) && (!conditions || matches(who, conditions)),
  );
  return logic === 'AND' ? results.every(Boolean) : results.some(Boolean);
}

const unitMs = { days: 86_400_000, hours: 3_600_000, minutes: 60_000 };
const firstMoment = Date.parse('0001-01-01T00:00:00Z');

function cutoff({ value, unit = 'days' }: Filter): Date {
  return new Date(Math.max(firstMoment, now.getTime() - Number(value) * unitMs[unit]));
}

function holds(who: Person, filter: Filter): boolean {
  const { field, operator, value: expected } = filter;
  if (field === 'email') {
    if (operator === 'isEmpty' || operator === 'isNotEmpty') return operator === 'isNotEmpty';
    if (Array.isArray(expected))
      return expected.some((each) => String(each).toLowerCase() === who.email) === (operator === 'isAnyOf');
    if (operator === 'startsWith') return who.email.startsWith(String(expected).toLowerCase());
    if (operator === 'endsWith') return who.email.endsWith(String(expected).toLowerCase());
    const text = (typeof expected === 'object' ? JSON.stringify(expected) : String(expected)).toLowerCase();
    const found = operator.endsWith('quals') ? who.email === text.trim() : who.email.includes(text);
    return operator.startsWith('not') ? !found : found;
  }
  if (field === 'subscribed') return (who.subscribed === (expected === true)) === (operator === 'equals');
  if (field === 'createdAt' || field === 'updatedAt') return dateHolds(who[field], filter);
  if (field.startsWith('data.'))
    return holdsPlainly(who.data[field.slice(5)], asked(filter), { now, timeZone });
  return occurrenceHolds(occurrences(who, field), filter);
}

const asked = ({ operator, value, unit }: Filter): Question => ({
  operator: operator as ValueOperator,
  value,
  unit: unit ?? 'days',
});

/** Milliseconds are an instant, also where text would mean its day. */
function dateHolds(at: Date, filter: Filter): boolean {
  const { operator, value: expected } = filter;
  const isTime = typeof expected === 'number' && formOf[operator] === 'any';
  if (isTime && operator === 'equals') return at.getTime() === expected;
  if (isTime && operator === 'notEquals') return at.getTime() !== expected;
  const value = isTime ? new Date(expected).toISOString() : expected;
  return holdsPlainly(at.toISOString(), { ...asked(filter), value }, { now, timeZone });
}

function occurrences(who: Person, field: string): Date[] {
  if (field.startsWith('event.'))
    return who.events
      .filter(({ name, kind }) => kind !== 'ACTIVITY' && name === field.slice(6))
      .map(({ at }) => at);
  const activity = activities[field.slice(6) as keyof typeof activities];
  return who.emails.flatMap(({ openedAt, sentAt, test: isTest }) => {
    const at = activity === 'open' ? openedAt : sentAt;
    return isTest || at === null ? [] : [at];
  });
}

function occurrenceHolds(times: Date[], filter: Filter): boolean {
  const recent = (): boolean => times.some((at) => at >= cutoff(filter));
  switch (filter.operator) {
    case 'triggered':
      return times.length > 0;
    case 'notTriggered':
      return times.length === 0;
    case 'triggeredWithin':
      return recent();
    case 'notTriggeredWithin':
      return !recent();
    default:
      return times.length > 0 && !recent();
  }
}

async function store(projectId: string, people: Person[]): Promise<void> {
  const { prisma } = test.services.database;
  await prisma.contact.createMany({
    data: people.map(({ events: _events, emails: _emails, data, ...row }) => ({
      ...row,
      projectId,
      data: data as Prisma.InputJsonObject,
    })),
  });
  await prisma.event.createMany({
    data: people.flatMap(({ id, events }) =>
      events.map(({ name, at, kind }) => ({
        id: newId(),
        projectId,
        contactId: id,
        name,
        kind,
        createdAt: at,
      })),
    ),
  });
  await prisma.email.createMany({
    data: people.flatMap(({ id, email, emails }) =>
      emails.map(({ test: isTest, ...stamps }) => ({
        id: newId(),
        projectId,
        contactId: id,
        to: email,
        type: 'MARKETING' as const,
        sourceType: isTest ? ('TEST' as const) : ('CAMPAIGN' as const),
        contentId: newId(),
        ...stamps,
      })),
    ),
  });
}

async function select(projectId: string, condition: Prisma.Sql): Promise<string[]> {
  const rows = await test.services.database.prisma.$queryRaw<{ id: string; matches: boolean | null }[]>`
    SELECT c."id", (${condition}) AS "matches" FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid`;
  expect(rows.every((row) => typeof row.matches === 'boolean')).toBe(true);
  return rows.flatMap((row) => (row.matches ? [row.id] : [])).sort();
}

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  await test.services.database.prisma.project.update({ where: { id: project.id }, data: { timeZone } });
}, 120_000);

afterAll(() => test.close());

describe('a compiled filter tree', () => {
  it('matches exactly the contacts that the rules match, for any tree and contacts', async () => {
    const people = fc.sample(person, { numRuns: 150, seed: 7 });
    await store(project.id, people);
    await fc.assert(
      fc.asyncProperty(tree, async (condition) => {
        const read = readFilterTree(JSON.parse(JSON.stringify(condition)));
        expect(read.issues).toEqual([]);
        const sql = await compileTree(test.services.database.prisma, project.id, condition, now);
        const expected = people.filter((who) => matches(who, condition)).map(({ id }) => id);
        expect(await select(project.id, sql)).toEqual(expected.sort());
      }),
      { numRuns: runs(80) },
    );
  }, 120_000);

  it.each<[Operator, unknown, boolean]>([
    ['equals', 'Ann@MÜLLER.example', true],
    ['notEquals', 'Ann@MÜLLER.example', false],
    ['isAnyOf', ['x@y.test', ' ann@müller.example'], true],
    ['isNoneOf', ['x@y.test', 'ann@Mu\u0308ller.example'], false],
    ['isNoneOf', ['ann@muller.example'], true],
    ['contains', '@müller', true],
    ['contains', 'XN--MLLER', true],
    ['notContains', 'müller.ex', false],
    ['startsWith', 'Ann@Müller.', true],
    ['startsWith', 'müller', false],
    ['endsWith', '@MÜLLER.EXAMPLE', true],
    ['endsWith', '@müller', false],
  ])('compares addresses in their normal form: %s %j', async (operator, value, expected) => {
    const { prisma } = test.services.database;
    const { id } = await createTestProject(test.services);
    const email = 'ann@xn--mller-kva.example';
    await prisma.contact.create({ data: { id: newId(), projectId: id, email } });
    const condition = { logic: 'AND' as const, groups: [{ filters: [{ field: 'email', operator, value }] }] };
    const found = await select(id, await compileTree(prisma, id, condition));
    expect(found).toHaveLength(expected ? 1 : 0);
    expect(matchesRule(addressRule(operator as ValueOperator, value), email)).toBe(expected);
  });
});

const one = (given: unknown): unknown => ({ logic: 'AND', groups: [{ filters: [given] }] });
/** As JSON of a request: no text can be made of it by String(). */
const unreadable = { toString: null };
const plan = { field: 'data.plan', operator: 'equals', value: 'pro' };
const deep = (levels: number): unknown =>
  levels === 1 ? one(plan) : { logic: 'OR', groups: [{ filters: [], conditions: deep(levels - 1) }] };

describe('reading a tree', () => {
  it.each([
    [{ groups: [{ filters: [plan] }] }, 'logic', 'required'],
    [{ logic: 'and', groups: [{ filters: [plan] }] }, 'logic', 'invalid_enum_value'],
    [{ logic: 'AND' }, 'groups', 'required'],
    [{ logic: 'AND', groups: {} }, 'groups', 'invalid_type'],
    [{ logic: 'AND', groups: [] }, 'groups', 'too_small'],
    [{ logic: 'AND', groups: [{ filters: [] }] }, 'groups.0', 'too_small'],
    [[], '', 'invalid_type'],
    [one({ operator: 'equals', value: 1 }), 'groups.0.filters.0.field', 'required'],
    [one({ ...plan, field: unreadable }), 'groups.0.filters.0.field', 'invalid_type'],
    [one({ ...plan, operator: unreadable }), 'groups.0.filters.0.operator', 'invalid_type'],
    [one({ ...plan, field: 'plan' }), 'groups.0.filters.0.field', 'unsupported_field'],
    [one({ ...plan, field: 'data.' }), 'groups.0.filters.0.field', 'unsupported_field'],
    [one({ field: 'email.read', operator: 'triggered' }), 'groups.0.filters.0.field', 'invalid_enum_value'],
    [one({ field: 'segment.x', operator: 'memberOfSegment' }), 'groups.0.filters.0.field', 'unknown_segment'],
    [one({ ...plan, operator: 'is' }), 'groups.0.filters.0.operator', 'invalid_enum_value'],
    [one({ ...plan, operator: 'triggered' }), 'groups.0.filters.0.operator', 'unsupported_operator'],
    [one({ field: 'data.plan', operator: 'equals' }), 'groups.0.filters.0.value', 'required'],
    [
      one({ field: 'createdAt', operator: 'equals', value: 'soon' }),
      'groups.0.filters.0.value',
      'invalid_date',
    ],
    [
      one({ field: 'data.x', operator: 'within', value: '3', unit: 'days' }),
      'groups.0.filters.0.value',
      'invalid_type',
    ],
    [
      one({ field: 'data.x', operator: 'within', value: -1, unit: 'days' }),
      'groups.0.filters.0.value',
      'too_small',
    ],
    [one({ field: 'data.x', operator: 'within', value: 1 }), 'groups.0.filters.0.unit', 'required'],
    [
      one({ field: 'data.x', operator: 'within', value: 1, unit: 'weeks' }),
      'groups.0.filters.0.unit',
      'invalid_enum_value',
    ],
    ...(
      [
        [{ operator: 'isAnyOf', value: 'pro' }, 'value', 'invalid_type'],
        [{ operator: 'isAnyOf', value: [] }, 'value', 'too_small'],
        [{ operator: 'isNoneOf', value: Array(501).fill('a') }, 'value', 'too_big'],
        [{ operator: 'isAnyOf', value: ['a', null] }, 'value.1', 'invalid_type'],
        [{ operator: 'startsWith', value: '' }, 'value', 'required'],
        [{ operator: 'endsWith', value: 5 }, 'value', 'invalid_type'],
        [{ operator: 'equals', value: 'x'.repeat(1_001) }, 'value', 'too_big'],
        [{ operator: 'onDay', value: 1.5 }, 'value', 'invalid_type'],
        [{ operator: 'onDay', value: 3_651 }, 'value', 'too_big'],
        [{ operator: 'onDay', value: -3_651 }, 'value', 'too_small'],
        [{ operator: 'anniversaryWithinNext', value: 367 }, 'value', 'too_big'],
        [{ operator: 'withinNext', value: 1 }, 'unit', 'required'],
        [{ operator: 'laterThan', value: -1, unit: 'days' }, 'value', 'too_small'],
      ] as const
    ).map(([filter, field, code]): [unknown, string, string] => [
      one({ field: 'data.x', ...filter }),
      `groups.0.filters.0.${field}`,
      code,
    ]),
    [{ logic: 'AND', groups: [{ filters: Array.from({ length: 201 }, () => plan) }] }, '', 'too_big'],
    [deep(11), Array.from({ length: 10 }, () => 'groups.0.conditions').join('.'), 'too_big'],
  ])('%j is refused at %s with %s', (given, field, code) => {
    const { issues } = readFilterTree(given);
    expect(issues.map((issue) => ({ field: issue.path.join('.'), code: issue.code }))).toEqual([
      { field, code },
    ]);
  });

  it('has at most 5,000 values in all of its lists', () => {
    const listed = (count: number) => ({
      ...plan,
      operator: 'isAnyOf',
      value: Array.from({ length: count }, (_, index) => index),
    });
    const of = (counts: number[]) => ({ logic: 'OR', groups: [{ filters: counts.map(listed) }] });
    const tenLists = Array<number>(10).fill(500);
    expect(readFilterTree(of(tenLists)).issues).toEqual([]);
    expect(readFilterTree(of([...tenLists, 1])).issues).toMatchObject([{ path: [], code: 'too_big' }]);
  });

  it('accepts ten levels, two hundred filters, a null value and an unneeded value', () => {
    expect(readFilterTree(deep(10)).issues).toEqual([]);
    const many = {
      logic: 'OR',
      groups: Array.from({ length: 200 }, () => ({ filters: [plan], conditions: null })),
    };
    expect(readFilterTree(many).issues).toEqual([]);
    expect(readFilterTree(one({ ...plan, value: null })).issues).toEqual([]);
    expect(readFilterTree(one({ field: 'data.x', operator: 'exists', value: {} })).issues).toEqual([]);
  });
});

describe('a day as a bound', () => {
  const ofDays = (operator: Operator, day: string) =>
    one({ field: 'data.d', operator, value: day }) as FilterTree;

  it.each([
    ['lessThanOrEqual', 3],
    ['greaterThan', 1],
    ['equals', 3],
    ['greaterThanOrEqual', 4],
    ['lessThan', 0],
  ] as const)('is the whole day: %s 2026-11-20 matches %i of four', async (operator, count) => {
    const { id } = await createTestProject(test.services);
    const days = ['2026-11-20', '2026-11-20T10:00:00.000Z', '2026-11-20T23:59:59Z', '2026-11-21'];
    const others = ['20.11.2026', '11/20/2026', '2026-11-20 or later', 'soon', ''];
    await test.services.database.prisma.contact.createMany({
      data: [...days, ...others].map((d) => ({
        ...{ id: newId(), projectId: id, email: `${newId()}@people.test`, data: { d } },
      })),
    });
    const sql = await compileTree(test.services.database.prisma, id, ofDays(operator, '2026-11-20'));
    expect(await select(id, sql)).toHaveLength(count);
  });
});

describe('reading a filter on occurrences', () => {
  const event = { field: 'event.buy', operator: 'occurred' };
  const condition = { property: 'amount', operator: 'equals', value: 1 };
  const mail = { field: 'email.opened', operator: 'occurred' };
  const total = { ...event, operator: 'total', property: 'amount', compare: 'equals', value: 1 };
  const id = '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90';

  it.each([
    [{ ...plan, where: [condition] }, 'where', 'unsupported_field'],
    [{ ...event, operator: 'triggered', window: { last: 1, unit: 'days' } }, 'window', 'unsupported_field'],
    [{ ...event, operator: 'notOccurred', times: { max: 1 } }, 'times', 'unsupported_field'],
    [{ ...event, property: 'amount' }, 'property', 'unsupported_field'],
    [{ ...event, wehre: [condition] }, 'wehre', 'unsupported_field'],
    [{ ...event, where: [{ ...condition, prop: 'a' }] }, 'where.0.prop', 'unsupported_field'],
    [{ ...event, window: { last: 1, unit: 'days', form: 'x' } }, 'window.form', 'unsupported_field'],
    [{ ...event, times: { mni: 3, max: 9 } }, 'times.mni', 'unsupported_field'],
    [{ ...event, where: [] }, 'where', 'too_small'],
    [{ ...event, where: Array(11).fill(condition) }, 'where', 'too_big'],
    [{ ...event, where: condition }, 'where', 'invalid_type'],
    [{ ...event, where: [{ ...condition, property: 'x'.repeat(201) }] }, 'where.0.property', 'too_big'],
    [{ ...event, where: [{ ...condition, operator: 'occurred' }] }, 'where.0.operator', 'invalid_enum_value'],
    [{ ...event, where: [{ property: 'a', operator: 'within', value: 1 }] }, 'where.0.unit', 'required'],
    [{ ...event, window: {} }, 'window', 'required'],
    [{ ...event, window: { last: 3 } }, 'window.unit', 'required'],
    [{ ...event, window: { last: '3', unit: 'days' } }, 'window.last', 'invalid_type'],
    [{ ...event, window: { last: 1, olderThan: 2, unit: 'days' } }, 'window.last', 'too_small'],
    [{ ...event, window: { from: 'soon' } }, 'window.from', 'invalid_date'],
    [{ ...event, window: { from: '2026-01-01', last: 1 } }, 'window.last', 'unsupported_field'],
    [{ ...event, times: {} }, 'times', 'required'],
    [{ ...event, times: { min: 0 } }, 'times.min', 'too_small'],
    [{ ...event, times: { min: 3, max: 2 } }, 'times.min', 'too_big'],
    [{ ...event, times: { max: 10_001 } }, 'times.max', 'too_big'],
    [{ ...event, times: { min: 1.5 } }, 'times.min', 'invalid_type'],
    [{ ...total, property: undefined }, 'property', 'required'],
    [{ ...total, compare: 'contains' }, 'compare', 'unsupported_operator'],
    [{ ...total, value: '1' }, 'value', 'invalid_type'],
    [{ ...total, field: 'email.opened' }, 'operator', 'unsupported_operator'],
    [{ ...event, operator: 'last', compare: 'contains', value: 'x' }, 'compare', 'unsupported_operator'],
    [{ ...event, operator: 'last', compare: 'equals', value: 'soon' }, 'value', 'invalid_date'],
    [
      { ...mail, operator: 'first', property: 'a', compare: 'within', value: 1, unit: 'days' },
      'property',
      'unsupported_field',
    ],
    [
      { ...mail, where: [{ property: 'link', operator: 'equals', value: 'x' }] },
      'where.0.property',
      'invalid_enum_value',
    ],
    [
      { ...mail, where: [{ property: 'campaignId', operator: 'contains', value: id }] },
      'where.0.operator',
      'unsupported_operator',
    ],
    [
      { ...mail, where: [{ property: 'campaignId', operator: 'isAnyOf', value: [id, 'x'] }] },
      'where.0.value.1',
      'unknown_reference',
    ],
    [
      { ...mail, where: [{ property: 'type', operator: 'equals', value: 'SPAM' }] },
      'where.0.value',
      'invalid_enum_value',
    ],
    [
      { field: 'email.cancelled', operator: 'occurred', window: { last: 1, unit: 'days' } },
      'window',
      'unsupported_field',
    ],
    [
      { field: 'email.unsubscribed', operator: 'triggeredWithin', value: 1, unit: 'days' },
      'operator',
      'unsupported_operator',
    ],
  ])('%j is refused at %s with %s', (given, field, code) => {
    const { issues } = readFilterTree(one(given), { namesUnknown: true });
    expect(issues.map((issue) => ({ field: issue.path.join('.'), code: issue.code }))).toEqual([
      { field: `groups.0.filters.0.${field}`, code },
    ]);
  });

  it('takes twenty of them, and counts the values of their lists', () => {
    const many = (count: number, filter: unknown) => ({
      logic: 'AND',
      groups: [{ filters: Array(count).fill(filter) }],
    });
    const heavy = { ...event, where: [condition] };
    expect(readFilterTree(many(20, heavy)).issues).toEqual([]);
    expect(readFilterTree(many(21, heavy)).issues).toMatchObject([{ path: [], code: 'too_big' }]);
    expect(readFilterTree(many(21, event)).issues).toEqual([]);
    const listed = { ...condition, operator: 'isAnyOf', value: Array(500).fill('x') };
    const lists = { ...event, where: Array(10).fill(listed) };
    expect(readFilterTree(many(1, lists)).issues).toEqual([]);
    expect(readFilterTree(many(2, lists)).issues).toMatchObject([{ path: [], code: 'too_big' }]);
  });
});

describe('a contact with very many events', () => {
  it('is counted no further than decides', async () => {
    const { database } = test.services;
    const { id: projectId } = await createTestProject(test.services);
    const contactId = newId();
    await database.prisma.contact.create({ data: { id: contactId, projectId, email: 'busy@people.test' } });
    await database.prisma.$executeRaw`
      INSERT INTO "Event" ("id", "projectId", "name", "contactId")
      SELECT uuid7(), ${projectId}::uuid, 'visit', ${contactId}::uuid FROM generate_series(1, 100000)`;
    const condition = one({ field: 'event.visit', operator: 'occurred', times: { min: 3 } }) as FilterTree;
    const sql = await compileTree(database.prisma, projectId, condition);
    const plan = await database.prisma.$queryRaw<{ 'QUERY PLAN': unknown }[]>`
      EXPLAIN (ANALYZE, FORMAT JSON) SELECT c."id" FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND ${sql}`;
    const events = nodesIn(plan).filter((node) => node['Relation Name'] === 'Event_1');
    expect(events.map((node) => [node['Index Name'], node['Actual Rows']])).toEqual([
      ['Event_1_contactId_name_createdAt_idx', 3],
    ]);
  }, 180_000);
});

/** Every node of a plan. */
function nodesIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'Node Type' in value ? [value as Record<string, unknown>] : [];
  return [...own, ...Object.values(value).flatMap(nodesIn)];
}
