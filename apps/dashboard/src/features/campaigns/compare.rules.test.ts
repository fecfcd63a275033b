import { expect, it } from 'vitest';
import { comparedIn, comparisonOf } from './compare.rules.ts';

const ids = Array.from({ length: 6 }, (_, index) => `0199a1b2-0000-7000-8000-00000000000${index}`);

it('two to five campaigns are compared, and the address of the page names them', () => {
  expect(comparisonOf(ids.slice(0, 1))).toBe(null);
  expect(comparisonOf(ids)).toBe(null);
  for (const count of [2, 5]) {
    const chosen = ids.slice(0, count);
    const [, search] = comparisonOf(new Set(chosen))?.split('?') ?? [];
    expect(comparedIn(new URLSearchParams(search))).toEqual(chosen);
  }
});

it('an address that was edited names what it can', () => {
  const of = (text: string) => comparedIn(new URLSearchParams({ ids: text }));
  expect(of('')).toEqual([]);
  expect(of(`${ids[1]},x,${ids[1]},${ids[0]}`)).toEqual([ids[1], ids[0]]);
  expect(of(ids.join(','))).toEqual(ids.slice(0, 5));
});
