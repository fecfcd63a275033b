import { expect, it } from 'vitest';
import { takenIn } from './taken-ids.rules.ts';

const named = (...pairs: [email: string, externalId: string | null][]) =>
  pairs.map(([email, externalId]) => ({ email, externalId }));

it('an external id belongs to who has it, then to the first of a batch', () => {
  const contacts = named(['a', '1'], ['b', '1'], ['c', '2'], ['d', '3'], ['e', null], ['f', null]);
  expect(
    takenIn(
      contacts,
      new Map([
        ['2', 'z'],
        ['3', 'd'],
      ]),
    ),
  ).toEqual(new Set(['b', 'c']));
});

it('two contacts cannot exchange their ids in one batch', () => {
  const owners = new Map([
    ['1', 'a'],
    ['2', 'b'],
  ]);
  expect(takenIn(named(['a', '2'], ['b', '1']), owners)).toEqual(new Set(['a', 'b']));
});
