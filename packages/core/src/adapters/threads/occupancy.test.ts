import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Turn } from '../../base/kernel/ports/owners.ts';
import { Occupancy } from './occupancy.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const proven = (owner: string): Turn => ({ owner, isProven: true });
const unproven = (owner: string): Turn => ({ owner, isProven: false });

function open(size: number) {
  const occupancy = new Occupancy(size, () => undefined);
  /** Starts as many tasks of the owner as may start. */
  const fill = (turn: Turn): number => {
    let count = 0;
    for (; occupancy.mayStart(turn); count += 1) occupancy.begin(turn);
    return count;
  };
  /** After its pause the owner is slow for another minute. */
  const makeSlow = (turn: Turn): void => {
    occupancy.used(turn, 150);
    vi.advanceTimersByTime(1_000);
  };
  return { occupancy, fill, makeSlow };
}

describe('threads', () => {
  it('of one owner are all but one', () => {
    expect(open(8).fill(proven('a'))).toBe(7);
    expect(open(1).fill(proven('a'))).toBe(1);
  });

  it('of all unproven owners together are all but one', () => {
    const { fill } = open(8);
    expect([fill(unproven('a')), fill(unproven('b'))]).toEqual([7, 0]);
  });

  it('of a slow owner are half, and of slow owners together all but one', () => {
    const { occupancy, fill, makeSlow } = open(8);
    const slow = ['a', 'b', 'c'].map(proven);
    for (const turn of slow) makeSlow(turn);
    expect(slow.map(fill)).toEqual([4, 3, 0]);
    expect(occupancy.mayStart(proven('other'))).toBe(true);
  });

  it('of unproven owners are half while one of them is slow', () => {
    const { fill, makeSlow } = open(8);
    makeSlow(unproven('a'));
    expect(fill(unproven('b'))).toBe(4);
  });

  it('of a turn that is halved are half', () => {
    const { occupancy, fill } = open(8);
    occupancy.halve(proven('reports'));
    expect(fill(proven('reports'))).toBe(4);
    expect(occupancy.isSlow(proven('reports'))).toBe(false);
  });
});

describe('after a slow task', () => {
  /** For how long no task of the owner may start, in milliseconds. */
  const pauseAfter = (occupancy: Occupancy, turn: Turn, ms: number): number => {
    occupancy.used(turn, ms);
    let waited = 0;
    for (; !occupancy.mayStart(turn); waited += 10) vi.advanceTimersByTime(10);
    return waited;
  };

  it('its owner pauses for three times its time, doubled by each further one, at most a minute', () => {
    const { occupancy } = open(2);
    const pauses = Array.from({ length: 10 }, () => pauseAfter(occupancy, proven('a'), 200));
    expect(pauses).toEqual([600, 1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 60_000, 60_000, 60_000]);
  });

  it('a minute without one ends the doubling, and what it restricts', () => {
    const { occupancy } = open(4);
    pauseAfter(occupancy, proven('a'), 200);
    expect(occupancy.isSlow(proven('a'))).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(occupancy.isSlow(proven('a'))).toBe(false);
    expect(pauseAfter(occupancy, proven('a'), 200)).toBe(600);
  });

  it('other owners go on, unproven ones too', () => {
    const { occupancy } = open(2);
    occupancy.used(unproven('a'), 1_000);
    expect([unproven('a'), unproven('b'), proven('c')].map((turn) => occupancy.mayStart(turn))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('it is told once a minute', () => {
    const { occupancy } = open(2);
    const told = (): boolean => occupancy.used(proven('a'), 200);
    expect([told(), told()]).toEqual([true, false]);
    vi.advanceTimersByTime(60_000);
    expect([told(), told()]).toEqual([true, false]);
  });
});

it('tasks of up to 100 ms have no consequences', () => {
  const { occupancy } = open(2);
  expect(occupancy.used(proven('a'), 100)).toBe(false);
  expect([occupancy.mayStart(proven('a')), occupancy.isSlow(proven('a'))]).toEqual([true, false]);
});
