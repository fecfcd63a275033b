import { validate, version } from 'uuid';
import { expect, test } from 'vitest';
import { newId } from './ids.ts';

test('ids are UUIDs of version 7, all different, in the order in which they were made, with the present time', () => {
  const from = Date.now();
  const ids = Array.from({ length: 5_000 }, newId);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  const time = Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16);
  expect(time).toBeGreaterThanOrEqual(from);
  expect(time).toBeLessThanOrEqual(Date.now());
});

test('the random part of ids does not repeat', () => {
  const ends = Array.from({ length: 2_000 }, () => newId().slice(-12));
  expect(new Set(ends).size).toBe(ends.length);
});
