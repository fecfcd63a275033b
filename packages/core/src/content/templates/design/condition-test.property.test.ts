import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../language/index.ts';
import {
  isTest,
  isWithoutValue,
  rowsIn,
  type TestRow,
  type TestRows,
  testOf,
} from './condition-test.rules.ts';

const key = fc.constantFrom(
  'plan',
  'seats',
  'first name',
  'x-y',
  'event',
  'and',
  'address.city',
  "friend's",
  'Zoë',
);
const field = fc.oneof(
  key.map((name) => `data.${name}`),
  fc.constantFrom('context.total', 'context.order.number', 'context.a b', 'email', 'subscribed'),
);
const value = fc.oneof(
  fc.constantFrom('pro', '', 'a "quoted" word', "it's", 'Ž', '2026-01-31', '41', 'true'),
  fc.integer({ min: -1_000, max: 1_000 }).filter((number) => !Object.is(number, -0)),
  fc.boolean(),
  fc.constant(null),
);
const row: fc.Arbitrary<TestRow> = fc.oneof(
  fc.record({
    field,
    operator: fc.constantFrom('equals', 'notEquals', 'greaterThan', 'lessThanOrEqual', 'contains'),
    value,
  }),
  fc.record({ field, operator: fc.constantFrom('isEmpty', 'isNotEmpty') }),
) as fc.Arbitrary<TestRow>;
const rows: fc.Arbitrary<TestRows> = fc.record({
  logic: fc.constantFrom('AND', 'OR'),
  rows: fc.array(row, { minLength: 1, maxLength: 3 }),
});

describe('rows of a condition', () => {
  it('are the same after they were written as Liquid', () =>
    fc.assert(
      fc.property(rows, (given) => {
        const test = testOf(given);
        if (test === null) throw new Error(JSON.stringify(given));
        expect(isTest(test)).toBe(true);
        const logic = given.rows.length === 1 ? 'AND' : given.logic;
        expect(rowsIn(test)).toEqual({ ...given, logic });
      }),
    ));

  const person = fc.record({
    plan: fc.constantFrom('pro', 'free', '', undefined),
    seats: fc.constantFrom(41, 3, undefined),
    'first name': fc.constantFrom('Ada', undefined),
  });
  const asked: fc.Arbitrary<TestRow> = fc.oneof(
    fc.record({
      field: fc.constantFrom('data.plan', 'data.first name'),
      operator: fc.constantFrom('equals', 'notEquals', 'contains'),
      value: fc.constantFrom('pro', 'Ada', 'ro'),
    }),
    fc.record({
      field: fc.constant('data.seats'),
      operator: fc.constantFrom('greaterThan', 'lessThanOrEqual', 'equals'),
      value: fc.constantFrom(3, 40, 41),
    }),
    fc.record({
      field: fc.constantFrom('data.plan', 'data.seats'),
      operator: fc.constantFrom('isEmpty', 'isNotEmpty'),
    }),
  ) as fc.Arbitrary<TestRow>;

  it('decide as they read, when the email is rendered', () =>
    fc.assert(
      fc.property(
        fc.constantFrom<TestRows['logic']>('AND', 'OR'),
        fc.array(asked, { minLength: 1, maxLength: 3 }),
        person,
        (logic, given, data) => {
          const test = testOf({ logic, rows: given });
          const html = parseTemplate(`{% if ${test} %}yes{% else %}no{% endif %}`, 'html').render({
            ...data,
            data,
          });
          const answers = given.map((each) => holds(each, data));
          const expected = logic === 'AND' ? answers.every(Boolean) : answers.some(Boolean);
          expect(html).toBe(expected ? 'yes' : 'no');
        },
      ),
    ));
});

/** The naive meaning of a row. */
function holds({ field: path, operator, value: wanted }: TestRow, data: Record<string, unknown>): boolean {
  const found = data[path.slice('data.'.length)];
  const isEmpty = found === undefined || found === '';
  if (isWithoutValue(operator)) return (operator === 'isEmpty') === isEmpty;
  if (operator === 'equals') return found === wanted;
  if (operator === 'notEquals') return found !== wanted;
  if (operator === 'contains') return typeof found === 'string' && found.includes(String(wanted));
  if (typeof found !== 'number') return false;
  return operator === 'greaterThan' ? found > Number(wanted) : found <= Number(wanted);
}

describe('a test', () => {
  it.each([
    ['plan == "pro"', [{ field: 'data.plan', operator: 'equals', value: 'pro' }]],
    ["plan=='pro'", [{ field: 'data.plan', operator: 'equals', value: 'pro' }]],
    ['data.plan != nil', [{ field: 'data.plan', operator: 'notEquals', value: null }]],
    ['firstName', [{ field: 'data.firstName', operator: 'isNotEmpty' }]],
    ['event.total >= 3.5', [{ field: 'context.total', operator: 'greaterThanOrEqual', value: 3.5 }]],
    ['tags contains "vip"', [{ field: 'data.tags', operator: 'contains', value: 'vip' }]],
  ])('%s is read as rows', (test, expected) => expect(rowsIn(test)?.rows).toEqual(expected));

  it.each([
    'a == 1 and b == 2 or c == 3',
    'order.items.size > 3',
    'plan == other',
    'not plan',
    'plan = = pro',
    'plan ==',
    'and',
    '',
  ])('%j is more than rows can say', (test) => expect(rowsIn(test)).toBeNull());

  it.each([
    ['plan == "pro"', true],
    ['a == 1 and b == 2 or c == 3', true],
    ['not plan', true],
    ['tags[0] == "a"', true],
    ['plan = = pro', false],
    ['plan ==', false],
    ['plan == "pro', false],
    ['plan | upcase == "PRO"', false],
    ['', false],
  ])('%j has the form of a condition: %s', (test, expected) => expect(isTest(test)).toBe(expected));

  it.each([
    { field: 'data.plan', operator: 'equals', value: '50%' },
    { field: 'data.plan', operator: 'equals', value: '{{x}}' },
    { field: 'data.plan', operator: 'equals', value: `'"` },
    { field: 'data.plan', operator: 'equals' },
    { field: 'segment.x', operator: 'equals', value: 'a' },
  ] as TestRow[])('is not made of %j', (given) => expect(testOf({ logic: 'AND', rows: [given] })).toBeNull());
});
