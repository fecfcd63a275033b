import { expect, it } from 'vitest';
import { ownTurns } from '../../base/kernel/index.ts';
import { FairQueue } from './fair-queue.ts';

const all = () => 'take' as const;

const drain = (queue: FairQueue<string>): string[] => {
  const taken: string[] = [];
  for (let item = queue.take(all); item !== undefined; item = queue.take(all)) taken.push(item);
  return taken;
};

it('serves projects in turn and keeps the order of each', () => {
  const queue = new FairQueue<string>(ownTurns);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item.charAt(0), item);
  expect(queue.size).toBe(6);
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  expect([queue.size, queue.turns]).toEqual([0, 0]);
});

it('a project that arrives later is served before a long line goes on', () => {
  const queue = new FairQueue<string>(ownTurns);
  for (let n = 0; n < 1_000; n += 1) queue.add('long', `long${n}`);
  queue.take(all);
  queue.add('short', 'short');
  expect([queue.take(all), queue.take(all)]).toEqual(['long1', 'short']);
});

it('passes over a project without losing its place, and drops items for good', () => {
  const queue = new FairQueue<string>(ownTurns);
  for (const item of ['a1', 'a2', 'b1']) queue.add(item.charAt(0), item);
  expect(queue.take((_, { owner }) => (owner === 'a' ? 'pass' : 'take'))).toBe('b1');
  expect(queue.take((item) => (item === 'a1' ? 'drop' : 'take'))).toBe('a2');
  expect(queue.size).toBe(0);
});

it('leaves an item that is only used in its place, and goes on to the next project', () => {
  const queue = new FairQueue<string>(ownTurns);
  for (const item of ['a1', 'a2', 'b1']) queue.add(item.charAt(0), item);
  expect(queue.take(() => 'use')).toBe('a1');
  expect(queue.take(all)).toBe('b1');
  expect([queue.take(all), queue.take(all)]).toEqual(['a1', 'a2']);
});

it('holds no reference to what was taken from a long line', () => {
  const queue = new FairQueue<number>(ownTurns);
  for (let n = 0; n < 10_000; n += 1) queue.add('a', n);
  for (let n = 0; n < 10_000; n += 1) expect(queue.take(all)).toBe(n);
  expect(queue.take(all)).toBeUndefined();
});
