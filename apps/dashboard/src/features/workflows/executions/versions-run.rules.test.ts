import { describe, expect, it } from 'vitest';
import { movesBetween, versionRun } from './versions-run.rules.ts';

const versions = [
  { version: 7, movedTo: null },
  { version: 5, movedTo: 7 },
  { version: 4, movedTo: null },
  { version: 2, movedTo: 5 },
];
const run = (status: 'WAITING' | 'COMPLETED', version: number | null, steps: (number | null)[]) =>
  versionRun({ status, version, stepExecutions: steps.map((each) => ({ version: each })) }, versions);

describe('the version whose graph shows the way of an execution', () => {
  it('is that by which it goes on while it is active: moves are followed to their end', () => {
    expect(run('WAITING', 2, [2, 2])).toBe(7);
    expect(run('WAITING', 4, [4])).toBe(4);
    expect(run('WAITING', 9, [9])).toBe(9);
  });

  it('is the last that decided once it has ended', () => {
    expect(run('COMPLETED', 2, [2, 2])).toBe(2);
    expect(run('COMPLETED', 2, [2, 5])).toBe(5);
  });

  it('is not known of one that an earlier release has begun', () => {
    expect(run('WAITING', null, [null])).toBeNull();
  });
});

describe('a move', () => {
  it('is where another version decides than before', () => {
    const steps = [
      { id: 'a', version: 2 },
      { id: 'b', version: 2 },
      { id: 'c', version: 5 },
      { id: 'd', version: 5 },
      { id: 'e', version: 7 },
    ];
    expect([...movesBetween({ version: 2, stepExecutions: steps })]).toEqual([
      ['c', 5],
      ['e', 7],
    ]);
    expect(movesBetween({ version: 2, stepExecutions: steps.slice(0, 2) }).size).toBe(0);
    expect(movesBetween({ version: null, stepExecutions: [{ id: 'a', version: null }] }).size).toBe(0);
  });
});
