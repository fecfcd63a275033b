import fc from '@postrider/vitest/fast-check.ts';
import { expect, it } from 'vitest';
import type { Filter, FilterTree } from '../../audience/segments/filters.rules.ts';
import { readFilterTree } from '../../audience/segments/filters.schema.ts';
import { canExclude, inCampaign, inSegment, readAudience, writeAudience } from './audience-parts.rules.ts';

const id = fc.uuid();
const part: fc.Arbitrary<Filter> = fc.oneof(
  id.map(inSegment),
  fc
    .tuple(id, fc.constantFrom('sent', 'opened', 'clicked', 'cancelled'))
    .map(([of, did]) => inCampaign(of, did)),
  fc.constantFrom<Filter[]>(
    { field: 'data.plan', operator: 'exists' },
    { field: 'data.plan', operator: 'notExists' },
    { field: 'event.purchase', operator: 'triggeredWithin', value: 7, unit: 'days' },
    { field: 'data.tags', operator: 'hasAnyOf', value: ['vip'] },
  ),
);
const plain = fc.constant<Filter>({ field: 'data.plan', operator: 'equals', value: 'gold' });
const parts = fc
  .record({
    include: fc.array(fc.array(fc.oneof(part, plain), { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
    exclude: fc.array(part.filter(canExclude), { maxLength: 4 }),
  })
  .filter(({ include, exclude }) => include.length + exclude.length > 0);

it('what was written as parts is read as the same parts, and is a tree that the API accepts', () => {
  fc.assert(
    fc.property(parts, (given) => {
      const tree = writeAudience(given);
      expect(readFilterTree(tree, { namesUnknown: true }).issues).toEqual([]);
      expect(readAudience(tree)).toEqual(given);
      expect(writeAudience(readAudience(tree) ?? given)).toEqual(tree);
    }),
  );
});

const gold: Filter = { field: 'data.plan', operator: 'equals', value: 'gold' };
const notIn: Filter = { field: 'segment.x', operator: 'notMemberOfSegment' };
const included = { filters: [], conditions: { logic: 'OR', groups: [{ filters: [gold] }] } } as const;

it.each<[string, FilterTree]>([
  ['of alternatives', { logic: 'OR', groups: [{ filters: [gold] }] }],
  ['of plain filters', { logic: 'AND', groups: [{ filters: [gold] }] }],
  [
    'of a third group',
    { logic: 'AND', groups: [included, { filters: [notIn] }, { filters: [notIn] }] } as never,
  ],
  [
    'with a positive filter among the exclusions',
    { logic: 'AND', groups: [included, { filters: [gold] }] } as never,
  ],
  [
    'with a count among the exclusions',
    {
      logic: 'AND',
      groups: [included, { filters: [{ field: 'event.a', operator: 'notOccurred', times: { max: 1 } }] }],
    } as never,
  ],
  [
    'of parts that have parts',
    {
      logic: 'AND',
      groups: [
        {
          filters: [],
          conditions: { logic: 'OR', groups: [{ filters: [gold], conditions: included.conditions }] },
        },
      ],
    } as never,
  ],
])('a tree %s has no parts', (_name, tree) => {
  expect(readAudience(tree)).toBeNull();
});

it('without anything included, all contacts are', () => {
  const tree = writeAudience({ include: [], exclude: [inSegment('x')] });
  expect(tree).toEqual({ logic: 'AND', groups: [{ filters: [notIn] }] });
  expect(readAudience(tree)).toEqual({ include: [], exclude: [inSegment('x')] });
});

it('what has no exact opposite cannot be excluded', () => {
  expect(() => writeAudience({ include: [], exclude: [gold] })).toThrow(
    'equals of data.plan cannot be excluded',
  );
  expect(() => writeAudience({ include: [], exclude: [] })).toThrow('ALL');
});
