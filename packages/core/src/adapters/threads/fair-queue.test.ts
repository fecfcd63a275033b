import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const anyProject = (_projectId: string): boolean => true;
const takeAll = (queue: FairQueue<string>, mayServe = anyProject): (string | undefined)[] => {
  const taken: (string | undefined)[] = [];
  for (let item = queue.take(mayServe); item !== undefined; item = queue.take(mayServe)) taken.push(item);
  return taken;
};

test('projects take turns, and the items of a project keep their order', () => {
  const queue = new FairQueue<string>(10);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item.charAt(0), item);
  expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('a project whose queue is full is refused, others are not', () => {
  const queue = new FairQueue<string>(2);
  expect(['a1', 'a2', 'a3', 'b1'].map((item) => queue.add(item.charAt(0), item))).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test('an urgent item goes before the others of its project only', () => {
  const queue = new FairQueue<string>(10);
  for (const item of ['a1', 'b1', 'a2']) queue.add(item.charAt(0), item);
  queue.add('b', 'b0', true);
  expect(takeAll(queue)).toEqual(['a1', 'b0', 'a2', 'b1']);
});

test('a project that may not be served keeps its turn', () => {
  const queue = new FairQueue<string>(10);
  for (const item of ['a1', 'b1', 'b2']) queue.add(item.charAt(0), item);
  expect(takeAll(queue, (project) => project === 'b')).toEqual(['b1', 'b2']);
  expect(takeAll(queue)).toEqual(['a1']);
});
