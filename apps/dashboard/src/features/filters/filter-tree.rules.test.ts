import type { FilterTree } from '@postrider/core/segments/contract';
import { describe, expect, it } from 'vitest';
import {
  fromTree,
  isComplete,
  missingIn,
  newFilter,
  newTree,
  operatorsOf,
  toTree,
  withKind,
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

describe('an incomplete filter', () => {
  it('is named as the API names it, also in nested groups', () => {
    const tree = newTree();
    expect(Object.keys(missingIn(tree, 'condition'))).toEqual(['condition.groups.0.filters.0.field']);
    const [group] = tree.groups;
    if (!group) throw new Error('a new tree has a group');
    const nested = { ...tree, groups: [{ ...group, filters: [], conditions: newTree() }] };
    expect(Object.keys(missingIn(nested, 'condition'))).toEqual([
      'condition.groups.0.conditions.groups.0.filters.0.field',
    ]);
  });
});

describe('a filter tree', () => {
  it('is unchanged by being opened for editing', () => {
    expect(toTree(fromTree(tree))).toEqual(tree);
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
    expect(fromTree(opens).groups[0]?.filters[0]).toMatchObject({ kind: 'activity', name: 'opened' });
  });

  it('keeps an operator only if the new field supports it', () => {
    const filter = { ...newFilter(), operator: 'contains' as const, value: 'x' };
    expect(withKind(filter, 'email').operator).toBe('contains');
    expect(withKind(filter, 'event')).toMatchObject({ operator: operatorsOf('event')[0], value: '' });
  });
});
