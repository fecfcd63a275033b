import fc from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Prisma } from '../../base/db/index.ts';
import {
  dateWindows,
  instantOf,
  instantRule,
  matchesRule,
  type Unit,
  type ValueOperator,
  valueOperators,
  valueRule,
} from '../../base/lib/index.ts';
import { createTestServices, type TestServices } from '../../testing/index.ts';
import { holdsPlainly, type Question, type Where } from './plain-values.fixture.ts';
import { columnSql, jsonSql } from './values.store.ts';

let test: TestServices;

beforeAll(async () => {
  test = await createTestServices();
}, 120_000);

afterAll(() => test.close());

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Africa/Cairo',
  'America/Havana',
  'America/Santiago',
];

/** Where clocks change, years change, and February ends. */
const turns = [
  '2024-02-28',
  '2024-12-31',
  '2025-02-28',
  '2025-03-09',
  '2025-03-30',
  '2025-04-25',
  '2025-09-07',
  '2025-10-05',
  '2025-10-26',
  '2025-11-02',
];
const dayMs = 86_400_000;

const near = (text: string, ms: fc.Arbitrary<number>): fc.Arbitrary<Date> =>
  ms.map((by) => new Date(Date.parse(`${text}T12:00:00Z`) + by));
const someTurn = fc.constantFrom(...turns);
const days = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -400, max: 400 }));
const moment = fc
  .tuple(someTurn, days, fc.oneof(fc.constantFrom(-43_200_000, 0, 43_199_999), fc.nat(dayMs - 1)))
  .chain(([turn, by, ms]) => near(turn, fc.constant(by * dayMs + ms - 43_200_000)));
const day = moment.map((at) => at.toISOString().slice(0, 10));

const offset = fc.constantFrom(
  '',
  '',
  'Z',
  'z',
  '+00:00',
  '-05:00',
  '+0530',
  '+14:00',
  '-11:30',
  '+23:59',
  '-23:59',
);
const clock = moment.map((at) => at.toISOString().slice(11, 23));
const dateTime = fc
  .tuple(
    day,
    fc.constantFrom('T', ' ', 't'),
    fc.oneof(
      clock,
      clock.map((text) => text.slice(0, 5)),
      clock.map((text) => text.slice(0, 8)),
      fc.constant('12:30:00.1239999'),
      fc.constant('02:30'),
    ),
    offset,
  )
  .map((parts) => parts.join(''));

const noDate = fc.constantFrom(
  '2025-02-30',
  '2025-02-29',
  '20.11.2026',
  '11/20/2026',
  '2025-03-09T25:00',
  '2025-03-09T10:00:60',
  '2025-03-09x',
  '2025-03-09T1:00Z',
  '2025-3-9',
  '2025-03-09T10:00+24:00',
  ' 2025-03-09',
);
const number = fc.oneof(
  fc.constantFrom(0, -1, 29, 30, 35, 2.5, 1e21, 1e-7, 123456789012345.6),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
);
const numberText = fc.oneof(
  number.map(String),
  fc.constantFrom(
    '29',
    '30',
    '035',
    '35 EUR',
    '-0',
    '1e3',
    '+5',
    '.5',
    '5.',
    ' 5',
    '5\n',
    '٣',
    '123456789012345.6',
    '1234567890123456',
  ),
);
const word = fc.oneof(
  fc.constantFrom('', 'pro', 'Pro', 'prö', 'z\u{1F600}', 'z\uFF5E', 'true', 'null', "it's %_\\", '[]'),
  fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => text.replaceAll('\0', '')),
);
const text = fc.oneof(
  { weight: 3, arbitrary: day },
  { weight: 4, arbitrary: dateTime },
  noDate,
  numberText,
  word,
);
const scalar = fc.oneof({ weight: 5, arbitrary: text }, { weight: 2, arbitrary: number }, fc.boolean());
const item = fc.constantFrom('vip', 'beta', 'a;b', 'say "hi"', 'ä\\', '%', '1', 'null');
const stored = fc.oneof(
  fc.array(item, { maxLength: 4 }),
  { weight: 8, arbitrary: scalar },
  fc.constantFrom<unknown>(
    null,
    undefined,
    [],
    ['pro'],
    ['vip', 1, null],
    [['vip']],
    { vip: 1 },
    {},
    { a: 1, b: [2] },
  ),
);

const unit = fc.constantFrom<Unit>('days', 'hours', 'minutes');
const amount = fc.oneof(fc.constantFrom(0, 1, 7, 24, 60), fc.nat(500));

const askedValue = (operator: ValueOperator): fc.Arbitrary<unknown> => {
  if ((dateWindows as readonly string[]).includes(operator)) return amount;
  switch (operator) {
    case 'isAnyOf':
    case 'isNoneOf':
      return fc.array(scalar, { minLength: 1, maxLength: 5 });
    case 'hasAnyOf':
    case 'hasAllOf':
    case 'hasNoneOf':
      return fc.uniqueArray(item, { minLength: 1, maxLength: 4 });
    case 'startsWith':
    case 'endsWith':
      return text.filter((each) => each !== '');
    case 'onDay':
      return fc.integer({ min: -400, max: 400 });
    case 'anniversaryWithinNext':
      return fc.oneof(fc.nat(10), fc.nat(366));
    default:
      return stored.map((each) => each ?? null);
  }
};

const question: fc.Arbitrary<Question> = fc
  .constantFrom(...valueOperators)
  .chain((operator) => fc.record({ operator: fc.constant(operator), value: askedValue(operator), unit }));
const where: fc.Arbitrary<Where> = fc.record({ now: moment, timeZone: fc.constantFrom(...zones) });

/** A stored value, half the time derived from what is asked for, so that equal and neighbouring values occur. */
const triple = fc.tuple(question, where).chain(([asked, place]) => {
  const own =
    typeof asked.value === 'string'
      ? [asked.value, `${asked.value}x`, asked.value.slice(0, 10)]
      : [asked.value];
  const related = [...own, ...(Array.isArray(asked.value) ? asked.value : [])].filter(
    (each) => each !== undefined,
  );
  const around = fc.tuple(fc.integer({ min: -2, max: 2 }), fc.boolean(), amount).map(([by, whole, units]) => {
    const text = new Date(place.now.getTime() + by * dayMs + units).toISOString();
    return whole ? text.slice(0, 10) : text;
  });
  return fc.tuple(
    fc.constant(asked),
    fc.constant(place),
    fc.oneof(stored, fc.constantFrom<unknown>(...related), around),
  );
});

/** Statements of a hundred questions each. */
async function answersOf(conditions: Prisma.Sql[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let start = 0; start < conditions.length; start += 100) {
    const columns = conditions
      .slice(start, start + 100)
      .map((each, index) => Prisma.sql`SELECT ${index}::int AS "i", (${each}) AS "holds"`);
    const rows = await test.services.database.prisma.$queryRaw<{ holds: unknown }[]>`
      ${Prisma.join(columns, ' UNION ALL ')} ORDER BY "i"`;
    answers.push(...rows.map(({ holds }) => holds));
  }
  return answers;
}

const describeCase = (each: unknown): string =>
  JSON.stringify(each, (_, value: unknown) => (value === undefined ? '(missing)' : value));

describe('a value and an operator', () => {
  it('have one meaning in SQL, in TypeScript and in plain words, for any value, bound, moment and zone', async () => {
    const seed = fc.readConfigureGlobal()?.seed ?? 1;
    const cases = fc.sample(triple, { numRuns: 6_000, seed });
    const conditions = cases.map(([{ operator, value, unit }, place, actual]) => {
      const json =
        actual === undefined ? Prisma.sql`NULL::jsonb` : Prisma.sql`${JSON.stringify(actual)}::jsonb`;
      const rule = valueRule(operator, value, unit ?? 'days', place);
      return jsonSql(rule, { value: json, text: Prisma.sql`(${json} #>> '{}')` });
    });
    const bySql = await answersOf(conditions);
    const wrong: string[] = [];
    let held = 0;
    for (const [index, [{ operator, value, unit }, place, actual]] of cases.entries()) {
      const plain = holdsPlainly(actual, { operator, value, ...(unit && { unit }) }, place);
      const inTypeScript = matchesRule(valueRule(operator, value, unit ?? 'days', place), actual);
      if (plain) held += 1;
      if (bySql[index] !== plain || inTypeScript !== plain)
        wrong.push(
          `${describeCase(cases[index])}: plainly ${plain}, TypeScript ${inTypeScript}, SQL ${bySql[index]}`,
        );
    }
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(held).toBeGreaterThan(cases.length / 5);
  }, 120_000);

  it('mean the same for a column that is an instant', async () => {
    const operators: ValueOperator[] = [
      'equals',
      'notEquals',
      'greaterThan',
      'lessThan',
      'greaterThanOrEqual',
      'lessThanOrEqual',
      ...dateWindows,
      'onDay',
      'anniversaryWithinNext',
    ];
    const asked = fc
      .constantFrom(...operators)
      .chain((operator) => fc.record({ operator: fc.constant(operator), value: askedValue(operator), unit }));
    const columnCases = fc
      .tuple(asked, where, moment)
      .filter(([{ value }]) => typeof value === 'number' || instantOf(value) !== null);
    const cases = fc.sample(columnCases, { numRuns: 1_000, seed: 2 });
    const bySql = await answersOf(
      cases.map(([{ operator, value, unit }, place, at]) =>
        columnSql(instantRule(operator, value, unit, place), Prisma.sql`${at.toISOString()}::timestamptz`),
      ),
    );
    const wrong: string[] = [];
    for (const [index, [{ operator, value, unit }, place, at]] of cases.entries()) {
      const isTime =
        typeof value === 'number' &&
        ['equals', 'notEquals', 'greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual'].includes(
          operator,
        );
      const given = isTime ? (instantOf(value)?.toISOString() ?? null) : value;
      const same = isTime && at.getTime() === value;
      const plain =
        operator === 'equals' && isTime
          ? same
          : operator === 'notEquals' && isTime
            ? given !== null && !same
            : holdsPlainly(at.toISOString(), { operator, value: given, unit }, place);
      const inTypeScript = matchesRule(instantRule(operator, value, unit, place), at.toISOString());
      if (bySql[index] !== plain || inTypeScript !== plain)
        wrong.push(
          `${describeCase(cases[index])}: plainly ${plain}, TypeScript ${inTypeScript}, SQL ${bySql[index]}`,
        );
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  }, 120_000);
});
