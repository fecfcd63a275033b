import { expect, it } from 'vitest';
import { PoolSize } from './pool-size.ts';

const waits = { first: 10, longest: 40 };

it('allows all connections until the server refuses one, then those that are open', () => {
  const size = new PoolSize(64, waits);
  expect(size.allowed(0)).toBe(64);
  for (let open = 63; open >= 20; open -= 1) size.refused(open, 0);
  expect(size.allowed(9)).toBe(20);
});

it('tries one more after a wait, and the next at once when it is let in', () => {
  const size = new PoolSize(22, waits);
  size.refused(20, 0);
  expect(size.allowed(10)).toBe(21);
  size.opened(21);
  expect(size.allowed(11)).toBe(22);
  size.opened(22);
  expect(size.allowed(12)).toBe(22);
});

it('waits twice as long after each trial that is refused', () => {
  const size = new PoolSize(64, waits);
  let tick = 0;
  for (const wait of [10, 20, 40, 40]) {
    size.refused(20, tick);
    expect(size.allowed(tick + wait - 1)).toBe(20);
    tick += wait;
    expect(size.allowed(tick)).toBe(21);
  }
});

it('allows one connection at least', () => {
  const size = new PoolSize(8, waits);
  size.refused(0, 0);
  expect(size.allowed(1)).toBe(1);
});

it('begins with one connection after a failure, and doubles with each sender that is accepted', () => {
  const size = new PoolSize(6, waits);
  size.restart();
  expect(size.allowed(100)).toBe(1);
  const seen = [1, 2, 3, 4].map(() => {
    size.accepted();
    return size.allowed(100);
  });
  expect(seen).toEqual([2, 4, 6, 6]);
});

it('stays with what the server allows when it refuses a connection while their number doubles', () => {
  const size = new PoolSize(64, waits);
  size.restart();
  size.accepted();
  size.accepted();
  size.refused(3, 0);
  size.accepted();
  expect(size.allowed(1)).toBe(3);
});
