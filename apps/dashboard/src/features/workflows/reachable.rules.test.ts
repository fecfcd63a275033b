import { expect, it } from 'vitest';
import { countLost, reachableFrom } from './reachable.rules.ts';

// a → b → d → e, a → c → d
const edges = ['ab', 'bd', 'ac', 'cd', 'de'].map(([fromStepId = '', toStepId = '']) => ({
  fromStepId,
  toStepId,
}));
const steps = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));

it('finds what follows a step, however far', () => {
  expect([...reachableFrom('b', edges)].sort()).toEqual(['d', 'e']);
  expect([...reachableFrom('a', edges)].sort()).toEqual(['b', 'c', 'd', 'e']);
  expect([...reachableFrom('e', edges)]).toEqual([]);
});

it('a step takes with it what is reached only through it', () => {
  expect(countLost('b', steps, edges)).toBe(1);
  expect(countLost('d', steps, edges)).toBe(2);
  expect(countLost('a', steps, edges)).toBe(5);
});
