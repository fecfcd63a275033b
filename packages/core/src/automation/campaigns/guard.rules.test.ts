import { describe, expect, it } from 'vitest';
import {
  countedSince,
  evidenceAgainst,
  type GuardCounts,
  guardLimits,
  reasonToPause,
} from './guard.rules.ts';

const nothing: GuardCounts = { sent: 0, refused: 0, bounced: 0, complained: 0, unsubscribed: 0 };

/** Numbers from 0 to 1, the same in each run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** After how many emails a campaign is paused whose mail servers refuse this share; null when it is not, though it is looked at after each. */
function pausedAfter(share: number, emails: number, random: () => number): number | null {
  const counts = { ...nothing };
  for (let n = 1; n <= emails; n += 1) {
    if (random() < share) {
      counts.refused += 1;
      counts.bounced += 1;
    } else counts.sent += 1;
    if (counts.bounced >= 3 && reasonToPause(counts) !== null) return n;
  }
  return null;
}

it('is a mean of likelihood ratios: 1 without emails, and less for each email without a bounce', () => {
  expect(evidenceAgainst(0.02, 0, 0)).toBe(1);
  expect(evidenceAgainst(0.02, 0, 100)).toBeLessThan(1);
  const single = [1.5, 2, 3, 5, 8].reduce((sum, factor) => sum + factor, 0) / 5;
  expect(evidenceAgainst(0.02, 1, 1)).toBeCloseTo(single);
});

describe('a campaign', () => {
  it('with 12 % dead addresses is paused before 400 emails, by half after about 100', () => {
    const random = randomOf(1);
    const found = Array.from({ length: 1_000 }, () => pausedAfter(0.12, 400, random));
    expect(found.filter((after) => after === null)).toEqual([]);
    const sorted = found.map(Number).sort((a, b) => a - b);
    expect(sorted[500]).toBeLessThan(130);
  });

  it('at exactly the limit is not, of 100,000 emails that are looked at one by one', () => {
    const random = randomOf(2);
    const paused = Array.from({ length: 60 }, () => pausedAfter(0.02, 100_000, random)).filter(
      (after) => after !== null,
    );
    expect(paused.length).toBeLessThanOrEqual(1);
  });

  it('is not paused by a few, whatever share they are', () => {
    expect(reasonToPause({ ...nothing, sent: 4, complained: 4 })).toBeNull();
    expect(reasonToPause({ ...nothing, sent: 5, complained: 5 })).toBe('guard_complaints');
  });

  it.each([
    ['guard_bounces', { bounced: 60 }],
    ['guard_complaints', { complained: 20 }],
    ['guard_unsubscribes', { unsubscribed: 60 }],
  ] as const)('is paused for %s', (reason, counts) => {
    expect(reasonToPause({ ...nothing, sent: 500, ...counts })).toBe(reason);
    expect(guardLimits[reason].rate).toBeLessThan(0.05);
  });

  it('is judged by what was counted since it was resumed', () => {
    const base = { ...nothing, sent: 300, bounced: 60 };
    const counts = { ...nothing, sent: 1_300, bounced: 70 };
    expect(reasonToPause(counts)).toBe('guard_bounces');
    expect(reasonToPause(countedSince(counts, base))).toBeNull();
    expect(countedSince(counts, null)).toBe(counts);
  });
});
