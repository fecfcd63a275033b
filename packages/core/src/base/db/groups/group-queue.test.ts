import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { Owners } from '../../kernel/index.ts';
import { GroupQueue, type Lock, type Place } from './group-queue.ts';

const roomy = { count: 1_000, weight: 1_000_000 };
const place = (owner: string, { weight = 1, locks = [] }: Partial<Place> = {}): Place => ({
  owner,
  weight,
  locks,
});
const exclusive = (...names: string[]): Lock[] => names.map((name) => ({ name, value: null }));

/** A queue of items that are named `<owner><number>`. */
function queueOf(items: [name: string, place?: Partial<Place>][], perOwner = roomy, total = roomy) {
  const queue = new GroupQueue<string>({ perOwner, total });
  for (const [name, rest] of items) queue.add(name, place(name.charAt(0), rest));
  return queue;
}

const namesOf = (entries: { item: string }[]): string[] => entries.map(({ item }) => item);
const take = (queue: GroupQueue<string>, count: number, weight = 1_000, held?: Set<string>) =>
  namesOf(queue.take({ count, weight }, held));

describe('turns', () => {
  it('an owner with many items delays another by at most one item each', () => {
    const flood = Array.from({ length: 50 }, (_, index): [string] => [`a${index}`]);
    expect(take(queueOf([...flood, ['b0'], ['c0']]), 4)).toEqual(['a0', 'b0', 'c0', 'a1']);
  });

  it('with more owners than places, those that were not served are next', () => {
    const queue = queueOf([['a0'], ['a1'], ['b0'], ['c0'], ['d0']]);
    expect([take(queue, 2), take(queue, 2), take(queue, 2)]).toEqual([['a0', 'b0'], ['c0', 'd0'], ['a1']]);
    expect(queue.length).toBe(0);
  });
});

describe('weight', () => {
  it('ends a group, and an item that is too heavy for any group is alone in one', () => {
    const queue = queueOf([
      ['a0', { weight: 90 }],
      ['a1', { weight: 20 }],
      ['b0', { weight: 10 }],
    ]);
    expect([take(queue, 9, 50), take(queue, 9, 50)]).toEqual([['a0'], ['b0', 'a1']]);
  });

  it.each([
    ['items of one owner', { count: 2, weight: 100 }, roomy, 'owner'],
    ['bytes of one owner', { count: 9, weight: 2 }, roomy, 'owner'],
    ['items of all', roomy, { count: 2, weight: 100 }, 'total'],
    ['bytes of all', roomy, { count: 9, weight: 2 }, 'total'],
  ])(
    'the queue is full when it has the %s that are allowed, until some are taken',
    (_what, own, all, bound) => {
      const queue = queueOf([['a0'], ['a1']], own, all);
      expect(queue.fullFor('a')).toBe(bound);
      expect(queue.fullFor('b')).toBe(bound === 'owner' ? null : bound);
      take(queue, 1);
      expect(queue.fullFor('a')).toBeNull();
    },
  );
});

describe('locks', () => {
  it('items that exclude each other are taken one after the other', () => {
    const queue = queueOf([
      ['a0', { locks: exclusive('x') }],
      ['a1', { locks: exclusive('x', 'y') }],
      ['a2', { locks: exclusive('z') }],
      ['b0', { locks: exclusive('y') }],
    ]);
    expect([take(queue, 9), take(queue, 9)]).toEqual([['a0', 'b0', 'a2'], ['a1']]);
  });

  it('items that give a lock the same value share a group', () => {
    const queue = queueOf([
      ['a0', { locks: [{ name: 'x', value: 'same' }] }],
      ['a1', { locks: [{ name: 'x', value: 'same' }] }],
      ['a2', { locks: [{ name: 'x', value: 'other' }] }],
    ]);
    expect([take(queue, 9), take(queue, 9)]).toEqual([['a0', 'a1'], ['a2']]);
  });

  it('a lock that is held elsewhere keeps its items waiting, in their order', () => {
    const queue = queueOf([
      ['a0', { locks: exclusive('x', 'y') }],
      ['a1', { locks: exclusive('y') }],
    ]);
    expect(take(queue, 9, 9, new Set(['x']))).toEqual([]);
    expect([take(queue, 9), take(queue, 9)]).toEqual([['a0'], ['a1']]);
  });
});

it('takes every item once, in the order of each owner, whatever the groups', () => {
  const item = fc.record({
    owner: fc.constantFrom('a', 'b', 'c'),
    weight: fc.integer({ min: 1, max: 9 }),
    locks: fc.array(
      fc.record({ name: fc.constantFrom('x', 'y', 'z'), value: fc.constantFrom('v', 'w', null) }),
      {
        maxLength: 2,
      },
    ),
  });
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 40 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 30 }),
      (places, count, weight) => {
        const queue = new GroupQueue<number>({ perOwner: roomy, total: roomy });
        for (const [index, each] of places.entries()) queue.add(index, each);
        const taken: number[] = [];
        while (queue.length > 0) {
          const group = queue.take({ count, weight });
          expect(group.length).toBeGreaterThan(0);
          expect(group.length).toBeLessThanOrEqual(count);
          const total = group.reduce((sum, entry) => sum + entry.place.weight, 0);
          if (group.length > 1) expect(total).toBeLessThanOrEqual(weight);
          taken.push(...group.map((entry) => entry.item));
        }
        expect([...taken].sort((a, b) => a - b)).toEqual(places.map((_, index) => index));
        for (const name of ['x', 'y', 'z']) {
          const ordered = (owner: string) =>
            taken.filter((index) => {
              const one = places[index];
              return one?.owner === owner && one.locks.some((lock) => lock.name === name);
            });
          for (const owner of ['a', 'b', 'c'])
            expect(ordered(owner)).toEqual([...ordered(owner)].sort((a, b) => a - b));
        }
      },
    ),
  );
});

describe('owners of projects', () => {
  /** Projects are named by their owner and a number. */
  const byOwner: Owners = {
    turnOf: (projectId) => ({ owner: projectId.charAt(0), isProven: true }),
    known: () => null,
  };
  const open = () =>
    new GroupQueue<string>({ perOwner: roomy, total: { count: 20, weight: 1_000 }, owners: byOwner });

  it('take turns, however many projects they have', () => {
    const queue = open();
    for (const project of ['a1', 'a2', 'a3', 'b1'])
      for (const n of [1, 2]) queue.add(`${project}-${n}`, place(project));
    expect(take(queue, 6)).toEqual(['a1-1', 'b1-1', 'a2-1', 'b1-2', 'a3-1', 'a1-2']);
  });

  it('have at most half of what may wait', () => {
    const queue = open();
    for (let n = 0; n < 10; n += 1) queue.add(`${n}`, place(`a${n}`));
    expect([queue.fullFor('a99'), queue.fullFor('b1')]).toEqual(['owner', null]);
    take(queue, 1);
    expect(queue.fullFor('a99')).toBeNull();
  });
});
