import { type FeedType, feedTypeOf } from '../../base/event-types/event-types.rules.ts';
import type { ActivityItem } from './activity.schema.ts';
import type { EmailOfRow, FeedRow } from './feed.store.ts';

/** An event as an item of the feed (behaviour B4.12). */
export function presentItem(row: FeedRow): ActivityItem {
  const type = feedTypeOf(row);
  const { contactId, contactEmail } = row;
  return {
    id: idOf(type, row),
    type,
    timestamp: row.createdAt,
    ...(contactId === null ? {} : { contactId }),
    ...(contactId === null || contactEmail === null ? {} : { contactEmail }),
    metadata: metadataOf(type, row),
  };
}

const isOfEmail = (type: FeedType): boolean => type.startsWith('email.');

const idOf = (type: FeedType, { id, email }: FeedRow): string =>
  isOfEmail(type) && email ? `${email.id}_${type.slice('email.'.length)}` : id;

function metadataOf(type: FeedType, { id, name, data, email }: FeedRow): Record<string, unknown> {
  if (type === 'event.triggered') return { eventId: id, eventName: name, eventData: data };
  if (isOfEmail(type) && email) return { ...describeEmail(email), ...detailsOf(type, email, data) };
  if (type.startsWith('contact.')) return { reason: data?.['reason'] ?? null };
  return data ?? {};
}

const describeEmail = (email: EmailOfRow): Record<string, unknown> => ({
  emailId: email.id,
  subject: email.subject,
  from: email.from,
  fromName: email.fromName,
  replyTo: email.replyTo,
  toName: email.toName,
  sourceType: email.sourceType,
  ...(email.campaignId === null ? {} : { campaignId: email.campaignId, campaignName: email.campaignName }),
  ...(email.workflowId === null ? {} : { workflowId: email.workflowId, workflowName: email.workflowName }),
});

function detailsOf(
  type: FeedType,
  { opens, clicks, error, diagnosis }: EmailOfRow,
  data: FeedRow['data'],
): Record<string, unknown> {
  switch (type) {
    case 'email.opened':
      return { totalOpens: opens };
    case 'email.clicked':
      return { totalClicks: clicks };
    case 'email.failed':
    case 'email.bounced':
      return { error: data?.['error'] ?? error, diagnosis };
    case 'email.skipped':
      return { reason: data?.['reason'] ?? null };
    default:
      return {};
  }
}
