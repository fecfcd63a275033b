import { validate, version } from 'uuid';
import { afterEach, expect, test, vi } from 'vitest';
import { newId, timeOf } from './ids.ts';

afterEach(() => {
  vi.useRealTimers();
});

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

test('ids keep their order over a small correction of the clock, and the time after a large one', () => {
  vi.useFakeTimers({ now: Date.now() + 30_000 });
  const ahead = newId();
  vi.useRealTimers();
  expect(newId() > ahead).toBe(true);
  vi.useFakeTimers({ now: Date.now() + 86_400_000 });
  newId();
  vi.useRealTimers();
  const from = Date.now();
  const time = timeOf(newId()).getTime();
  expect(time).toBeGreaterThanOrEqual(from);
  expect(time).toBeLessThanOrEqual(Date.now());
});
