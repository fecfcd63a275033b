import { besideTemplate, literalContent, togetherIfSeveral } from '../content.rules.ts';
import {
  type Complaints,
  type FieldTable,
  type Given,
  isObject,
  objectsOf,
  present,
  variablesOf,
} from '../fields.rules.ts';
import { mailboxList } from '../mailboxes.rules.ts';
import { refuseMarks } from '../marks.rules.ts';
import type { Accepted, Made } from '../sends.ts';
import { trackingOf } from '../tracking.rules.ts';

const common = [
  'From',
  'To',
  'Cc',
  'Bcc',
  'ReplyTo',
  'Tag',
  'Metadata',
  'Headers',
  'Attachments',
  'TrackOpens',
  'TrackLinks',
  'MessageStream',
];
const elsewhere = 'Templates have paths of their own: /email/withTemplate and /email/batchWithTemplates';
const plain: FieldTable = {
  taken: [...common, 'Subject', 'HtmlBody', 'TextBody'],
  harmless: ['InlineCss'],
  refused: { TemplateId: elsewhere, TemplateAlias: elsewhere, TemplateModel: elsewhere },
};
const ofTemplate = 'The template has it';
const templated: FieldTable = {
  taken: [...common, 'TemplateId', 'TemplateAlias', 'TemplateModel'],
  harmless: ['InlineCss'],
  refused: {
    Subject: ofTemplate,
    HtmlBody: ofTemplate,
    TextBody: ofTemplate,
  },
};
const header: FieldTable = { taken: ['Name', 'Value'] };
const attachment: FieldTable = {
  taken: ['Name', 'Content', 'ContentType', 'ContentID', 'Disposition'],
  harmless: ['ContentLength'],
};
const names = { subject: 'Subject', html: 'HtmlBody', text: 'TextBody' };

/** What our fields are called by the service, to name the field of an error. */
export const postmarkFields = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  together: 'To',
  subject: 'Subject',
  body: 'HtmlBody',
  text: 'TextBody',
  replyTo: 'ReplyTo',
  tags: 'Tag',
  metadata: 'Metadata',
  headers: 'Headers',
  attachments: 'Attachments',
  filename: 'Name',
  content: 'Content',
  contentType: 'ContentType',
  contentId: 'ContentID',
  template: 'TemplateAlias',
  data: 'TemplateModel',
} as const;

/** A message as `sending.send` takes it. */
export function messageInput(
  given: Given,
  complaints: Complaints,
  isTemplated: boolean,
): Record<string, unknown> {
  complaints.sort(given, isTemplated ? templated : plain);
  const content = { subject: given['Subject'], html: given['HtmlBody'], text: given['TextBody'] };
  const { MessageStream: stream } = given;
  if (stream !== undefined && stream !== null && stream !== 'outbound')
    complaints.refuse('MessageStream', 'Only "outbound" is known: topics are not offered yet');
  const recipients = {
    to: listOf(given, 'To', complaints),
    cc: listOf(given, 'Cc', complaints),
    bcc: listOf(given, 'Bcc', complaints),
  };
  const tag = given['Tag'];
  return {
    ...togetherIfSeveral(recipients),
    ...(isTemplated ? templateOf(given, complaints) : literalContent(content, names, complaints)),
    ...present({
      from: given['From'],
      replyTo: given['ReplyTo'] === '' ? null : given['ReplyTo'],
      tags: tag === undefined || tag === null || tag === '' ? null : [tag],
      metadata: given['Metadata'],
      headers: headersOf(given['Headers'], complaints),
      attachments: attachmentsOf(given['Attachments'], complaints),
      tracking: trackingOf(isAsked(given['TrackOpens']), linksAsked(given['TrackLinks'], complaints)),
    }),
  };
}

function listOf(given: Given, field: string, complaints: Complaints): unknown {
  const value = given[field];
  if (typeof value !== 'string') return value;
  return value.trim() === '' ? null : mailboxList(value, field, complaints);
}

function templateOf(given: Given, complaints: Complaints): Record<string, unknown> {
  const { TemplateModel: model } = given;
  const template = templateReferenceOf(given, complaints);
  if (model !== undefined && model !== null && !isObject(model))
    complaints.add('TemplateModel', 'invalid_type', 'Expected an object');
  return {
    template,
    ...(isObject(model) && { data: variablesOf(model) }),
    ...besideTemplate({}, names, complaints),
  };
}

/** The alias of a template, or the number that the service gave it, which a source reference names (behaviour B16.11). */
function templateReferenceOf(given: Given, complaints: Complaints): unknown {
  const { TemplateAlias: alias, TemplateId: id } = given;
  const hasAlias = alias !== undefined && alias !== null;
  if (id === undefined || id === null) {
    if (!hasAlias) complaints.add('TemplateAlias', 'required', 'Give TemplateAlias or TemplateId');
    return alias;
  }
  if (hasAlias) complaints.add('TemplateId', 'custom', 'Give one of TemplateAlias and TemplateId');
  const isNumber = typeof id === 'number' && Number.isSafeInteger(id) && id >= 0;
  if (!isNumber) complaints.add('TemplateId', 'invalid_type', 'Expected a number');
  return String(id);
}

function headersOf(given: unknown, complaints: Complaints): Record<string, unknown> | null {
  if (given === undefined || given === null) return null;
  const headers = new Map<string, unknown>();
  for (const [index, item] of objectsOf(given, 'Headers', complaints).entries()) {
    complaints.sort(item, header, `Headers.${index}.`);
    const { Name: name, Value: value } = item;
    refuseMarks([[`Headers.${index}.Value`, value]], complaints);
    if (typeof name !== 'string') complaints.add(`Headers.${index}.Name`, 'required', 'Required');
    else if (headers.has(name.toLowerCase()))
      complaints.add(`Headers.${index}.Name`, 'custom', 'Another header has this name');
    else headers.set(name.toLowerCase(), [name, value]);
  }
  return Object.fromEntries(headers.values() as Iterable<[string, unknown]>);
}

function attachmentsOf(given: unknown, complaints: Complaints): object[] | null {
  if (given === undefined || given === null) return null;
  return objectsOf(given, 'Attachments', complaints).map((item, index) => {
    complaints.sort(item, attachment, `Attachments.${index}.`);
    const { Name: filename, Content: content, ContentType: contentType, ContentID: id, Disposition } = item;
    const contentId = typeof id === 'string' ? id.replace(/^cid:/i, '') : id;
    const isNamed = contentId !== undefined && contentId !== null && contentId !== '';
    return present({
      filename,
      content,
      contentType,
      contentId: isNamed ? contentId : null,
      disposition: isNamed ? 'inline' : Disposition,
    });
  });
}

const isAsked = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

const linkModes = ['None', 'HtmlAndText', 'HtmlOnly', 'TextOnly'];

function linksAsked(value: unknown, complaints: Complaints): boolean | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || !linkModes.includes(value)) {
    complaints.add('TrackLinks', 'invalid_enum_value', `Expected one of ${linkModes.join(', ')}`);
    return null;
  }
  return value !== 'None';
}

/** The reply to one message, with its status where it is sent alone. */
export function messageReply(
  given: Given,
  { at, emails }: Accepted,
  okay: string,
): { status: number; body: Record<string, unknown> } {
  const inactive = emails.filter(isInactive).map(({ to }) => to);
  if (inactive.length > 0 && inactive.length === emails.length) {
    const list = inactive.join(', ');
    const Message = `You tried to send to recipients that have been marked as inactive. Found inactive addresses: ${list}. Inactive recipients are on the suppression list after a bounce, a complaint, or by hand.`;
    return { status: 422, body: { ErrorCode: 406, Message } };
  }
  const some = `Message OK, but will not deliver to these inactive addresses: ${inactive.join(', ')}`;
  return {
    status: 200,
    body: {
      ...present({ To: given['To'], Cc: given['Cc'], Bcc: given['Bcc'] }),
      SubmittedAt: at.toISOString(),
      MessageID: emails[0]?.email ?? '',
      ErrorCode: 0,
      Message: inactive.length > 0 ? some : okay,
    },
  };
}

const isInactive = ({ status, reason }: Made): boolean => status === 'SKIPPED' && reason === 'suppressed';

interface StoredEmail {
  id: string;
  to: string;
  toName: string | null;
  from: string;
  fromName: string | null;
  subject: string;
  tags: readonly string[];
  metadata: Readonly<Record<string, string>>;
  status: string;
  recipientType: 'TO' | 'CC' | 'BCC';
  createdAt: Date | string;
  deliveredAt: Date | string | null;
  interactions: readonly {
    type: string;
    at: Date | string;
    link: string | null;
    detail: string | null;
    bot: boolean;
  }[];
}

const statuses: Readonly<Record<string, string>> = {
  PENDING: 'Queued',
  SCHEDULED: 'Queued',
  SENDING: 'Queued',
  UNCERTAIN: 'Queued',
  SKIPPED: 'Processed',
  FAILED: 'Processed',
};

/** One email as details of a message. What is not known of it (its tracking, its attachments) is left out. */
export function detailsReply(row: StoredEmail) {
  const recipient = { Email: row.to, Name: row.toName ?? '' };
  const of = (type: StoredEmail['recipientType']) => (row.recipientType === type ? [recipient] : []);
  return {
    MessageID: row.id,
    Tag: row.tags[0] ?? '',
    To: of('TO'),
    Cc: of('CC'),
    Bcc: of('BCC'),
    Recipients: [row.to],
    ReceivedAt: isoOf(row.createdAt),
    From: row.fromName ? `"${row.fromName.replace(/["\\]/g, '\\$&')}" <${row.from}>` : row.from,
    Subject: row.subject,
    Status: statuses[row.status] ?? 'Sent',
    Metadata: row.metadata,
    MessageStream: 'outbound',
    Sandboxed: false,
    MessageEvents: eventsOf(row),
  };
}

const isoOf = (at: Date | string): string => new Date(at).toISOString();

const eventTypes: Readonly<Record<string, string>> = {
  open: 'Opened',
  click: 'LinkClicked',
  bounce: 'Bounced',
  complaint: 'SpamComplaint',
  delay: 'Transient',
};

function eventsOf({ to, deliveredAt, interactions }: StoredEmail) {
  const delivered =
    deliveredAt === null
      ? []
      : [{ Recipient: to, Type: 'Delivered', ReceivedAt: isoOf(deliveredAt), Details: {} }];
  const others = interactions.flatMap(({ type, at, link, detail, bot }) => {
    const Type = eventTypes[type];
    if (Type === undefined || bot) return [];
    const Details = present({ Summary: detail, Link: link });
    return [{ Recipient: to, Type, ReceivedAt: isoOf(at), Details }];
  });
  return [...delivered, ...others].sort((a, b) => (a.ReceivedAt < b.ReceivedAt ? -1 : 1));
}
