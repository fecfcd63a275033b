import fc from '@postrider/vitest/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { afterCheck, type DomainState, mayMailAgain, turnOf } from './domains.rules.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const hours = (count: number) => minutes(count * 60);

const pending: DomainState = {
  status: 'PENDING',
  failedChecks: 0,
  pendingSince: hours(-1),
  verifiedAt: null,
  nextCheckAt: now,
};
const verified: DomainState = { ...pending, status: 'VERIFIED', verifiedAt: hours(-100) };
const failed: DomainState = { ...pending, status: 'FAILED', pendingSince: hours(-80), nextCheckAt: null };

const hit = { passed: true, forced: false, now };
const miss = { passed: false, forced: false, now };

describe('PENDING', () => {
  it('becomes VERIFIED when the records are found, checked daily from then on', () => {
    expect(afterCheck(pending, hit)).toMatchObject({
      status: 'VERIFIED',
      verifiedAt: now,
      nextCheckAt: hours(24),
    });
  });

  it('is checked again after 5 minutes', () => {
    expect(afterCheck(pending, miss)).toEqual({ ...pending, nextCheckAt: minutes(5) });
  });

  it('becomes FAILED after 72 hours without success, not a moment sooner', () => {
    expect(afterCheck({ ...pending, pendingSince: new Date(hours(-72).getTime() + 1) }, miss).status).toBe(
      'PENDING',
    );
    expect(afterCheck({ ...pending, pendingSince: hours(-72) }, miss)).toMatchObject({
      status: 'FAILED',
      nextCheckAt: null,
    });
  });

  it('becomes VERIFIED after 72 hours too, when the last check finds the records', () => {
    expect(afterCheck({ ...pending, pendingSince: hours(-73) }, hit).status).toBe('VERIFIED');
  });
});

describe('VERIFIED', () => {
  it('stays VERIFIED with the same time while the records are found', () => {
    expect(afterCheck({ ...verified, failedChecks: 2 }, hit)).toEqual({
      ...verified,
      failedChecks: 0,
      nextCheckAt: hours(24),
    });
  });

  it('becomes PENDING with the third failed check in a row, daily or forced', () => {
    const once = afterCheck(verified, miss);
    const twice = afterCheck(once, { ...miss, forced: true });
    expect([once, twice].map(({ status, verifiedAt }) => [status, verifiedAt])).toEqual(
      Array(2).fill(['VERIFIED', verified.verifiedAt]),
    );
    expect(afterCheck(twice, miss)).toEqual({
      status: 'PENDING',
      failedChecks: 0,
      pendingSince: now,
      verifiedAt: null,
      nextCheckAt: minutes(5),
    });
  });

  it('stays VERIFIED when a check succeeds between failures', () => {
    const state = [miss, miss, hit, miss, miss].reduce(afterCheck, verified);
    expect(state.status).toBe('VERIFIED');
  });
});

describe('FAILED', () => {
  it('is not checked unless forced', () => {
    expect(afterCheck(failed, hit)).toEqual(failed);
    expect(afterCheck(failed, miss)).toEqual(failed);
  });

  it('becomes VERIFIED or PENDING by a forced check; PENDING starts a new 72 hours', () => {
    expect(afterCheck(failed, { ...hit, forced: true })).toMatchObject({
      status: 'VERIFIED',
      verifiedAt: now,
    });
    const again = afterCheck(failed, { ...miss, forced: true });
    expect(again).toMatchObject({ status: 'PENDING', pendingSince: now, nextCheckAt: minutes(5) });
  });
});

it('after any checks, verifiedAt is set only for VERIFIED, and nextCheckAt is missing only for FAILED', () => {
  const check = fc.record({
    passed: fc.boolean(),
    forced: fc.boolean(),
    hours: fc.integer({ min: 0, max: 80 }),
  });
  fc.assert(
    fc.property(fc.array(check, { maxLength: 30 }), (checks) => {
      let at = now;
      let state = pending;
      for (const { passed, forced, hours: gap } of checks) {
        at = new Date(at.getTime() + gap * 3_600_000);
        state = afterCheck(state, { passed, forced, now: at });
        expect(state.verifiedAt !== null).toBe(state.status === 'VERIFIED');
        expect(state.nextCheckAt === null).toBe(state.status === 'FAILED');
        expect(state.failedChecks).toBeLessThan(3);
      }
    }),
  );
});

describe('the notice', () => {
  it('is due when a domain becomes verified or loses it, not when it fails', () => {
    expect(turnOf('PENDING', 'VERIFIED')).toBe('verified');
    expect(turnOf('FAILED', 'VERIFIED')).toBe('verified');
    expect(turnOf('VERIFIED', 'PENDING')).toBe('lost');
    expect(turnOf('PENDING', 'FAILED')).toBeNull();
    expect(turnOf('FAILED', 'PENDING')).toBeNull();
    expect(turnOf('VERIFIED', 'VERIFIED')).toBeNull();
  });

  it('is sent at most once in 7 days', () => {
    expect(mayMailAgain(null, now)).toBe(true);
    expect(mayMailAgain(hours(-7 * 24 + 1), now)).toBe(false);
    expect(mayMailAgain(hours(-7 * 24), now)).toBe(true);
  });
});
