import { expect, it } from 'vitest';
import { endsInput, endsOf, missingIn, nextKey } from './ends-draft.rules.ts';

const condition = {
  logic: 'AND' as const,
  groups: [{ filters: [{ field: 'data.plan', operator: 'equals' as const, value: 'pro' }] }],
};
const stored = {
  goals: [
    { goalId: 'g1', effect: 'MEASURE' as const },
    { goalId: 'g2', effect: 'JUMP' as const, toStepKey: 'thanks' },
  ],
  exits: [
    { name: 'Has paid', eventName: 'order.paid' },
    { name: 'Large', eventName: 'paid', where: [{ property: 'amount', operator: 'greaterThan', value: 5 }] },
    { name: 'Is pro', condition },
  ],
};

it('what is stored and not edited is sent as it was', () => {
  expect(endsInput(endsOf(stored))).toEqual(stored);
});

it('a rule by an event without a name has that of the event, and only a jump has a step', () => {
  expect(
    endsInput({
      goals: [{ key: 1, goalId: 'g', effect: 'EXIT', toStepKey: 'thanks' }],
      exits: [{ key: 1, name: ' ', eventName: 'order.paid', where: [], condition: null }],
    }),
  ).toEqual({
    goals: [{ goalId: 'g', effect: 'EXIT' }],
    exits: [{ name: 'order.paid', eventName: 'order.paid' }],
  });
});

it('a new row has a key of its own', () => {
  expect(nextKey([])).toBe(1);
  expect(nextKey([{ key: 4 }, { key: 2 }])).toBe(5);
});

it('a condition on data that is not filled in is told at its field', () => {
  const ends = endsOf({
    goals: [],
    exits: [{ name: 'Paid', eventName: 'paid', where: [{ property: '', operator: 'equals', value: 'x' }] }],
  });
  expect(missingIn(ends)).toEqual({ 'exits.0.where.0.property': 'Enter a property' });
  expect(missingIn(endsOf(stored))).toEqual({});
});
