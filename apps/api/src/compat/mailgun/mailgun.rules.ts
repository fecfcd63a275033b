import { besideTemplate, literalContent, togetherIfSeveral } from '../content.rules.ts';
import { type Complaints, type FieldTable, isObject, present, variablesOf } from '../fields.rules.ts';
import type { Form, FormFile } from '../form.ts';
import { mailboxList } from '../mailboxes.rules.ts';
import { refuseMarksInHeaders } from '../marks.rules.ts';
import { mostCharacters, ReplacementBudget, Replacements } from '../replacements.rules.ts';
import { trackingOf } from '../tracking.rules.ts';

const message: FieldTable = {
  taken: [
    'from',
    'to',
    'cc',
    'bcc',
    'subject',
    'text',
    'html',
    'attachment',
    'inline',
    'template',
    't:variables',
    'recipient-variables',
    'o:tag',
    'o:deliverytime',
    'o:tracking',
    'o:tracking-clicks',
    'o:tracking-opens',
    'o:testmode',
    'o:dkim',
    'o:require-tls',
  ],
  harmless: [
    'o:skip-verification',
    'o:sending-ip',
    'o:sending-ip-pool',
    'o:secondary-dkim',
    'o:secondary-dkim-public',
    'o:tracking-pixel-location-top',
    't:text',
  ],
  refused: {
    'amp-html': 'Only text and html are sent',
    'o:deliverytime-optimize-period': 'Give a time as o:deliverytime',
    'o:time-zone-localize': 'Give a time as o:deliverytime',
    'o:archive-to': 'Give the address as bcc',
    'o:suppress-headers': 'Headers are those of every email',
    't:version': 'A template has one version that is sent',
  },
};
const names = { subject: 'subject', html: 'html', text: 'text' };

/** What our fields are called by the service, to name the field of an error. */
export const mailgunFields = {
  body: 'html',
  replyTo: 'h:Reply-To',
  metadata: 'v:',
  tags: 'o:tag',
  scheduledAt: 'o:deliverytime',
  headers: 'h:',
  attachments: 'attachment',
  data: 't:variables',
  together: 'to',
  email: 'address',
  subscribed: 'subscribed',
} as const;

/** What a form gives once. */
function textOf({ fields }: Form, name: string, complaints: Complaints): string | undefined {
  const values = fields.get(name);
  if (values && values.length > 1) complaints.add(name, 'custom', 'Given more than once');
  return values?.[0];
}

const yes = new Set(['yes', 'true', '1']);
const no = new Set(['no', 'false', '0']);

function switchOf(
  form: Form,
  name: string,
  complaints: Complaints,
  alsoYes: readonly string[] = [],
): boolean | null {
  const text = textOf(form, name, complaints)?.trim().toLowerCase();
  if (text === undefined || text === '') return null;
  if (yes.has(text) || alsoYes.includes(text)) return true;
  if (no.has(text)) return false;
  complaints.add(name, 'invalid_enum_value', 'Expected yes or no');
  return null;
}

const mailboxesOf = ({ fields }: Form, name: string, complaints: Complaints): string[] =>
  (fields.get(name) ?? [])
    .flatMap((text) => mailboxList(text, name, complaints))
    .filter((text) => text !== '');

export interface Mail {
  messages: Record<string, unknown>[];
  isTest: boolean;
}

const mostOwn = 1_000;
/** What each field adds to each email. */
const perField = 200;

/** One message, or with `recipient-variables` one for each recipient. @param rest lets others have a turn */
export async function mailInput(
  form: Form,
  complaints: Complaints,
  rest: () => Promise<void>,
): Promise<Mail> {
  sortForm(form, message, complaints);
  const text = (name: string) => textOf(form, name, complaints);
  const template = text('template');
  const content = { subject: text('subject'), html: text('html') ?? null, text: text('text') ?? null };
  const { headers, replyTo, metadata } = prefixed(form, complaints);
  const isTest = switchOf(form, 'o:testmode', complaints) === true;
  if (switchOf(form, 'o:dkim', complaints) === false)
    complaints.refuse('o:dkim', 'Every email of a verified domain is signed');
  if (switchOf(form, 'o:require-tls', complaints) === true)
    complaints.refuse('o:require-tls', 'The route of the installation decides how email is handed over');
  const attachments = attachmentsOf(form);
  const shared = present({
    from: text('from'),
    replyTo,
    metadata,
    tags: form.fields.get('o:tag'),
    scheduledAt: timeOf(text('o:deliverytime'), complaints),
    tracking: trackingOfForm(form, complaints),
    attachments: attachments.length > 0 ? attachments : null,
  });
  const to = mailboxesOf(form, 'to', complaints);
  const cc = mailboxesOf(form, 'cc', complaints);
  const bcc = mailboxesOf(form, 'bcc', complaints);
  const perRecipient = recipientVariablesOf(text('recipient-variables'), complaints);
  if (!perRecipient) {
    const own = template === undefined ? literalContent : besideTemplate;
    refuseMarksInHeaders(headers, 'h:', complaints);
    const input = {
      ...shared,
      ...togetherIfSeveral({ to, cc: cc.length > 0 ? cc : null, bcc: bcc.length > 0 ? bcc : null }),
      ...own(content, names, complaints),
      ...templateOf(template, text('t:variables'), complaints),
      ...present({ headers }),
    };
    return { messages: [input], isTest };
  }
  for (const [name, list] of Object.entries({ cc, bcc }))
    if (list.length > 0)
      complaints.refuse(name, 'Not beside recipient-variables: each recipient gets a message of its own');
  if (template !== undefined)
    complaints.refuse('recipient-variables', 'Not beside a template: send one message per recipient');
  if (to.length > mostOwn)
    complaints.add('to', 'too_big', `At most ${mostOwn.toLocaleString('en')} recipients`);
  const texts = [content.subject, content.html, content.text, ...attachments.map((each) => each.content)];
  const size = texts.reduce((sum, each) => sum + (each?.length ?? 0), 0) + perField * form.fields.size;
  if (size * to.length > mostCharacters)
    complaints.add('to', 'too_big', 'Content and attachments, times the recipients, are more than 64 MB');
  if (complaints.error) return { messages: [], isTest };
  const budget = new ReplacementBudget();
  const messages: Record<string, unknown>[] = [];
  for (const recipient of to) {
    const replacements = replacementsFor(recipient, perRecipient);
    const filled = replacements.fillAll(content, budget);
    const own =
      headers &&
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, replacements.fill(value, budget)]),
      );
    refuseMarksInHeaders(own, 'h:', complaints);
    messages.push({
      ...shared,
      to: recipient,
      ...literalContent(filled, names, complaints),
      ...present({ headers: own }),
    });
    await rest();
  }
  if (budget.isUsedUp)
    complaints.add('recipient-variables', 'too_big', 'They take too long: send to fewer at once');
  return { messages, isTest };
}

/** Names with the prefixes `h:` and `v:` are chosen by the caller. */
function sortForm({ fields, files }: Form, table: FieldTable, complaints: Complaints): void {
  const given = [...fields.keys(), ...files.keys()].filter((name) => !/^[hv]:./.test(name));
  complaints.sort(Object.fromEntries(given.map((name) => [name, true])), table);
  for (const name of files.keys())
    if (!fileFields.has(name) && table.taken.includes(name))
      complaints.add(name, 'invalid_type', 'Not a file');
}

const fileFields = new Set(['attachment', 'inline', 'message']);

function prefixed(form: Form, complaints: Complaints) {
  const headers: [string, string][] = [];
  const metadata: [string, string][] = [];
  let replyTo: string | null = null;
  for (const name of form.fields.keys()) {
    const prefix = name.slice(0, 2);
    if (prefix !== 'h:' && prefix !== 'v:') continue;
    const value = textOf(form, name, complaints) ?? '';
    const own = name.slice(2);
    if (prefix === 'v:') metadata.push([own, value]);
    else if (own.toLowerCase() === 'reply-to') replyTo = value;
    else headers.push([own, value]);
  }
  return {
    headers: headers.length > 0 ? Object.fromEntries(headers) : null,
    metadata: metadata.length > 0 ? Object.fromEntries(metadata) : null,
    replyTo,
  };
}

function templateOf(
  template: string | undefined,
  variables: string | undefined,
  complaints: Complaints,
): Record<string, unknown> {
  if (template === undefined) {
    if (variables !== undefined) complaints.refuse('t:variables', 'Only beside template');
    return {};
  }
  const given = variables === undefined ? {} : objectIn(variables, 't:variables', complaints);
  return { template, ...(given && Object.keys(given).length > 0 && { data: variablesOf(given) }) };
}

function objectIn(
  text: string,
  field: string,
  complaints: Complaints,
): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  complaints.add(field, 'invalid_type', 'Expected an object as JSON');
  return null;
}

type PerRecipient = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** The variables of each recipient, by its address in lower case. */
function recipientVariablesOf(text: string | undefined, complaints: Complaints): PerRecipient | null {
  if (text === undefined || text.trim() === '') return null;
  const given = objectIn(text, 'recipient-variables', complaints);
  if (!given) return null;
  return new Map(
    Object.entries(given).map(([address, variables]) => [
      address.toLowerCase(),
      isObject(variables) ? variables : {},
    ]),
  );
}

const longestKey = 100;

function replacementsFor(recipient: string, perRecipient: PerRecipient): Replacements {
  const { email, name } = partsOf(recipient);
  const own = perRecipient.get(email.toLowerCase()) ?? {};
  const values = Object.entries(own)
    // Lists and objects have no text of their own.
    .filter(([key, value]) => key !== '' && key.length <= longestKey && typeof value !== 'object')
    .map(([key, value]): [string, string] => [`%recipient.${key}%`, String(value)]);
  return new Replacements([
    ...values,
    ['%recipient%', recipient],
    ['%recipient_email%', email],
    ['%recipient_name%', name],
  ]);
}

/** The address and the name of a mailbox, whose form the operation checks. */
function partsOf(mailbox: string): { email: string; name: string } {
  const open = mailbox.lastIndexOf('<');
  if (open < 0 || !mailbox.endsWith('>')) return { email: mailbox.trim(), name: '' };
  const name = mailbox.slice(0, open).trim();
  const plain = name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name;
  return { email: mailbox.slice(open + 1, -1).trim(), name: plain };
}

interface Attached {
  filename: string;
  content: string;
  contentType?: string;
  contentId?: string;
  disposition: 'attachment' | 'inline';
}

function attachmentsOf({ files }: Form): Attached[] {
  const of = (name: 'attachment' | 'inline') =>
    (files.get(name) ?? []).map(
      ({ filename, contentType, bytes }: FormFile): Attached => ({
        filename,
        content: bytes.toString('base64'),
        // What a program says of a file that it knows nothing about.
        ...(contentType !== '' && contentType !== 'application/octet-stream' && { contentType }),
        ...(name === 'inline' && { contentId: filename }),
        disposition: name,
      }),
    );
  return [...of('attachment'), ...of('inline')];
}

function trackingOfForm(form: Form, complaints: Complaints): boolean | undefined {
  const all = switchOf(form, 'o:tracking', complaints, ['htmlonly']);
  const opens = switchOf(form, 'o:tracking-opens', complaints);
  const clicks = switchOf(form, 'o:tracking-clicks', complaints, ['htmlonly']);
  return all === null ? trackingOf(opens, clicks) : trackingOf(opens ?? all, clicks ?? all);
}

const longestDate = 64;
/** RFC 2822, 3.3: the zone is a number; the older names are those that every program knows. */
const mailDate = /^[A-Za-z0-9, :]+ (?:[+-]\d{4}|GMT|UTC|UT)$/;

function timeOf(text: string | undefined, complaints: Complaints): string | null {
  if (text === undefined || text.trim() === '') return null;
  const date = text.trim();
  const at = date.length <= longestDate && mailDate.test(date) ? Date.parse(date) : Number.NaN;
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  complaints.add(
    'o:deliverytime',
    'invalid_date',
    'Expected a date of RFC 2822, such as Sun, 01 Mar 2026 09:30:00 +0000',
  );
  return null;
}

const mime: FieldTable = {
  taken: ['to', 'message', 'o:testmode'],
  harmless: ['from', 'o:skip-verification', 'o:sending-ip', 'o:sending-ip-pool'],
};
const inMessage = 'Write it into the message: X-Postrider-Tags, X-Postrider-Metadata, X-Postrider-Tracking';

export interface MimeMail {
  to: string[];
  message: Buffer;
  isTest: boolean;
}

/** A message that its program has written. */
export function mimeInput(form: Form, complaints: Complaints): MimeMail {
  const { fields, files } = form;
  const known = [...mime.taken, ...(mime.harmless ?? [])];
  for (const name of fields.keys())
    if (!known.includes(name) && /^[hovt]:/.test(name)) complaints.refuse(name, inMessage);
  sortForm(
    {
      fields: new Map([...fields].filter(([name]) => known.includes(name) || !/^[hovt]:/.test(name))),
      files,
    },
    mime,
    complaints,
  );
  const text = textOf(form, 'message', complaints);
  const file = files.get('message')?.[0]?.bytes;
  if (file === undefined && text === undefined) complaints.add('message', 'required', 'Required');
  const to = mailboxesOf(form, 'to', complaints).map((mailbox) => partsOf(mailbox).email);
  if (to.length === 0) complaints.add('to', 'required', 'At least one recipient');
  return {
    to,
    message: withCrlf(file ?? Buffer.from(text ?? '')),
    isTest: switchOf(form, 'o:testmode', complaints) === true,
  };
}

const [cr, lf] = [13, 10];

/** Programs that hand a message over by HTTP often end its lines with LF alone. */
function withCrlf(message: Buffer): Buffer {
  let bare = 0;
  for (let at = message.indexOf(lf); at >= 0; at = message.indexOf(lf, at + 1))
    if (message[at - 1] !== cr) bare += 1;
  if (bare === 0) return message;
  const whole = Buffer.allocUnsafe(message.length + bare);
  let to = 0;
  for (let at = 0; at < message.length; at += 1) {
    const byte = message[at] ?? 0;
    if (byte === lf && message[at - 1] !== cr) whole[to++] = cr;
    whole[to++] = byte;
  }
  return whole;
}

const member: FieldTable = { taken: ['address', 'name', 'vars', 'subscribed', 'upsert'] };

export interface Member {
  input: Record<string, unknown>;
  name: string;
  vars: Readonly<Record<string, unknown>>;
  isUpsert: boolean;
}

/** `subscribed=yes` states nothing, as nearly all code has it; `no` unsubscribes. */
export function memberInput(form: Form, complaints: Complaints): Member {
  sortForm(form, member, complaints);
  const name = textOf(form, 'name', complaints)?.trim() ?? '';
  const text = textOf(form, 'vars', complaints);
  const vars = text === undefined || text === '' ? {} : (objectIn(text, 'vars', complaints) ?? {});
  const data = { ...vars, ...(name !== '' && { name }) };
  const isSubscribed = switchOf(form, 'subscribed', complaints);
  return {
    input: present({
      email: textOf(form, 'address', complaints),
      subscribed: isSubscribed === false ? false : null,
      data: Object.keys(data).length > 0 ? data : null,
    }),
    name,
    vars,
    isUpsert: switchOf(form, 'upsert', complaints) === true,
  };
}
