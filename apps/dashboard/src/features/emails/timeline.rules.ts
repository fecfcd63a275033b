import type { EmailDetail } from '../../lib/api.ts';

export interface TimelineEntry {
  at: string;
  title: string;
  text: string | null;
  tone: 'good' | 'bad' | 'warn' | 'busy' | 'calm';
}

const moments = [
  { field: 'sentAt', title: 'Sent', tone: 'good' },
  { field: 'deliveredAt', title: 'Delivered', tone: 'good' },
  { field: 'bouncedAt', title: 'Bounced', tone: 'bad' },
  { field: 'complainedAt', title: 'Marked as spam', tone: 'bad' },
] as const;

const endings = {
  FAILED: { title: 'Failed', tone: 'bad' },
  SKIPPED: { title: 'Skipped', tone: 'calm' },
  UNCERTAIN: { title: 'Uncertain', tone: 'warn' },
} as const;

/** The history of one email in chronological order; a scheduled attempt comes last. */
export function timelineOf(email: EmailDetail): TimelineEntry[] {
  const past: TimelineEntry[] = [{ at: email.createdAt, title: 'Queued', text: null, tone: 'calm' }];
  for (const { field, title, tone } of moments) {
    const at = email[field];
    if (at !== null)
      past.push({ at, title, text: field === 'sentAt' ? 'Accepted by the mail server' : null, tone });
  }
  for (const { at, type, link, bot } of email.interactions) {
    const title = type === 'open' ? 'Opened' : 'Clicked';
    past.push({ at, title: bot ? `${title} by a bot` : title, text: link, tone: bot ? 'calm' : 'good' });
  }
  if (email.status in endings) {
    const { title, tone } = endings[email.status as keyof typeof endings];
    past.push({ at: email.updatedAt, title, text: email.error, tone });
  }
  past.sort((one, other) => one.at.localeCompare(other.at));
  if (email.status !== 'PENDING' || email.nextAttemptAt === null) return past;
  return [...past, { at: email.nextAttemptAt, title: 'Next attempt', text: email.error, tone: 'busy' }];
}
