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

const interactions = {
  open: { title: 'Opened', tone: 'good' },
  click: { title: 'Clicked', tone: 'good' },
  bounce: { title: 'Delivery failed', tone: 'warn' },
  complaint: { title: 'Marked as spam', tone: 'bad' },
  delay: { title: 'Delayed by the recipient’s mail server', tone: 'warn' },
  deferral: { title: 'Refused for now by the mail server', tone: 'warn' },
  auto_reply: { title: 'Automatic reply', tone: 'calm' },
  unknown: { title: 'Other message about this email', tone: 'calm' },
} as const;

/** What the mail server said at one of the moments of an email, as far as it is known. */
function textOf(email: EmailDetail, field: (typeof moments)[number]['field'], at: string): string | null {
  if (field === 'sentAt') return 'Accepted by the mail server';
  const type = field === 'bouncedAt' ? 'bounce' : field === 'complainedAt' ? 'complaint' : null;
  const report = email.interactions.find((each) => each.type === type && each.at === at);
  return report?.detail ?? null;
}

/** The history of one email in chronological order; a scheduled attempt comes last. */
export function timelineOf(email: EmailDetail): TimelineEntry[] {
  const past: TimelineEntry[] = [{ at: email.createdAt, title: 'Queued', text: null, tone: 'calm' }];
  for (const { field, title, tone } of moments) {
    const at = email[field];
    if (at !== null) past.push({ at, title, text: textOf(email, field, at), tone });
  }
  for (const { at, type, link, detail, bot } of email.interactions) {
    // These have the time of the report already, among the moments of the email.
    if ((type === 'bounce' && at === email.bouncedAt) || (type === 'complaint' && at === email.complainedAt))
      continue;
    const { title, tone } = interactions[type];
    past.push({
      at,
      title: bot ? `${title} by a bot` : title,
      text: link ?? detail,
      tone: bot ? 'calm' : tone,
    });
  }
  if (email.status in endings) {
    const { title, tone } = endings[email.status as keyof typeof endings];
    past.push({ at: email.updatedAt, title, text: email.error, tone });
  }
  past.sort((one, other) => one.at.localeCompare(other.at));
  if (email.status === 'SCHEDULED' && email.scheduledAt !== null)
    return [...past, { at: email.scheduledAt, title: 'Scheduled', text: null, tone: 'busy' }];
  if (email.status !== 'PENDING' || email.nextAttemptAt === null) return past;
  return [...past, { at: email.nextAttemptAt, title: 'Next attempt', text: email.error, tone: 'busy' }];
}
