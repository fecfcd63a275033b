import type { Campaign } from '../../lib/api.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';

const looks: Record<Campaign['status'], { tone: Tone; label: string }> = {
  DRAFT: { tone: 'calm', label: 'Draft' },
  SCHEDULED: { tone: 'busy', label: 'Scheduled' },
  SENDING: { tone: 'busy', label: 'Sending' },
  SENT: { tone: 'good', label: 'Sent' },
  CANCELLED: { tone: 'calm', label: 'Cancelled' },
};

export const campaignStatusNames: Record<Campaign['status'], string> = {
  DRAFT: looks.DRAFT.label,
  SCHEDULED: looks.SCHEDULED.label,
  SENDING: looks.SENDING.label,
  SENT: looks.SENT.label,
  CANCELLED: looks.CANCELLED.label,
};

const paused = { tone: 'warn', label: 'Paused' } as const;

/** A paused campaign is SENDING, and is shown as what it looks like. */
export function CampaignStatus({ status, pausedAt }: Pick<Campaign, 'status' | 'pausedAt'>) {
  const { tone, label } = pausedAt === null ? looks[status] : paused;
  return <Chip tone={tone}>{label}</Chip>;
}

const pauseReasons: Record<NonNullable<Campaign['pauseReason']>, string> = {
  user: 'Nothing is sent until you resume it.',
  guard_bounces:
    'It paused itself because too many emails bounced. Check its recipients before you resume it, or cancel the rest.',
  guard_complaints:
    'It paused itself because too many recipients marked it as spam. Check its recipients before you resume it, or cancel the rest.',
  guard_unsubscribes:
    'It paused itself because too many recipients unsubscribed. Check its recipients before you resume it, or cancel the rest.',
};

type Waiting = Pick<Campaign, 'waitsFor' | 'status' | 'scheduledFor' | 'sentCount'>;

/** What a campaign waits for; undefined for one that waits for nothing. */
export function waitInWords({ waitsFor, status, scheduledFor, sentCount }: Waiting): string | undefined {
  if (waitsFor === null) return undefined;
  if (status === 'SCHEDULED' && scheduledFor !== null && Date.parse(scheduledFor) > Date.now())
    return 'Begins at its time, if the workflow engine is back by then';
  return `${sentCount === 0 ? 'Begins' : 'Goes on'} when the workflow engine is back`;
}

/** Why a campaign has paused itself, in few words; nothing where a user has paused it. */
const guardReasons: Partial<Record<NonNullable<Campaign['pauseReason']>, string>> = {
  guard_bounces: 'Too many bounces',
  guard_complaints: 'Too many complaints',
  guard_unsubscribes: 'Too many opt-outs',
};

export const guardReasonInWords = (reason: Campaign['pauseReason']): string | undefined =>
  reason === null ? undefined : guardReasons[reason];

export const pauseReasonInWords = (reason: Campaign['pauseReason']): string => pauseReasons[reason ?? 'user'];

const statusReasons: Record<string, string> = {
  domain_unverified: "Cancelled automatically because the sender's domain was no longer verified.",
  project_disabled: 'Cancelled automatically because the project was disabled.',
  billing_limit_exceeded:
    'Cancelled automatically because it would have exceeded the billing limit of the month. Nothing was sent.',
  daily_limit_exceeded:
    'Cancelled automatically because it would have exceeded the daily limit of a new project. Nothing was sent.',
  approval_missing:
    'Cancelled automatically because a second person had not approved it as it was when it started.',
  restored:
    'Cancelled automatically because the installation was restored from a backup: it may have been sent since that was made.',
  start_failed: 'Cancelled automatically because it could not be started. Nothing was sent.',
  audience_failed: 'Cancelled automatically because its audience could not be determined. Nothing was sent.',
  completion_failed:
    'It cannot be completed because of an internal error. Postrider tries again every minute.',
};

export const statusReasonInWords = (reason: string): string => statusReasons[reason] ?? reason;
