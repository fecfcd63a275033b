import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { Owners, Turn } from './ports/owners.ts';
import { TurnOrder } from './turn-order.ts';

/** Projects are named `<owner><number>`; owners in capital letters are proven. */
const byName: Owners = {
  turnOf: (projectId) => turnOf(projectId.charAt(0)),
  known: () => null,
};
const turnOf = (owner: string): Turn => ({ owner, isProven: owner === owner.toUpperCase() });

/** A queue of numbers per project; `take` serves the next of them. */
function queueOf(projects: Record<string, number>, owners = byName) {
  const order = new TurnOrder<{ left: number }>(owners);
  for (const [projectId, left] of Object.entries(projects)) order.place(projectId, () => ({ left }));
  const take = (): string | undefined =>
    order.first((leaf, projectId) => {
      leaf.left -= 1;
      order.served(projectId);
      if (leaf.left === 0) order.delete(projectId);
      return projectId;
    });
  const taken = (count: number): string[] => Array.from({ length: count }, () => take() ?? '-');
  return { order, take, taken };
}

describe('turns', () => {
  it('are those of owners, and inside an owner of its projects', () => {
    const { taken } = queueOf({ A1: 9, A2: 9, A3: 9, B1: 9 });
    expect(taken(6)).toEqual(['A1', 'B1', 'A2', 'B1', 'A3', 'B1']);
  });

  it('of all unproven owners are one, in which they take turns', () => {
    const { taken } = queueOf({ a1: 9, a2: 9, b1: 9, A1: 9 });
    expect(taken(8)).toEqual(['a1', 'A1', 'b1', 'A1', 'a2', 'A1', 'b1', 'A1']);
  });

  it('of an owner whose project has nothing more go on with its others', () => {
    const { taken, order } = queueOf({ A1: 1, A2: 2, B1: 2 });
    expect(taken(6)).toEqual(['A1', 'B1', 'A2', 'B1', 'A2', '-']);
    expect([order.size, order.turns]).toEqual([0, 0]);
  });

  it('are counted by owner', () => {
    const { order } = queueOf({ a1: 1, b1: 1, A1: 1, A2: 1 });
    expect([order.size, order.turns]).toEqual([4, 2]);
  });
});

describe('a project whose owner is not known yet', () => {
  it('has a turn among the unproven ones until it is read, and then that of its owner', async () => {
    const known = Promise.withResolvers<void>();
    let isRead = false;
    const owners: Owners = {
      turnOf: (projectId) =>
        projectId === 'A1' && !isRead ? { owner: projectId, isProven: false } : byName.turnOf(projectId),
      known: (projectId) => (projectId === 'A1' && !isRead ? known.promise : null),
    };
    const { taken } = queueOf({ a1: 9, b1: 9, c1: 9, A1: 9 }, owners);
    expect(taken(2)).toEqual(['a1', 'b1']);
    isRead = true;
    known.resolve();
    await known.promise;
    expect(taken(4)).toEqual(['c1', 'A1', 'a1', 'A1']);
  });

  it('follows its owner when it is placed again', () => {
    let owner = 'a';
    const { order, taken } = queueOf(
      { b1: 9, X1: 9 },
      { ...byName, turnOf: (id) => turnOf(id === 'X1' ? owner : id.charAt(0)) },
    );
    expect(order.turns).toBe(1);
    owner = 'A';
    expect(order.place('X1', () => ({ left: 1 }))).toEqual({ left: 9 });
    expect(order.turns).toBe(2);
    expect(taken(4)).toEqual(['b1', 'X1', 'b1', 'X1']);
  });
});

describe('whatever the projects', () => {
  const projects = fc.uniqueArray(
    fc
      .tuple(fc.constantFrom(...'ABCabc'), fc.integer({ min: 1, max: 9 }))
      .map(([owner, n]) => `${owner}${n}`),
    { minLength: 1, maxLength: 30 },
  );
  const keyOf = (projectId: string): string => {
    const { owner, isProven } = byName.turnOf(projectId);
    return isProven ? owner : 'unproven';
  };

  it('no owner with something left waits for more than one turn of each other owner', () => {
    fc.assert(
      fc.property(projects, (ids) => {
        const { taken } = queueOf(Object.fromEntries(ids.map((id) => [id, 1_000])));
        const owners = new Set(ids.map(keyOf));
        const turns = taken(owners.size * 20).map(keyOf);
        for (const owner of owners) expect(turns.filter((turn) => turn === owner)).toHaveLength(20);
        for (let at = 0; at + owners.size <= turns.length; at += 1)
          expect(new Set(turns.slice(at, at + owners.size)).size).toBe(owners.size);
      }),
    );
  });

  it('inside a turn, owners differ by at most one, and so do projects of one owner', () => {
    fc.assert(
      fc.property(projects, fc.integer({ min: 1, max: 300 }), (ids, count) => {
        const { taken } = queueOf(Object.fromEntries(ids.map((id) => [id, 1_000])));
        const served = taken(count);
        const spread = (groups: string[][]): number => {
          const counts = groups.map((group) => served.filter((id) => group.includes(id)).length);
          return Math.max(...counts) - Math.min(...counts);
        };
        const byOwner = Object.values(Object.groupBy(ids, (id) => id.charAt(0))) as string[][];
        for (const own of byOwner) expect(spread(own.map((id) => [id]))).toBeLessThanOrEqual(1);
        const strangers = byOwner.filter(([id]) => keyOf(id ?? '') === 'unproven');
        if (strangers.length > 0) expect(spread(strangers)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('rounds give the same order as single turns, each what it has', () => {
    const sizes = fc.dictionary(
      fc
        .tuple(fc.constantFrom(...'ABab'), fc.integer({ min: 1, max: 5 }))
        .map(([owner, n]) => `${owner}${n}`),
      fc.integer({ min: 1, max: 5 }),
      { noNullPrototype: true, maxKeys: 12 },
    );
    fc.assert(
      fc.property(sizes, (left) => {
        const total = Object.values(left).reduce((sum, count) => sum + count, 0);
        const { order } = queueOf(left);
        const rest = new Map(Object.entries(left));
        const next = order.rounds((_, projectId) => {
          const count = rest.get(projectId) ?? 0;
          rest.set(projectId, count - 1);
          return count > 0 ? projectId : undefined;
        });
        const given = Array.from({ length: total + 1 }, next);
        expect(given.at(-1)).toBeUndefined();
        expect(given.slice(0, -1)).toEqual(queueOf(left).taken(total));
      }),
    );
  });
});
