import type { FilterTree } from '@postrider/core/audience/segments/contract';
import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import {
  fromTree,
  isComplete,
  missingIn,
  newCondition,
  newFilter,
  newTree,
  noWindow,
  operatorsFor,
  operatorsOf,
  toTree,
  valuesIn,
  withField,
  withOperator,
} from './filter-tree.rules.ts';

const tree: FilterTree = {
  logic: 'OR',
  groups: [
    {
      filters: [
        { field: 'data.plan', operator: 'equals', value: 'pro' },
        { field: 'data.seats', operator: 'greaterThan', value: 3 },
        { field: 'data.trial', operator: 'notEquals', value: false },
        { field: 'data.a.b', operator: 'equals', value: null },
        { field: 'data.since', operator: 'equals', value: '2026-01-31' },
        { field: 'data.since', operator: 'within', value: 7, unit: 'hours' },
        { field: 'data.zip', operator: 'equals', value: '01234' },
        { field: 'data.zip', operator: 'isAnyOf', value: ['01234', 'a\nb', ' '] },
        { field: 'data.tags', operator: 'hasAllOf', value: ['vip', 'beta'] },
        { field: 'data.seats', operator: 'isNoneOf', value: ['three', 3, true] },
        { field: 'data.zip', operator: 'startsWith', value: '01' },
        { field: 'data.since', operator: 'laterThan', value: 2, unit: 'minutes' },
        { field: 'data.since', operator: 'onDay', value: -1 },
        { field: 'data.born', operator: 'anniversaryWithinNext', value: 7 },
        { field: 'data.born', operator: 'isNotEmpty' },
      ],
    },
    {
      filters: [{ field: 'subscribed', operator: 'equals', value: true }],
      conditions: {
        logic: 'AND',
        groups: [
          {
            filters: [{ field: 'event.order.paid', operator: 'notTriggeredWithin', value: 30, unit: 'days' }],
          },
          { filters: [{ field: 'email.opened', operator: 'triggered' }] },
          { filters: [{ field: 'segment.0199', operator: 'notMemberOfSegment' }] },
          { filters: [{ field: 'createdAt', operator: 'lessThan', value: '2026-01-31T09:30:00.000Z' }] },
        ],
      },
    },
  ],
};

describe('an incomplete condition', () => {
  it('is named as the API names it, also in nested groups', () => {
    const names = (draft: ReturnType<typeof newTree>) => Object.keys(missingIn(draft, 'condition'));
    expect(names(newTree())).toEqual(['condition.groups.0.filters.0.field']);
    const nested = { ...newTree(), items: [newFilter(), newTree('OR'), newTree('OR')] };
    expect(names(nested)).toEqual([
      'condition.groups.0.filters.0.field',
      'condition.groups.1.conditions.groups.0.filters.0.field',
      'condition.groups.2.conditions.groups.0.filters.0.field',
    ]);
    const inOr = {
      ...newTree('OR'),
      items: [newFilter(), { ...newTree(), items: [newFilter(), newFilter()] }],
    };
    expect(names(inOr)).toEqual([
      'condition.groups.0.filters.0.field',
      'condition.groups.1.filters.0.field',
      'condition.groups.1.filters.1.field',
    ]);
  });
});

type Truth = (field: string) => boolean;
const matches = ({ logic, groups }: FilterTree, truth: Truth): boolean => {
  const results = groups.map(
    ({ filters, conditions }) =>
      filters.every(({ field }) => truth(field)) && (!conditions || matches(conditions, truth)),
  );
  return logic === 'AND' ? results.every(Boolean) : results.some(Boolean);
};

const names = ['data.a', 'data.b', 'data.c', 'data.d'];
const filter = fc.constantFrom(...names).map((field) => ({ field, operator: 'exists' as const }));
const { node } = fc.letrec<{ node: FilterTree }>((tie) => ({
  node: fc.record({
    logic: fc.constantFrom('AND' as const, 'OR' as const),
    groups: fc.array(
      fc
        .record({
          filters: fc.array(filter, { maxLength: 2 }),
          conditions: fc.option(tie('node'), { depthSize: 'small', maxDepth: 3 }),
        })
        .filter(({ filters, conditions }) => filters.length > 0 || conditions !== null),
      { minLength: 1, maxLength: 3 },
    ),
  }),
}));

describe('a filter tree', () => {
  it('matches the same contacts after being opened for editing', () => {
    fc.assert(
      fc.property(node, fc.subarray(names), (given, present) => {
        const stored = toTree(fromTree(given));
        const truth: Truth = (field) => present.includes(field);
        expect(matches(stored, truth)).toBe(matches(given, truth));
      }),
    );
  });

  it('keeps every condition with its value', () => {
    const filtersOf = ({ groups }: FilterTree): unknown[] =>
      groups.flatMap(({ filters, conditions }) => [...filters, ...(conditions ? filtersOf(conditions) : [])]);
    expect(filtersOf(toTree(fromTree(tree)))).toEqual(filtersOf(tree));
  });

  it('is complete when it comes from the API, and incomplete when new', () => {
    expect(isComplete(fromTree(tree))).toBe(true);
    expect(isComplete(newTree())).toBe(false);
  });

  it('reads both spellings of an email activity as the same one', () => {
    const opens: FilterTree = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'email.open', operator: 'triggered' }] }],
    };
    expect(fromTree(opens).items[0]).toMatchObject({ kind: 'activity', name: 'opened' });
  });
});

describe('a condition', () => {
  it('takes the type and the operators of its field', () => {
    const seats = withField(newFilter(), 'data.seats', 'number');
    expect(seats).toMatchObject({
      kind: 'data',
      name: 'seats',
      type: 'number',
      operator: 'equals',
      value: '',
    });
    expect(operatorsFor(seats, 'number')).toContain('greaterThan');
    expect(operatorsFor(seats, 'number')).not.toContain('contains');
    expect(operatorsFor(withField(newFilter(), 'data.plan', 'text'), 'text')).not.toContain('greaterThan');
    expect(withField(newFilter(), 'data.vip', 'boolean')).toMatchObject({ type: 'boolean', value: 'true' });
    expect(withField(newFilter(), 'data.unknown', undefined)).toMatchObject({ type: 'text' });
  });

  it('keeps an operator only if the new field supports it', () => {
    const contains = { ...newFilter(), operator: 'contains' as const, value: 'x' };
    expect(withField(contains, 'email', undefined).operator).toBe('contains');
    expect(withField(contains, 'event.a.b', undefined)).toMatchObject({
      kind: 'event',
      name: 'a.b',
      operator: operatorsOf('event')[0],
      value: '',
    });
    expect(withField(contains, 'data.seats', 'number').operator).toBe('equals');
  });

  it('takes a list of values, one per line, which are numbers where the field has numbers', () => {
    expect(valuesIn('pro\n team \n\n5', 'text')).toEqual(['pro', 'team', '5']);
    expect(valuesIn('3\n2.5', 'number')).toEqual([3, 2.5]);
    const filter = withOperator(withField(newFilter(), 'data.seats', 'number'), 'isAnyOf');
    const isFilled = (text: string) =>
      isComplete({ ...newTree(), items: [{ ...filter, list: valuesIn(text, 'number') }] });
    expect([isFilled('3\n4'), isFilled('3\nfour'), isFilled(' \n')]).toEqual([true, false, false]);
  });

  it('keeps its value with an operator that takes the same kind of value', () => {
    const joined = { ...withField(newFilter(), 'data.since', 'date'), value: '2026-01-31' };
    expect(withOperator(joined, 'lessThan').value).toBe('2026-01-31');
    expect(withOperator(joined, 'within').value).toBe('');
  });
});

describe('a filter of a workflow', () => {
  it.each([
    { field: 'context.order.total', operator: 'greaterThan', value: 10 },
    { field: 'step.crm.response.tier', operator: 'equals', value: 'gold' },
    { field: 'step.welcome.opened', operator: 'notOccurred' },
  ] as const)('is stored again as it was: %j', (given) => {
    const tree = { logic: 'AND' as const, groups: [{ filters: [given] }] };
    expect(isComplete(fromTree(tree))).toBe(true);
    expect(toTree(fromTree(tree))).toEqual(tree);
  });

  it('asks of the email of a step whether something occurred, and of its output for a value', () => {
    const opened = withField(newFilter(), 'step.welcome.opened', undefined);
    expect(operatorsFor(opened, undefined)).toEqual(['occurred', 'notOccurred']);
    const answer = withField(newFilter(), 'step.crm.response.tier', undefined);
    expect(operatorsFor(answer, undefined)).toContain('isAnyOf');
    expect(operatorsFor(answer, undefined)).not.toContain('occurred');
  });
});

describe('what counts as an occurrence', () => {
  const bought = withField(newFilter(), 'event.buy', undefined);
  const often = withOperator(bought, 'occurred');
  const stored = (filter: typeof often) => toTree({ ...newTree(), items: [filter] }).groups[0]?.filters[0];

  it('is how often, when and with which data', () => {
    const where = [{ ...newCondition(), name: 'sku', value: 'x' }];
    expect(
      stored({
        ...often,
        times: { min: '3', max: '' },
        window: { ...noWindow, kind: 'last', last: '30' },
        where,
      }),
    ).toEqual({
      ...{ field: 'event.buy', operator: 'occurred', times: { min: 3 }, window: { last: 30, unit: 'days' } },
      where: [{ property: 'sku', operator: 'equals', value: 'x' }],
    });
  });

  it('keeps with another operator what that can ask for', () => {
    const full = {
      ...often,
      times: { min: '3', max: '' },
      window: { ...noWindow, kind: 'last' as const, last: '30' },
      where: [{ ...newCondition(), name: 'sku', value: 'x' }],
    };
    expect(stored(withOperator(full, 'notOccurred'))).not.toHaveProperty('times');
    expect(stored(withOperator(full, 'notOccurred'))).toHaveProperty('window');
    expect(Object.keys(stored(withOperator(full, 'triggered')) ?? {})).toEqual([
      'field',
      'operator',
      'where',
    ]);
    expect(stored(withField(full, 'data.plan', 'text'))).not.toHaveProperty('where');
  });

  it('is named where it is not complete', () => {
    const missing = (filter: typeof often) => Object.keys(missingIn({ ...newTree(), items: [filter] }, 'c'));
    expect(missing({ ...often, window: { ...noWindow, kind: 'last' } })).toEqual([
      'c.groups.0.filters.0.window',
    ]);
    expect(missing({ ...often, times: { min: '1.5', max: '' } })).toEqual(['c.groups.0.filters.0.times']);
    expect(missing({ ...often, where: [newCondition()] })).toEqual(['c.groups.0.filters.0.where.0.property']);
    expect(missing(withOperator(bought, 'total'))).toEqual(['c.groups.0.filters.0.property']);
  });
});

describe('a filter on occurrences that was made elsewhere', () => {
  it.each([
    {
      ...{ field: 'event.buy', operator: 'occurred', times: { min: 3 }, window: { last: 30, unit: 'days' } },
      where: [{ property: 'sku', operator: 'isAnyOf', value: ['a', 'b'] }],
    },
    {
      field: 'event.buy',
      operator: 'total',
      property: 'amount',
      compare: 'greaterThan',
      value: 100,
      unit: 'days',
    },
    {
      field: 'event.buy',
      operator: 'last',
      property: 'sku',
      compare: 'isAnyOf',
      value: ['a', 1],
      unit: 'days',
    },
    { field: 'event.buy', operator: 'first', compare: 'within', value: 3, unit: 'hours' },
    { field: 'event.buy', operator: 'notOccurred', window: { olderThan: 3, unit: 'hours' } },
    { field: 'event.buy', operator: 'occurred', times: { max: 0 }, window: { from: '2026-01-01' } },
    {
      field: 'email.clicked',
      operator: 'triggered',
      where: [
        { property: 'campaignId', operator: 'equals', value: '0199' },
        { property: 'link', operator: 'startsWith', value: 'https://' },
        { property: 'type', operator: 'isNoneOf', value: ['MARKETING'] },
      ],
    },
  ])('is stored again as it was: %j', (given) => {
    const tree = { logic: 'AND', groups: [{ filters: [given] }] } as FilterTree;
    const draft = fromTree(tree);
    expect(isComplete(draft)).toBe(true);
    expect(toTree(draft)).toEqual(tree);
  });
});
