import { expect, it } from 'vitest';
import { Counts } from './counts.ts';

it('counts by key, and forgets a key that has nothing any more', () => {
  const counts = new Counts();
  counts.add('a', 2);
  counts.add('b', 1);
  counts.add('b', -1);
  expect([counts.get('a'), counts.get('b'), counts.has('b'), counts.size]).toEqual([2, 0, false, 1]);
  expect([...counts]).toEqual([['a', 2]]);
});

it('gives each key its places, until they are taken', () => {
  const counts = new Counts();
  const free = counts.take('a', 2);
  expect([counts.take('a', 2) === null, counts.take('a', 2), counts.take('b', 2) === null]).toEqual([
    false,
    null,
    false,
  ]);
  free?.();
  expect(counts.take('a', 2)).not.toBeNull();
  expect(counts.get('a')).toBe(2);
});
