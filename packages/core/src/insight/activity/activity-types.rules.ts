/** The types of items of the activity feed (behaviour B4.12), in the order in which they are listed. */
export const activityTypes = [
  'event.triggered',
  'email.sent',
  'email.delivered',
  'email.opened',
  'email.clicked',
  'email.bounced',
  'email.complaint',
  'email.failed',
  'email.skipped',
  'email.received',
  'contact.subscribed',
  'contact.unsubscribed',
  'campaign.sent',
  'campaign.scheduled',
  'workflow.started',
  'workflow.completed',
  'workflow.email.scheduled',
] as const;

export type ActivityType = (typeof activityTypes)[number];

interface StoredAs {
  kind: 'SYSTEM' | 'ACTIVITY';
  name: string;
  /** the flag of its data that the first event of an email has */
  first?: string;
  /** an email may have several of them, of which the first counts */
  repeats?: true;
}

/** The events from which items are made; types that are not here are never in the feed, or have names that are not fixed. */
export const storedAs: Partial<Record<ActivityType, StoredAs>> = {
  'email.sent': { kind: 'SYSTEM', name: 'email.sent' },
  'email.delivered': { kind: 'SYSTEM', name: 'email.delivery' },
  'email.opened': { kind: 'SYSTEM', name: 'email.open', first: 'isFirstOpen' },
  'email.clicked': { kind: 'SYSTEM', name: 'email.click', first: 'isFirstClick' },
  'email.bounced': { kind: 'SYSTEM', name: 'email.bounce', repeats: true },
  'email.complaint': { kind: 'SYSTEM', name: 'email.complaint', repeats: true },
  'email.failed': { kind: 'ACTIVITY', name: 'email.failed', repeats: true },
  'email.skipped': { kind: 'ACTIVITY', name: 'email.skipped', repeats: true },
  'contact.subscribed': { kind: 'SYSTEM', name: 'contact.subscribed' },
  'contact.unsubscribed': { kind: 'SYSTEM', name: 'contact.unsubscribed' },
  'campaign.sent': { kind: 'ACTIVITY', name: 'campaign.sent' },
  'workflow.started': { kind: 'ACTIVITY', name: 'workflow.started' },
  'workflow.completed': { kind: 'ACTIVITY', name: 'workflow.completed' },
};

const typeOfStored = new Map(
  Object.entries(storedAs).map(([type, { kind, name }]) => [`${kind} ${name}`, type as ActivityType]),
);

/** The type of the item that a stored event is shown as. */
export const typeOfEvent = ({ kind, name }: { kind: string; name: string }): ActivityType =>
  typeOfStored.get(`${kind} ${name}`) ?? 'event.triggered';
