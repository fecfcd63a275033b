import { expect, it } from 'vitest';
import { ownTurns } from '../../base/kernel/ports/owners.ts';
import { FairQueue } from './fair-queue.ts';

const roomy = { ofProject: 10, ofTurn: 10 };
const all = (queue: FairQueue<string>): string[] => {
  const items: string[] = [];
  for (let item = queue.take(() => true); item !== undefined; item = queue.take(() => true)) items.push(item);
  return items;
};

it('serves projects in turn, and the oldest item of each first', () => {
  const queue = new FairQueue<string>(ownTurns, roomy);
  for (const item of ['a1', 'a2', 'a3']) queue.add('a', item);
  for (const item of ['b1', 'b2']) queue.add('b', item);
  expect(all(queue)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

it('serves urgent items of a project before its others, the oldest first', () => {
  const queue = new FairQueue<string>(ownTurns, roomy);
  queue.add('a', 'normal');
  for (const item of ['urgent 1', 'urgent 2', 'urgent 3']) queue.add('a', item, true);
  expect(all(queue)).toEqual(['urgent 1', 'urgent 2', 'urgent 3', 'normal']);
});

it('bounds what a project has waiting, urgent or not', () => {
  const queue = new FairQueue<string>(ownTurns, { ofProject: 2, ofTurn: 10 });
  expect([queue.add('a', '1'), queue.add('a', '2', true), queue.add('a', '3', true)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(queue.add('b', '1')).toBe(true);
});

it('removes an item that waits, and has room for another one', () => {
  const queue = new FairQueue<string>(ownTurns, { ofProject: 2, ofTurn: 10 });
  for (const item of ['1', '2']) queue.add('a', item);
  queue.remove('a', '1');
  queue.remove('a', 'never added');
  queue.remove('b', '2');
  expect(queue.add('a', '3', true)).toBe(true);
  queue.remove('a', '3');
  expect(all(queue)).toEqual(['2']);
  queue.remove('a', '2');
  expect(queue.add('a', '4')).toBe(true);
});
