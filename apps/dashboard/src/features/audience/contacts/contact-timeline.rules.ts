import { type FeedType, storedInFeed } from '@postrider/core/base/event-types/contract';
import type { IconName } from '../../../ui/icon.tsx';
import { pathOf, subjectOf, typeInWords } from '../activity/item-in-words.rules.ts';

/** The kinds of the timeline that can be shown alone. */
export const timelineKinds = {
  emails: {
    label: 'Emails',
    types: storedInFeed.flatMap(({ type }) => (type.startsWith('email.') ? type : [])),
  },
  events: { label: 'Events', types: ['event.triggered'] },
  workflows: { label: 'Workflows', types: ['workflow.started', 'workflow.completed', 'execution.failed'] },
  subscription: {
    label: 'Subscription',
    types: [
      'contact.subscribed',
      'contact.unsubscribed',
      'contact.topic.subscribed',
      'contact.topic.unsubscribed',
      'contact.subscription.requested',
      'contact.subscription.confirmed',
      'contact.subscription.declined',
      'contact.subscription.expired',
    ],
  },
} as const satisfies Record<string, { label: string; types: readonly FeedType[] }>;

export type TimelineKind = keyof typeof timelineKinds;

interface Item {
  type: string;
  timestamp: string;
  metadata: Record<string, unknown>;
}

export type Mark = 'calm' | 'sent' | 'delivered' | 'opened' | 'clicked' | 'good' | 'warn' | 'bad' | 'busy';

const looks: Partial<Record<string, [icon: IconName, mark: Mark]>> = {
  'event.triggered': ['event', 'busy'],
  'email.sent': ['send', 'sent'],
  'email.delivered': ['inbox', 'delivered'],
  'email.opened': ['eye', 'opened'],
  'email.clicked': ['external', 'clicked'],
  'email.bounced': ['undo', 'bad'],
  'email.complaint': ['alert', 'bad'],
  'email.failed': ['alert', 'bad'],
  'email.skipped': ['minus', 'calm'],
  'contact.subscribed': ['check', 'good'],
  'contact.unsubscribed': ['stop', 'warn'],
  'contact.topic.subscribed': ['check', 'good'],
  'contact.topic.unsubscribed': ['minus', 'warn'],
  'contact.subscription.requested': ['inbox', 'busy'],
  'contact.subscription.confirmed': ['check', 'good'],
  'contact.subscription.declined': ['stop', 'warn'],
  'contact.subscription.expired': ['minus', 'calm'],
  'workflow.started': ['workflow', 'busy'],
  'workflow.completed': ['workflow', 'good'],
  'execution.failed': ['alert', 'bad'],
};

export const lookOf = (type: string): [icon: IconName, mark: Mark] => looks[type] ?? ['activity', 'calm'];

interface Words {
  what: string;
  about: string;
  /** The page about it, within the project; null where there is none. */
  path: string | null;
}

/** An item as the start of a sentence and what it is about: “Entered segment” and “Trial users”. */
export function inWords(item: Item): Words {
  const ofSegment = segmentWords(item.metadata);
  if (ofSegment) return ofSegment;
  const what = typeInWords(item.type).replace(/^Contact /, '');
  return {
    what: what.charAt(0).toUpperCase() + what.slice(1),
    about: subjectOf(item),
    path: pathOf(item),
  };
}

/** The entry or exit of a tracked segment; null for any other event. */
function segmentWords({ eventName, eventData }: Item['metadata']): Words | null {
  if (typeof eventName !== 'string' || typeof eventData !== 'object' || eventData === null) return null;
  const way = /^segment\..+\.(entry|exit)$/.exec(eventName)?.[1];
  const { segmentId, segmentName } = eventData as Record<string, unknown>;
  if (way === undefined || typeof segmentId !== 'string') return null;
  return {
    what: way === 'entry' ? 'Entered segment' : 'Left segment',
    about: String(segmentName),
    path: `segments/${segmentId}`,
  };
}

/** The data of an item's event; null without any, and where the words say it all. */
export function dataOfItem({ metadata }: Item): Record<string, unknown> | null {
  if (segmentWords(metadata)) return null;
  const data = metadata['eventData'];
  const hasData = typeof data === 'object' && data !== null && Object.keys(data).length > 0;
  return hasData ? (data as Record<string, unknown>) : null;
}

/** Items grouped by the day on which they happened, in the order given. @param dayOf names the day of a time */
export function byDay<Each extends Item>(
  items: readonly Each[],
  dayOf: (timestamp: string) => string,
): { day: string; items: Each[] }[] {
  const days: { day: string; items: Each[] }[] = [];
  for (const item of items) {
    const day = dayOf(item.timestamp);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}
