import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

test('keeps what was used most recently, up to its size', () => {
  const map = new RecentMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  map.set('a', 4);
  map.set('d', 5);
  expect([map.get('a'), map.get('c'), map.get('d')]).toEqual([4, undefined, 5]);
});

test('keeps what is in use while any number of others come and go', () => {
  const map = new RecentMap<string, number>(10);
  map.set('used', 1);
  for (let other = 0; other < 1_000; other += 1) {
    map.set(`other ${other}`, other);
    expect(map.get('used')).toBe(1);
  }
  const kept = Array.from({ length: 1_000 }, (_, other) => map.get(`other ${other}`)).filter(
    (value) => value !== undefined,
  );
  expect(kept.length).toBeGreaterThanOrEqual(4);
  expect(kept.length).toBeLessThan(10);
});
