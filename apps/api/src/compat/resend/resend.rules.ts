import type { AppError } from '@postrider/core/base/kernel';
import { besideTemplate, literalContent, togetherIfSeveral } from '../content.rules.ts';
import {
  Complaints,
  type FieldTable,
  type Given,
  isObject,
  noTopics,
  objectsOf,
  present,
  variablesOf,
} from '../fields.rules.ts';
import { refuseMarksInHeaders } from '../marks.rules.ts';
import type { Made } from '../sends.ts';

const email: FieldTable = {
  taken: [
    'from',
    'to',
    'cc',
    'bcc',
    'subject',
    'html',
    'text',
    'reply_to',
    'headers',
    'tags',
    'attachments',
    'scheduled_at',
    'template',
  ],
  refused: { topic_id: noTopics, react: 'Render it to html first, as the client does' },
};
const template: FieldTable = { taken: ['id', 'variables'] };
const tag: FieldTable = { taken: ['name', 'value'] };
const attachment: FieldTable = {
  taken: ['filename', 'content', 'content_type', 'content_id'],
  refused: { path: 'Files are not fetched from addresses: send the bytes as content' },
};
const names = { subject: 'subject', html: 'html', text: 'text' };

/** What our fields are called by the service, to name the field of an error. */
export const resendFields = {
  body: 'html',
  replyTo: 'reply_to',
  scheduledAt: 'scheduled_at',
  metadata: 'tags',
  template: 'template.id',
  data: 'template.variables',
  contentId: 'content_id',
  contentType: 'content_type',
  subscribed: 'unsubscribed',
  'data.firstName': 'first_name',
  'data.lastName': 'last_name',
  together: 'to',
} as const;

/** One email of a batch, or what is wrong with it. @param path before its fields */
export function batchInput(given: unknown, now: Date, path: string): object | AppError {
  const complaints = new Complaints(path);
  if (!isObject(given)) complaints.add('', 'invalid_type', 'Expected an object');
  const email = isObject(given) ? given : {};
  if (email['attachments'] !== undefined && email['attachments'] !== null)
    complaints.refuse('attachments', 'A batch has none: send this email by itself');
  const input = emailInput(email, complaints, now);
  return complaints.error ?? input;
}

/** An email as `sending.send` takes it. @param now for times that are relative */
export function emailInput(given: Given, complaints: Complaints, now: Date): Record<string, unknown> {
  complaints.sort(given, email);
  if (isObject(given['headers'])) refuseMarksInHeaders(given['headers'], 'headers.', complaints);
  const content = { subject: given['subject'], html: given['html'], text: given['text'] };
  const named = templateOf(given['template'], complaints);
  return {
    ...togetherIfSeveral(given),
    ...(named
      ? { ...named, ...besideTemplate(content, names, complaints) }
      : literalContent(content, names, complaints)),
    ...present({
      from: given['from'],
      replyTo: given['reply_to'],
      headers: given['headers'],
      metadata: metadataOf(given['tags'], complaints),
      attachments: attachmentsOf(given['attachments'], complaints),
      scheduledAt: sendTimeOf(given['scheduled_at'], complaints, now),
    }),
  };
}

function templateOf(given: unknown, complaints: Complaints): Record<string, unknown> | null {
  if (given === undefined || given === null) return null;
  if (!isObject(given)) {
    complaints.add('template', 'invalid_type', 'Expected {id, variables}');
    return null;
  }
  complaints.sort(given, template, 'template.');
  const { id, variables } = given;
  if (id === undefined || id === null) complaints.add('template.id', 'required', 'Required');
  if (variables !== undefined && variables !== null && !isObject(variables))
    complaints.add('template.variables', 'invalid_type', 'Expected an object');
  return { template: id, ...(isObject(variables) && { data: variablesOf(variables) }) };
}

function metadataOf(given: unknown, complaints: Complaints): Record<string, unknown> | null {
  if (given === undefined || given === null) return null;
  const metadata = new Map<string, unknown>();
  for (const [index, item] of objectsOf(given, 'tags', complaints).entries()) {
    complaints.sort(item, tag, `tags.${index}.`);
    const { name, value } = item;
    if (typeof name !== 'string') complaints.add(`tags.${index}.name`, 'required', 'Required');
    else if (metadata.has(name)) complaints.add(`tags.${index}.name`, 'custom', 'Another tag has this name');
    else metadata.set(name, value);
  }
  return Object.fromEntries(metadata);
}

function attachmentsOf(given: unknown, complaints: Complaints): object[] | null {
  if (given === undefined || given === null) return null;
  return objectsOf(given, 'attachments', complaints).map((item, index) => {
    complaints.sort(item, attachment, `attachments.${index}.`);
    const { filename, content, content_type: contentType, content_id: contentId } = item;
    return present({
      filename,
      content: bytesOf(content),
      contentType,
      contentId,
      disposition: contentId === undefined || contentId === null ? null : 'inline',
    });
  });
}

/** Base64 as it is; the JSON of a Buffer, which older versions of the client send, as base64. */
function bytesOf(content: unknown): unknown {
  if (!isObject(content) || content['type'] !== 'Buffer' || !Array.isArray(content['data'])) return content;
  const { data } = content;
  const isBytes = data.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  return isBytes ? Buffer.from(data as number[]).toString('base64') : content;
}

const relativeTime = /^in (\d{1,6}) ?(min|minute|hour|day)s?$/i;
const minutesOf: Readonly<Record<string, number>> = { min: 1, minute: 1, hour: 60, day: 1_440 };
const timeForms =
  'Give a date and time with a zone, such as 2026-03-01T09:30:00Z, or "in <n> min", "minutes", "hours" or "days"';

/** A date is left to the operation; wordings are read where they are one number and one unit. */
export function sendTimeOf(given: unknown, complaints: Complaints, now: Date): unknown {
  if (typeof given !== 'string') return given;
  const [, count, unit = ''] = relativeTime.exec(given.trim()) ?? [];
  if (count !== undefined) {
    const minutes = Number(count) * (minutesOf[unit.toLowerCase()] ?? 0);
    return new Date(now.getTime() + minutes * 60_000).toISOString();
  }
  if (/^\d{4}-\d{2}-\d{2}/.test(given.trim())) return given;
  complaints.add('scheduled_at', 'invalid_date', timeForms);
  return null;
}

/** The fields of a contact. Names are stored in `data`, beside the properties. */
const contact: FieldTable = {
  taken: ['email', 'first_name', 'last_name', 'unsubscribed', 'properties', 'segments'],
  // An older client names the list here too, which the path has named.
  harmless: ['audience_id'],
  refused: { topics: noTopics },
};

export interface ContactRequest {
  input: Record<string, unknown>;
  segments: string[];
}

/**
 * `unsubscribed: false` in a create states nothing: nearly all published code sends it, also where nobody was asked. In an update both values
 * are statements.
 */
export function contactInput(
  given: Given,
  complaints: Complaints,
  kind: 'create' | 'update',
): ContactRequest {
  const { segments: _segments, ...ofUpdate } = given;
  complaints.sort(given, contact);
  if (kind === 'update' && given['segments'] !== undefined)
    complaints.refuse('segments', 'Use POST and DELETE /contacts/:id/segments/:segmentId');
  const { email: address, first_name: firstName, last_name: lastName, unsubscribed, properties } = ofUpdate;
  if (unsubscribed !== undefined && unsubscribed !== null && typeof unsubscribed !== 'boolean')
    complaints.add('unsubscribed', 'invalid_type', 'Expected a boolean');
  if (properties !== undefined && properties !== null && !isObject(properties))
    complaints.add('properties', 'invalid_type', 'Expected an object');
  const data = {
    ...(isObject(properties) ? properties : {}),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
  };
  const states = kind === 'update' || unsubscribed === true;
  return {
    input: {
      ...present({
        email: address,
        subscribed: typeof unsubscribed === 'boolean' && states ? !unsubscribed : null,
      }),
      ...(Object.keys(data).length > 0 && { data }),
    },
    segments: objectsOf(given['segments'], 'segments', complaints).map((item, index) => {
      if (typeof item['id'] === 'string') return item['id'];
      complaints.add(`segments.${index}.id`, 'required', 'Required');
      return '';
    }),
  };
}

interface StoredContact {
  id: string;
  email: string;
  subscribed: boolean;
  data: Readonly<Record<string, unknown>>;
  createdAt: Date | string;
}

export function contactReply({ id, email: address, subscribed, data, createdAt }: StoredContact) {
  const { firstName, lastName } = data;
  return {
    id,
    email: address,
    first_name: typeof firstName === 'string' ? firstName : null,
    last_name: typeof lastName === 'string' ? lastName : null,
    unsubscribed: !subscribed,
    created_at: isoOf(createdAt),
  };
}

/** The service knows texts and numbers: other values are given as texts. */
export const propertiesOf = ({ data }: StoredContact): Record<string, { type: string; value: unknown }> =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([name]) => name !== 'firstName' && name !== 'lastName')
      .map(([name, value]) => [
        name,
        typeof value === 'number'
          ? { type: 'number', value }
          : { type: 'string', value: Array.isArray(value) ? value.join(', ') : String(value) },
      ]),
  );

interface StoredEmail {
  id: string;
  to: string;
  toName: string | null;
  from: string;
  fromName: string | null;
  replyTo: string | null;
  subject: string;
  messageId: string | null;
  metadata: Readonly<Record<string, string>>;
  status: string;
  reason: string | null;
  scheduledAt: Date | string | null;
  bouncedAt: Date | string | null;
  createdAt: Date | string;
  recipientType: 'TO' | 'CC' | 'BCC';
  sharedMessageId: string | null;
}

/** @param all the emails of its message, where several people got it */
export function emailReply(row: StoredEmail, all: readonly Pick<StoredEmail, 'to' | 'recipientType'>[]) {
  const { id, from, fromName, replyTo, subject, messageId, metadata, scheduledAt, createdAt } = row;
  const of = (type: StoredEmail['recipientType']): string[] =>
    all.filter(({ recipientType }) => recipientType === type).map(({ to }) => to);
  const orNull = (list: string[]): string[] | null => (list.length > 0 ? list : null);
  return {
    object: 'email',
    id,
    to: of('TO'),
    cc: orNull(of('CC')),
    bcc: orNull(of('BCC')),
    from: fromName ? `${fromName} <${from}>` : from,
    reply_to: replyTo === null ? null : [replyTo],
    subject,
    html: null,
    text: null,
    message_id: `<${messageId ?? `${row.sharedMessageId ?? id}@${from.slice(from.lastIndexOf('@') + 1)}`}>`,
    last_event: lastEventOf(row),
    scheduled_at: scheduledAt === null ? null : isoOf(scheduledAt),
    created_at: isoOf(createdAt),
    tags: Object.entries(metadata).map(([name, value]) => ({ name, value })),
    topic_id: null,
  };
}

const isoOf = (at: Date | string): string => new Date(at).toISOString();

const lastEvents: Readonly<Record<string, string>> = {
  PENDING: 'queued',
  SENDING: 'queued',
  SCHEDULED: 'scheduled',
  SENT: 'sent',
  DELIVERED: 'delivered',
  OPENED: 'opened',
  CLICKED: 'clicked',
  BOUNCED: 'bounced',
  COMPLAINED: 'complained',
  UNCERTAIN: 'delivery_delayed',
};

export function lastEventOf({
  status,
  reason,
  bouncedAt,
}: Pick<StoredEmail, 'status' | 'reason' | 'bouncedAt'>): string {
  if (status === 'FAILED') return bouncedAt === null ? 'failed' : 'bounced';
  if (status !== 'SKIPPED') return lastEvents[status] ?? 'queued';
  if (reason === 'suppressed') return 'suppressed';
  return reason === 'cancelled' ? 'canceled' : 'failed';
}

/** A message is named by its first email. */
export const idOf = (emails: readonly Pick<Made, 'email'>[]): string => emails[0]?.email ?? '';

const listQuery: FieldTable = {
  taken: ['limit', 'after'],
  refused: { before: 'Lists go on from after; they are not read backwards' },
};

/** The query of a list. */
export function listInput(query: Given): { limit: unknown; after: string | null } {
  const complaints = new Complaints();
  complaints.sort(query, listQuery);
  complaints.throwIfAny();
  const { limit = 20, after } = query;
  return { limit, after: typeof after === 'string' && after !== '' ? after : null };
}
