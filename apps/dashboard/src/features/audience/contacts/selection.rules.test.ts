import { describe, expect, it } from 'vitest';
import {
  bulkFilterOf,
  bulkInput,
  everything,
  isSelected,
  nothing,
  select,
  sizeOf,
} from './selection.rules.ts';

describe('the selection of contacts for a bulk change', () => {
  it('lists the contacts that were ticked', () => {
    const some = select(select(nothing, ['a', 'b', 'c'], true), ['b'], false);
    expect(sizeOf(some, 100)).toBe(2);
    expect(bulkInput(some, {})).toEqual({ mode: 'ids', contactIds: ['a', 'c'] });
  });

  it('of all matching contacts excludes those that were unticked', () => {
    const most = select(everything, ['b'], false);
    expect([isSelected(most, 'b'), isSelected(most, 'never shown')]).toEqual([false, true]);
    expect(sizeOf(most, 100)).toBe(99);
    expect(bulkInput(most, { text: 'x' })).toEqual({
      mode: 'query',
      filter: { text: 'x' },
      excludeIds: ['b'],
    });
  });

  it('can cover all matching contacts only if bulk changes support the filter', () => {
    expect(bulkFilterOf('x', 'subscribed')).toEqual({ text: 'x', subscribed: true });
    expect(bulkFilterOf('', '')).toEqual({});
    expect(bulkFilterOf('', 'snoozed')).toBeNull();
    expect(bulkFilterOf('', 'unsubscribed')).toBeNull();
  });
});
