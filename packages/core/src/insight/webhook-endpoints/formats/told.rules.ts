import type { ForeignFormat } from './format-types.rules.ts';

/** What happened, as it was stored for a delivery. */
export interface Told {
  /** of the delivery: the same at each attempt and replay */
  id: string;
  type: string;
  /** of the event; of an event about an email without its address it has the address, too */
  data: Readonly<Record<string, unknown>>;
  /** beside `data`, of an email: `{id, createdAt}` and, for contact.unsubscribed, what else is known of it */
  origin: Readonly<Record<string, unknown>> | null;
  eventAt: Date;
}

/** An email as a service names it: by the id that its send answered. */
export interface ToldEmail {
  id: string;
  createdAt: string;
  to: string;
  from: string;
  fromName: string | null;
  subject: string;
  messageId: string;
  templateId: string | null;
  campaignId: string | null;
  tags: readonly string[];
  metadata: Readonly<Record<string, string>>;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export function emailOf({ data, origin }: Told): ToldEmail {
  const all = { ...data, ...origin };
  const { tags, metadata } = all;
  return {
    id: textOf(all['id'] ?? all['emailId']),
    createdAt: textOf(all['createdAt']),
    to: textOf(all['to']),
    from: textOf(all['from']),
    fromName: textOrNull(all['fromName']),
    subject: textOf(all['subject']),
    messageId: textOf(all['messageId']),
    templateId: textOrNull(all['templateId']),
    campaignId: textOrNull(all['campaignId']),
    tags: Array.isArray(tags) ? tags : [],
    metadata: typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, string>) : {},
  };
}

/** `Name <address>`, or the address alone. */
export const mailboxOf = ({ from, fromName }: ToldEmail): string =>
  fromName === null ? from : `${fromName} <${from}>`;

export const domainIn = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

export const isPermanent = ({ data }: Told): boolean => data['bounceType'] === 'Permanent';

/** The words of a failure: what the mail server said, or else why nothing was sent. */
export const wordsOf = ({ data }: Told): string =>
  textOf(data['diagnosis'] || data['error'] || data['reason'] || data['bounceClass']);

/** The class of a refusal (behaviour B3.7). */
export const classOf = ({ data }: Told): string => textOf(data['bounceClass'] ?? data['failureClass']);

/** Without what is not known: nothing is invented. */
export const known = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** The body of a request in the format of a service. @throws Error for a type that it does not have */
export type BodyOf = (told: Told) => Record<string, unknown>;

export const unknownType = (format: ForeignFormat, type: string): Error =>
  new Error(`${format} has no event for ${type}`);
