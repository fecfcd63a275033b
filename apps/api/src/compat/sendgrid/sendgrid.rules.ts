import { besideTemplate, literalContent, togetherIfSeveral } from '../content.rules.ts';
import {
  type Complaints,
  type FieldTable,
  type Given,
  isObject,
  noTopics,
  objectsOf,
  present,
  variablesOf,
} from '../fields.rules.ts';
import { refuseMarksInHeaders } from '../marks.rules.ts';
import { mostCharacters, ReplacementBudget, Replacements } from '../replacements.rules.ts';
import { trackingOf } from '../tracking.rules.ts';

const mail: FieldTable = {
  taken: [
    'personalizations',
    'from',
    'reply_to',
    'reply_to_list',
    'subject',
    'content',
    'attachments',
    'template_id',
    'headers',
    'categories',
    'custom_args',
    'send_at',
    'asm',
    'mail_settings',
    'tracking_settings',
  ],
  harmless: ['ip_pool_name'],
  refused: {
    batch_id: 'Cancel by POST /emails/:id/cancel: emails have no batch that is cancelled as a whole',
    sections: 'Write the text of the section as a substitution',
  },
};
const personalization: FieldTable = {
  taken: [
    'to',
    'cc',
    'bcc',
    'from',
    'subject',
    'headers',
    'custom_args',
    'send_at',
    'substitutions',
    'dynamic_template_data',
  ],
};
const part: FieldTable = { taken: ['type', 'value'] };
const attachment: FieldTable = { taken: ['content', 'type', 'filename', 'disposition', 'content_id'] };
const asm: FieldTable = { taken: [], harmless: ['groups_to_display'], refused: { group_id: noTopics } };
const names = { subject: 'subject', html: 'content', text: 'content' };

/** What our fields are called by the service, to name the field of an error. */
export const sendgridFields = {
  body: 'content',
  text: 'content',
  replyTo: 'reply_to',
  scheduledAt: 'send_at',
  metadata: 'custom_args',
  tags: 'categories',
  template: 'template_id',
  data: 'dynamic_template_data',
  contentId: 'content_id',
  contentType: 'type',
  together: 'to',
  subscribed: 'subscribed',
  'data.firstName': 'first_name',
  'data.lastName': 'last_name',
} as const;

/** Fields that each personalization has for itself. */
const ofItem = new Set(['to', 'cc', 'bcc', 'together', 'data']);

/** Where a field of one of the emails is in the request. */
export const placeInMail = (index: number, field: string): string =>
  ofItem.has(field.split('.')[0] ?? '') ? `personalizations.${index}.${field}` : field;

export const mostPersonalizations = 1_000;

/** Of what each email of a request has. */
const mostOfEach = { headers: 50, custom_args: 20, categories: 100, reply_to_list: 5, attachments: 100 };

export interface Mail {
  messages: Record<string, unknown>[];
  isSandbox: boolean;
}

/** One email per personalization. @param rest lets others have a turn */
export async function mailInput(
  given: Given,
  complaints: Complaints,
  rest: () => Promise<void>,
): Promise<Mail> {
  complaints.sort(given, mail);
  const items = objectsOf(given['personalizations'], 'personalizations', complaints);
  if (items.length === 0) complaints.add('personalizations', 'required', 'At least one');
  if (items.length > mostPersonalizations)
    complaints.add('personalizations', 'too_big', `At most ${mostPersonalizations.toLocaleString('en')}`);
  const content = contentOf(given['content'], complaints);
  const attachments = attachmentsOf(given['attachments'], complaints);
  const replyTo = given['reply_to_list'] ?? given['reply_to'];
  if (given['reply_to'] && given['reply_to_list'])
    complaints.add('reply_to_list', 'custom', 'Give one of reply_to and reply_to_list');
  if (isObject(given['asm'])) complaints.sort(given['asm'], asm, 'asm.');
  const settings = settingsOf(given, complaints);
  // Each email has them, so what no email may have is refused here.
  for (const [name, most] of Object.entries(mostOfEach)) {
    const value = given[name];
    if (typeof value === 'object' && value !== null && Object.keys(value).length > most)
      complaints.add(name, 'too_big', `At most ${most}`);
  }
  const shared = present({
    replyTo,
    tags: isEmptyList(given['categories']) ? null : given['categories'],
    attachments,
    tracking: settings.tracking,
  });
  if ((sizeOf(content, attachments) + lengthOf(given['subject'])) * items.length > mostCharacters) {
    const field = attachments === null ? 'content' : 'attachments';
    complaints.add(
      field,
      'too_big',
      'Content and attachments, times the personalizations, are more than 64 MB',
    );
  }
  if (complaints.error) return { messages: [], isSandbox: settings.isSandbox };
  const messages: Record<string, unknown>[] = [];
  const budget = new ReplacementBudget();
  for (const [index, item] of items.entries()) {
    const path = `personalizations.${index}.`;
    messages.push({ ...shared, ...itemInput(given, item, content, complaints, path, budget) });
    await rest();
  }
  if (budget.isUsedUp)
    complaints.add('personalizations', 'too_big', 'The substitutions take too long: send fewer at once');
  return { messages, isSandbox: settings.isSandbox };
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

interface Content {
  html: string | null;
  text: string | null;
}

function itemInput(
  given: Given,
  item: Given,
  content: Content,
  complaints: Complaints,
  path: string,
  budget: ReplacementBudget,
): Record<string, unknown> {
  complaints.sort(item, personalization, path);
  const { template_id: template } = given;
  const variables = item['dynamic_template_data'];
  const isTemplated = template !== undefined && template !== null;
  const replacements = replacementsOf(item['substitutions'], complaints, `${path}substitutions`);
  const texts = { subject: item['subject'] ?? given['subject'], ...content };
  const filled = replacements ? replacements.fillAll(texts, budget) : texts;
  if (isTemplated && replacements)
    complaints.refuse(`${path}substitutions`, 'Not beside a template, which has dynamic_template_data');
  if (!isTemplated && isObject(variables))
    complaints.refuse(`${path}dynamic_template_data`, 'Only beside template_id');
  if (variables !== undefined && variables !== null && !isObject(variables))
    complaints.add(`${path}dynamic_template_data`, 'invalid_type', 'Expected an object');
  const headers = merged(given['headers'], item['headers']);
  refuseMarksInHeaders(headers, 'headers.', complaints);
  return {
    ...togetherIfSeveral({ to: item['to'], cc: item['cc'], bcc: item['bcc'] }),
    ...(isTemplated
      ? {
          template,
          ...(isObject(variables) && { data: variablesOf(variables) }),
          ...besideTemplate(filled, names, complaints),
        }
      : literalContent(filled, names, complaints)),
    ...present({
      from: item['from'] ?? given['from'],
      headers,
      metadata: merged(given['custom_args'], item['custom_args']),
      scheduledAt: timeOf(item['send_at'] ?? given['send_at'], complaints, `${path}send_at`),
    }),
  };
}

/** The fields of a personalization before those of the request. */
function merged(ofAll: unknown, own: unknown): Given | null {
  const both = { ...(isObject(ofAll) ? ofAll : {}), ...(isObject(own) ? own : {}) };
  return Object.keys(both).length > 0 ? both : null;
}

function contentOf(given: unknown, complaints: Complaints): Content {
  const content: { html: string | null; text: string | null } = { html: null, text: null };
  for (const [index, item] of objectsOf(given, 'content', complaints).entries()) {
    const path = `content.${index}.`;
    complaints.sort(item, part, path);
    const { type, value } = item;
    const name = type === 'text/html' ? 'html' : type === 'text/plain' ? 'text' : null;
    if (name === null) complaints.refuse(`${path}type`, 'Only text/plain and text/html are sent');
    else if (typeof value !== 'string') complaints.add(`${path}value`, 'required', 'Expected a string');
    else if (content[name] !== null) complaints.add(`${path}type`, 'custom', 'Another part has this type');
    else content[name] = value;
  }
  return content;
}

function attachmentsOf(given: unknown, complaints: Complaints): Record<string, unknown>[] | null {
  if (given === undefined || given === null) return null;
  return objectsOf(given, 'attachments', complaints).map((item, index) => {
    complaints.sort(item, attachment, `attachments.${index}.`);
    const { content, type, filename, disposition, content_id: contentId } = item;
    return present({ filename, content, contentType: type, contentId, disposition });
  });
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

const sizeOf = ({ html, text }: Content, attachments: readonly Given[] | null): number =>
  (html?.length ?? 0) +
  (text?.length ?? 0) +
  (attachments ?? []).reduce(
    (sum, { content }) => sum + (typeof content === 'string' ? content.length : 0),
    0,
  );

const longestKey = 100;

function replacementsOf(given: unknown, complaints: Complaints, field: string): Replacements | null {
  if (given === undefined || given === null) return null;
  if (!isObject(given)) {
    complaints.add(field, 'invalid_type', 'Expected an object');
    return null;
  }
  const replacements = new Map<string, string>();
  for (const [key, value] of Object.entries(given)) {
    if (key === '' || key.length > longestKey)
      complaints.add(field, 'custom', `A key has 1 to ${longestKey} characters`);
    else if (['string', 'number', 'boolean'].includes(typeof value)) replacements.set(key, String(value));
    else complaints.add(`${field}.${key}`, 'invalid_type', 'Expected a string');
  }
  return replacements.size > 0 ? new Replacements(replacements) : null;
}

/** Seconds since 1970. */
function timeOf(value: unknown, complaints: Complaints, field: string): unknown {
  if (value === undefined || value === null) return null;
  const isTime = typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 1e11;
  if (isTime) return new Date(value * 1_000).toISOString();
  complaints.add(field, 'invalid_date', 'Expected seconds since 1970 (Unix time)');
  return null;
}

const isOn = (setting: unknown): boolean => isObject(setting) && setting['enable'] === true;
const isOff = (setting: unknown): boolean => isObject(setting) && setting['enable'] === false;
const asked = (setting: unknown): boolean | null => (isOn(setting) ? true : isOff(setting) ? false : null);

const mailSettings = ['sandbox_mode', 'spam_check'];
const refusedSettings: Readonly<Record<string, string>> = {
  bcc: 'Give bcc in the personalizations',
  footer: 'Write it into the content',
  bypass_list_management: 'The suppression list holds for every email',
  bypass_spam_management: 'The suppression list holds for every email',
  bypass_bounce_management: 'The suppression list holds for every email',
  bypass_unsubscribe_management:
    'Transactional email does not ask for subscriptions; the suppression list holds',
};
const trackingSettings = ['click_tracking', 'open_tracking'];
const refusedTracking: Readonly<Record<string, string>> = {
  subscription_tracking: 'Use a MARKETING template, which has the link to opt out',
  ganalytics: 'Write the parameters into the links',
};

function settingsOf(
  given: Given,
  complaints: Complaints,
): { isSandbox: boolean; tracking: boolean | undefined } {
  const ofMail = given['mail_settings'];
  const ofTracking = given['tracking_settings'];
  sortSettings(ofMail, 'mail_settings', mailSettings, refusedSettings, complaints);
  sortSettings(ofTracking, 'tracking_settings', trackingSettings, refusedTracking, complaints);
  const tracking = isObject(ofTracking) ? ofTracking : {};
  const { open_tracking: opens, click_tracking: clicks } = tracking;
  if (isOn(opens) && isObject(opens) && opens['substitution_tag'])
    complaints.refuse(
      'tracking_settings.open_tracking.substitution_tag',
      'The place of the image cannot be chosen',
    );
  return {
    isSandbox: isObject(ofMail) && isOn(ofMail['sandbox_mode']),
    tracking: trackingOf(asked(opens), asked(clicks)),
  };
}

/** What is not enabled changes nothing. */
function sortSettings(
  given: unknown,
  field: string,
  taken: readonly string[],
  refused: Readonly<Record<string, string>>,
  complaints: Complaints,
): void {
  if (!isObject(given)) return;
  complaints.sort(given, { taken: [...taken, ...Object.keys(refused)] }, `${field}.`);
  for (const [name, what] of Object.entries(refused))
    if (isObject(given[name]) && !isOff(given[name])) complaints.refuse(`${field}.${name}`, what);
}

const contacts: FieldTable = { taken: ['list_ids', 'contacts'] };
const elsewhere = 'Put it into custom_fields';
const contact: FieldTable = {
  taken: ['email', 'first_name', 'last_name', 'external_id', 'custom_fields'],
  refused: Object.fromEntries(
    [
      'address_line_1',
      'address_line_2',
      'alternate_emails',
      'anonymous_id',
      'city',
      'country',
      'facebook',
      'line',
      'phone_number',
      'phone_number_id',
      'postal_code',
      'state_province_region',
      'unique_name',
      'whatsapp',
    ].map((name) => [name, elsewhere]),
  ),
};

/** The service's ids of fields, such as `e1_T`: their names are not in the request. */
const fieldId = /^e\d+_[TND]$/;
const mostContacts = 100;

/** The subscription is never stated, so an existing contact keeps its own. */
export function contactsInput(
  given: Given,
  complaints: Complaints,
): { lists: string[]; inputs: Record<string, unknown>[] } {
  complaints.sort(given, contacts);
  const { list_ids: lists = [] } = given;
  if (!Array.isArray(lists) || !lists.every((id) => typeof id === 'string'))
    complaints.add('list_ids', 'invalid_type', 'Expected an array of strings');
  const items = objectsOf(given['contacts'], 'contacts', complaints);
  if (items.length < 1 || items.length > mostContacts)
    complaints.add('contacts', items.length < 1 ? 'required' : 'too_big', `1 to ${mostContacts} contacts`);
  const inputs = items.map((item, index) => {
    complaints.sort(item, contact, `contacts.${index}.`);
    const {
      email,
      first_name: firstName,
      last_name: lastName,
      external_id: externalId,
      custom_fields: custom,
    } = item;
    for (const name of Object.keys(isObject(custom) ? custom : {}))
      if (fieldId.test(name))
        complaints.refuse(
          `contacts.${index}.custom_fields.${name}`,
          'Give the field by its name, not by its id',
        );
    const data = present({ ...(isObject(custom) ? custom : {}), firstName, lastName });
    return present({ email, externalId, data: Object.keys(data).length > 0 ? data : null });
  });
  return { lists: Array.isArray(lists) ? (lists as string[]) : [], inputs };
}
