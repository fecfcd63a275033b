import type { EventTypeName } from '../../../base/event-types/event-types.rules.ts';
import { namedEnum } from '../../../base/kernel/type-names.ts';
import { everyType } from '../event-types.rules.ts';

/** What the requests of an endpoint look like: ours, or those of another service (behaviour B16.10). */
export const webhookFormat = namedEnum('WebhookFormat', [
  'POSTRIDER',
  'RESEND',
  'POSTMARK',
  'SENDGRID',
  'MAILGUN',
]);
export type WebhookFormat = (typeof webhookFormat.options)[number];
export type ForeignFormat = Exclude<WebhookFormat, 'POSTRIDER'>;

const arrivals = [
  'email.delivery',
  'email.open',
  'email.click',
  'email.bounce',
  'email.complaint',
  'email.failed',
] as const satisfies readonly EventTypeName[];

/** The types that a service tells of, too. Those of all other formats than ours; `*` is all of them. */
export const typesOfFormat = {
  RESEND: ['email.sent', ...arrivals, 'email.skipped'],
  POSTMARK: [...arrivals, 'contact.unsubscribed'],
  SENDGRID: ['email.sent', ...arrivals, 'email.skipped', 'contact.unsubscribed'],
  MAILGUN: ['email.sent', ...arrivals, 'email.skipped', 'contact.unsubscribed'],
} as const satisfies Readonly<Record<ForeignFormat, readonly EventTypeName[]>>;

/** Whether an endpoint of this format may ask for the type. */
export const isTypeOfFormat = (format: WebhookFormat, type: string): boolean =>
  format === 'POSTRIDER' || type === everyType || typesOfFormat[format].some((each) => each === type);
