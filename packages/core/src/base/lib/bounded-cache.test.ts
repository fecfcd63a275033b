import { expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

const sized = (count: number, bytes: number) =>
  new BoundedCache<string, { bytes: number }>({ count, bytes }, (value) => value.bytes);
const keysOf = (cache: BoundedCache<string, { bytes: number }>): string[] =>
  [...'abcd'].filter((key) => cache.get(key) !== undefined);

it('forgets what was not used for longest when there are too many', () => {
  const cache = sized(2, 100);
  for (const key of ['a', 'b']) cache.set(key, { bytes: 1 });
  cache.get('a');
  cache.set('c', { bytes: 1 });
  expect(keysOf(cache)).toEqual(['a', 'c']);
});

it('forgets as many as it takes for the bytes, and keeps the last one however large it is', () => {
  const cache = sized(10, 100);
  for (const key of ['a', 'b', 'c']) cache.set(key, { bytes: 30 });
  cache.set('d', { bytes: 60 });
  expect(keysOf(cache)).toEqual(['c', 'd']);
  cache.set('a', { bytes: 1_000 });
  expect(keysOf(cache)).toEqual(['a']);
});

it('a value that has grown counts with its new size', () => {
  const cache = sized(10, 100);
  const growing = { bytes: 1 };
  cache.set('a', { bytes: 1 });
  cache.set('b', growing);
  growing.bytes = 100;
  cache.trim();
  expect(keysOf(cache)).toEqual(['b']);
});

it('a deleted value does not count', () => {
  const cache = sized(10, 100);
  cache.set('a', { bytes: 90 });
  cache.delete('a');
  cache.set('b', { bytes: 60 });
  cache.set('c', { bytes: 40 });
  expect(keysOf(cache)).toEqual(['b', 'c']);
});
