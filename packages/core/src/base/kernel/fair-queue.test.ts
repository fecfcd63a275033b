import { expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { ownTurns } from './ports/owners.ts';

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

it('serves items of a lower rank before the others of their project, the oldest first', () => {
  const queue = new FairQueue<string>(ownTurns);
  queue.add('a', 'normal', 1);
  for (const item of ['urgent 1', 'urgent 2', 'urgent 3']) queue.add('a', item, 0);
  expect(drain(queue)).toEqual(['urgent 1', 'urgent 2', 'urgent 3', 'normal']);
});

it('bounds what a project has waiting, whatever its rank', () => {
  const queue = new FairQueue<string>(ownTurns, { ofProject: 2, ofTurn: 10 });
  expect([queue.add('a', '1'), queue.add('a', '2', 1), queue.add('a', '3')]).toEqual([true, true, false]);
  expect(queue.add('b', '1')).toBe(true);
  expect(queue.take(all)).toBe('1');
  expect(queue.add('a', '3')).toBe(true);
});

it('bounds what an owner has waiting, until some is taken or dropped', () => {
  const owners = { ...ownTurns, turnOf: (id: string) => ({ owner: id.charAt(0), isProven: true }) };
  const queue = new FairQueue<string>(owners, { ofProject: 10, ofTurn: 2 });
  expect([queue.add('a1', '1'), queue.add('a2', '2'), queue.add('a3', '3'), queue.add('b1', '4')]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect(queue.take((item) => (item === '1' ? 'drop' : 'take'))).toBe('2');
  expect([queue.add('a3', '3'), queue.add('a3', '5'), queue.add('a3', '6')]).toEqual([true, true, false]);
});

it('removes an item that waits, and has room for another one', () => {
  const queue = new FairQueue<string>(ownTurns, { ofProject: 2, ofTurn: 10 });
  for (const item of ['1', '2']) queue.add('a', item);
  queue.remove('a', '1');
  queue.remove('a', 'never added');
  queue.remove('b', '2');
  expect(queue.add('a', '3')).toBe(true);
  queue.remove('a', '3');
  expect(drain(queue)).toEqual(['2']);
  queue.remove('a', '2');
  expect(queue.add('a', '4')).toBe(true);
});

it('gives back everything that waits, and is empty', () => {
  const queue = new FairQueue<string>(ownTurns, { ofProject: 2, ofTurn: 2 });
  for (const item of ['a1', 'a2', 'b1']) queue.add(item.charAt(0), item);
  queue.take(all);
  expect(queue.clear().sort()).toEqual(['a2', 'b1']);
  expect([queue.size, queue.take(all)]).toEqual([0, undefined]);
  expect([queue.add('a', 'a3'), queue.add('a', 'a4')]).toEqual([true, true]);
});
