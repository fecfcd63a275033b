/** Types of events with fixed names that endpoints can receive (behaviour B11.3), in the order in which they are listed. */
export const fixedEventTypes = [
  'email.sent',
  'email.delivery',
  'email.open',
  'email.click',
  'email.bounce',
  'email.complaint',
  'email.received',
  'email.failed',
  'email.skipped',
  'email.uncertain',
  'contact.subscribed',
  'contact.unsubscribed',
  'campaign.sent',
  'campaign.cancelled',
  'workflow.completed',
  'domain.verified',
  'domain.lost',
  'project.disabled',
] as const;

/** Means every type. */
export const everyType = '*';

/** The type of the delivery that `test` sends. */
export const testType = 'webhook.test';

const fixed: ReadonlySet<string> = new Set(fixedEventTypes);
const ofSegments = /^segment\.[^\p{Cc}]+\.(entry|exit)$/u;
const ofProject = /^event\.[^\p{Cc}]{1,255}$/u;

/** Whether an endpoint may ask for this type: `*`, or the exact name of one. */
export const isEventType = (type: string): boolean =>
  type === everyType || fixed.has(type) || ofSegments.test(type) || ofProject.test(type);
