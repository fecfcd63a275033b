import { type AppError, badRequest, conflict, invalid } from '../../base/kernel/errors.ts';
import { writtenInstantOf } from '../../base/kernel/schemas.ts';
import { suggestions } from '../../base/kernel/suggestions.rules.ts';
import { twoTimes } from '../../mail/sending/schedule.rules.ts';

export type CampaignStatus = 'DRAFT' | 'SCHEDULED' | 'SENDING' | 'SENT' | 'CANCELLED';

/** Why the service ended a campaign, or cannot complete it (behaviour B2.3). */
export type CampaignStatusReason =
  | 'domain_unverified'
  | 'project_disabled'
  | 'billing_limit_exceeded'
  | 'daily_limit_exceeded'
  | 'approval_missing'
  | 'start_failed'
  | 'audience_failed'
  | 'restored'
  | 'completion_failed';

/** Why a campaign is paused (behaviour B3.1). */
export const pauseReasons = ['user', 'guard_bounces', 'guard_complaints', 'guard_unsubscribes'] as const;
export type PauseReason = (typeof pauseReasons)[number];

type Action = 'send' | 'approve' | 'unschedule' | 'pause' | 'resume' | 'cancel' | 'change' | 'retry';

/** The actions allowed in each status (B3.1). */
const allowed: Record<Action, readonly CampaignStatus[]> = {
  send: ['DRAFT', 'SCHEDULED'],
  approve: ['DRAFT', 'SCHEDULED'],
  change: ['DRAFT', 'SCHEDULED'],
  unschedule: ['SCHEDULED'],
  pause: ['SENDING'],
  resume: ['SENDING'],
  cancel: ['SCHEDULED', 'SENDING'],
  retry: ['SENDING', 'SENT'],
};

const participles: Record<Action, string> = {
  send: 'sent',
  approve: 'approved',
  unschedule: 'unscheduled',
  pause: 'paused',
  resume: 'resumed',
  cancel: 'cancelled',
  change: 'changed',
  retry: 'retried',
};

/** @throws AppError CONFLICT with the current status */
export function assertState(action: Action, status: CampaignStatus): void {
  if (allowed[action].includes(status)) return;
  throw conflict(`A campaign that is ${status} cannot be ${participles[action]}`, {
    suggestion: suggestions.CONFLICT.campaignState(allowed[action]),
  });
}

/** @throws AppError CONFLICT with the current state, which is also whether the campaign is paused */
export function assertPause(
  action: 'pause' | 'resume',
  { status, pausedAt }: { status: CampaignStatus; pausedAt: Date | null },
): void {
  assertState(action, status);
  const isPaused = pausedAt !== null;
  if (isPaused === (action === 'resume')) return;
  throw conflict(`A campaign that is ${isPaused ? 'paused' : status} cannot be ${participles[action]}`, {
    suggestion: isPaused ? suggestions.CONFLICT.campaignPaused : suggestions.CONFLICT.campaignGoesOn,
  });
}

/** @throws AppError CONFLICT when the campaign is scheduled as a second person has approved it */
export function assertNotApproved({
  status,
  approvedHash,
}: {
  status: CampaignStatus;
  approvedHash: string | null;
}): void {
  if (status !== 'SCHEDULED' || approvedHash === null) return;
  throw conflict('A campaign that is scheduled with an approval cannot be changed', {
    suggestion: suggestions.CONFLICT.campaignApproved,
  });
}

/** @throws AppError CONFLICT when the campaign was changed after the version that the caller has */
export function assertVersion(updatedAt: Date, ifUpdatedAt: string | undefined): void {
  if (ifUpdatedAt === undefined || updatedAt.getTime() === Date.parse(ifUpdatedAt)) return;
  throw conflict('The campaign was changed in the meantime', {
    suggestion: suggestions.CONFLICT.campaignChanged,
  });
}

/** The refusal of what has to know the emails of a campaign, after some of them were removed (behaviour B8.5). */
export const emailsExpired = (whose: 'of the campaign' | 'of its family'): AppError =>
  conflict(`Emails ${whose} were removed for their age`, {
    suggestion: suggestions.CONFLICT.campaignExpired,
  });

/** @throws AppError CONFLICT while the campaign is scheduled or being sent */
export function assertDeletable(status: CampaignStatus): void {
  if (status !== 'SCHEDULED' && status !== 'SENDING') return;
  throw conflict(`A campaign that is ${status} cannot be deleted`, {
    suggestion: suggestions.CONFLICT.campaignRuns,
  });
}

/**
 * The time at which a campaign is to start, in any form that `writtenInstantOf` accepts, under either of its names; null to start
 * immediately.
 *
 * @throws AppError BAD_REQUEST when it is not a date, or not in the future; VALIDATION_ERROR for two different times
 */
export function readSchedule(
  given: { scheduledFor?: unknown; scheduledAt?: unknown },
  now: Date,
): Date | null {
  const [scheduledFor, scheduledAt] = (['scheduledFor', 'scheduledAt'] as const).map((name) =>
    readStart(name, given[name], now),
  );
  if (scheduledFor && scheduledAt && scheduledFor.getTime() !== scheduledAt.getTime())
    throw invalid([{ field: 'scheduledAt', code: 'custom', message: twoTimes }]);
  return scheduledFor ?? scheduledAt ?? null;
}

function readStart(name: string, value: unknown, now: Date): Date | null {
  if (value === undefined || value === null) return null;
  const date = writtenInstantOf(value);
  if (!date) {
    throw badRequest(`${name} is not a date`, {
      suggestion: 'Give an ISO 8601 date with a time zone, on a day that exists, or epoch milliseconds',
    });
  }
  if (date.getTime() <= now.getTime()) throw badRequest(`${name} must be in the future`);
  return date;
}

/** Contacts of the first part in which an audience is frozen. */
export const firstPart = 2_000;

const growth = 4;
const largestPart = 1_000_000;

/**
 * Contacts of the part that follows: writing them takes less time than sending those before. No part is so large that its transaction lasts
 * for minutes: it would be lost whole by a crash, and keeps dead rows of all queues.
 */
export const nextPart = (size: number): number => Math.min(largestPart, size * growth);
