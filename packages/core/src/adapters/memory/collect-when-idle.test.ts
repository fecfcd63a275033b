import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { createIdleCollector } from './collect-when-idle.ts';

const mb = 1_048_576;

function processOf() {
  const state = { share: 0, heap: 90 * mb, collected: 0 };
  const look = createIdleCollector({
    busy: () => state.share,
    used: () => state.heap,
    collect: () => {
      state.collected += 1;
      state.heap = 70 * mb;
    },
  });
  const looks = (count: number) => {
    for (let n = 0; n < count; n += 1) look();
  };
  return { state, looks };
}

it('a process collects once after 15 idle looks in a row', () => {
  const { state, looks } = processOf();
  looks(14);
  expect(state.collected).toBe(0);
  looks(1);
  expect(state.collected).toBe(1);
  looks(100);
  expect(state.collected).toBe(1);
});

it('a busy look begins the count again, and new garbage is collected after the next pause', () => {
  const { state, looks } = processOf();
  looks(14);
  state.share = 0.5;
  looks(1);
  state.share = 0;
  looks(14);
  expect(state.collected).toBe(0);
  looks(1);
  expect(state.collected).toBe(1);
  state.heap = 77 * mb;
  looks(15);
  expect(state.collected).toBe(1);
  state.heap = 79 * mb;
  looks(15);
  expect(state.collected).toBe(2);
});

it('garbage of this process is collected', () => {
  let garbage: object[] = Array.from({ length: 500_000 }, (_, n) => ({ n }));
  const look = createIdleCollector({ busy: () => 0 });
  expect(garbage).toHaveLength(500_000);
  garbage = [];
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 15; n += 1) look();
  expect(process.memoryUsage().heapUsed).toBeLessThan(before);
});

it('the room for new objects is given back', () => {
  const room = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
  const look = createIdleCollector({ busy: () => 0 });
  let kept: object[] = [];
  for (let n = 0; n < 3_000_000; n += 1) {
    if (n % 300_000 === 0) kept = [];
    kept.push({ n });
  }
  const before = room();
  expect(before).toBeGreaterThan(8 * mb);
  for (let n = 0; n < 15; n += 1) look();
  expect(room()).toBeLessThan(before / 2);
});
