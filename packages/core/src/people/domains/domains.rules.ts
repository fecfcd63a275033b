import type { DomainStatus } from '../../base/db/index.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long a domain may be PENDING before it is FAILED. */
const pendingFor = 72 * hour;
const failedChecksToLose = 3;
/** At most one notice of each kind per domain in this time. */
const mailPause = 7 * day;

/** The state that checks read and change (behaviour B3.5). */
export interface DomainState {
  status: DomainStatus;
  /** failed checks in a row of a VERIFIED domain */
  failedChecks: number;
  pendingSince: Date;
  verifiedAt: Date | null;
  /** when the next check is due; null: only when forced */
  nextCheckAt: Date | null;
}

export interface Check {
  /** every required record was found */
  passed: boolean;
  forced: boolean;
  now: Date;
}

/** The state after a check. A FAILED domain changes only by a forced check. */
export function afterCheck(state: DomainState, { passed, forced, now }: Check): DomainState {
  if (state.status === 'FAILED' && !forced) return state;
  if (passed) {
    const verifiedAt = state.status === 'VERIFIED' ? state.verifiedAt : now;
    return { ...state, status: 'VERIFIED', failedChecks: 0, verifiedAt, nextCheckAt: after(now, day) };
  }
  if (state.status === 'VERIFIED') return afterMiss(state, now);
  if (state.status === 'FAILED') return pendingFrom(state, now);
  const expired = now.getTime() - state.pendingSince.getTime() >= pendingFor;
  return expired
    ? { ...state, status: 'FAILED', nextCheckAt: null }
    : { ...state, nextCheckAt: after(now, 5 * minute) };
}

function afterMiss(state: DomainState, now: Date): DomainState {
  const failedChecks = state.failedChecks + 1;
  if (failedChecks >= failedChecksToLose) return pendingFrom(state, now);
  return { ...state, failedChecks, nextCheckAt: after(now, day) };
}

const pendingFrom = (state: DomainState, now: Date): DomainState => ({
  ...state,
  status: 'PENDING',
  failedChecks: 0,
  pendingSince: now,
  verifiedAt: null,
  nextCheckAt: after(now, 5 * minute),
});

export type Turn = 'verified' | 'lost';

/** A change of the domain that requires a notice. */
export function turnOf(before: DomainStatus, after: DomainStatus): Turn | null {
  if (before === after) return null;
  if (after === 'VERIFIED') return 'verified';
  return before === 'VERIFIED' ? 'lost' : null;
}

export const mayMailAgain = (lastMailAt: Date | null, now: Date): boolean =>
  lastMailAt === null || now.getTime() - lastMailAt.getTime() >= mailPause;

const after = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms);

/** The error of email that waits from a domain which is not verified for the present mail server. */
export const notVerifiedText = 'sender domain not verified';

/** The error of email that waits from a domain which is deleted. */
export const removedText = 'sender domain removed';
