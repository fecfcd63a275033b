import type { Effects } from './approvals.rules.ts';

/** What the title of an approval is made of. Texts in it were written by programs, and by whoever wrote the records. */
export interface TitleFacts {
  input: Record<string, unknown>;
  effects: Effects;
  /** names of the records that the input names, by their ids */
  names: ReadonlyMap<string, string>;
  /** of the dry run; null where there is none */
  reply: unknown;
}

const longest = { name: 80, title: 300 };

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** On one line, without what is not seen or turns the direction of what follows. */
const plain = (text: string): string =>
  cut(text.slice(0, 2_000).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' '), longest.name);

const quoted = (text: string): string => `“${plain(text)}”`;

const textOf = (input: Record<string, unknown>, ...fields: string[]): string | null => {
  for (const field of fields) {
    const value = input[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
};

const count = (number: number, one: string, many: string): string =>
  number === 1 ? `1 ${one}` : `${number.toLocaleString('en-US')} ${many}`;

const people = (number: number): string => count(number, 'person', 'people');

/** The record that a field names: by its name, or else as it is given. */
function named({ input, names }: TitleFacts, field = 'id'): string {
  const given = textOf(input, field) ?? '';
  const name = names.get(given.toLowerCase());
  return name === undefined ? plain(given) : quoted(name);
}

/** A contact, by its address where that is known. */
function person(facts: TitleFacts, ...fields: string[]): string {
  const given = textOf(facts.input, ...fields);
  return given === null ? 'nobody' : plain(facts.names.get(given.toLowerCase()) ?? given);
}

const listLength = ({ input }: TitleFacts, field: string): number => {
  const value = input[field];
  return Array.isArray(value) ? value.length : 0;
};

function recipients({ effects: { recipients: list, total } }: TitleFacts): string {
  const [first] = list;
  if (!first) return people(total);
  const others = total - 1;
  return `${plain(first.to)}${others > 0 ? ` and ${count(others, 'other', 'others')}` : ''}`;
}

const at = ({ input }: TitleFacts): string => {
  const local = input['localTime'] ?? null;
  if (local !== null) return ` at ${plain(String(local))} by the clocks of each contact`;
  const when = input['scheduledAt'] ?? input['scheduledFor'] ?? input['sendAt'];
  return when === undefined || when === null ? '' : ` at ${plain(String(when))}`;
};

function mail(facts: TitleFacts): string {
  const subject = textOf(facts.input, 'subject');
  if (subject !== null) return quoted(subject);
  return textOf(facts.input, 'template') === null ? 'an email' : `the template ${named(facts, 'template')}`;
}

type Title = (facts: TitleFacts) => string;

const on =
  (verb: string, kind: string): Title =>
  (facts) =>
    `${verb} the ${kind} ${named(facts)}`;

const bulk =
  (verb: string): Title =>
  ({ effects }) =>
    `${verb} ${count(effects.contacts, 'contact', 'contacts')}`;

const contactChange: Title = (facts) =>
  facts.effects.liftsOptOut
    ? `Subscribe ${person(facts, 'id', 'email')}, who was not subscribed`
    : `Write the contact ${person(facts, 'id', 'email')}`;

const eventOf: Title = (facts) => {
  const { input } = facts;
  const who =
    textOf(input, 'email', 'contactId') === null ? '' : ` for ${person(facts, 'email', 'contactId')}`;
  const opt = facts.effects.liftsOptOut ? ', and subscribe who was not subscribed' : '';
  return `Record the event ${quoted(textOf(input, 'event', 'name') ?? '')}${who}${opt}`;
};

const liveTemplate: Title = (facts) => `Change the template ${named(facts)}, which an enabled workflow sends`;

const steps = on('Change the steps of', 'workflow');

/** What a person is asked to agree to: object and number of people. Every operation that may need an approval has one. */
export const titles: Readonly<Record<string, Title>> = {
  'sending.send': (facts) => `Send ${mail(facts)} to ${recipients(facts)}${at(facts)}`,
  'sending.sendBatch': (facts) =>
    `Send ${count(facts.effects.total, 'email', 'emails')} to ${recipients(facts)}`,
  'sending.reschedule': (facts) => `Send the email ${named(facts)}${at(facts) || ' now'}`,
  'campaigns.send': (facts) =>
    `Send the campaign ${named(facts)} to ${people(facts.effects.total)}${at(facts)}`,
  'campaigns.resume': on('Resume', 'campaign'),
  'campaigns.decideTest': (facts) =>
    `Send the variant ${textOf(facts.input, 'winner') ?? ''} of the campaign ${named(facts)} to the rest of its audience`,
  'campaigns.test': (facts) => `Send a test of the campaign ${named(facts)} to ${person(facts, 'email')}`,
  'campaigns.retry': (facts) => {
    const { requeued = 0 } = (facts.reply ?? {}) as { requeued?: number };
    return `Send ${count(requeued, 'email', 'emails')} of the campaign ${named(facts)} again`;
  },
  'campaigns.update': on('Change', 'campaign'),
  'campaigns.delete': on('Delete', 'campaign'),
  'workflows.update': (facts) =>
    facts.input['enabled'] === true
      ? `Enable the workflow ${named(facts)}`
      : `Change the enabled workflow ${named(facts)}`,
  'workflows.startExecution': (facts) =>
    `Start the workflow ${named(facts)} for ${person(facts, 'contactId')}`,
  'workflows.enter': (facts) =>
    listLength(facts, 'contacts') > 0
      ? `Start the workflow ${named(facts)} for ${count(listLength(facts, 'contacts'), 'contact', 'contacts')}`
      : `Start the workflow ${named(facts)} for all contacts that match`,
  'workflows.addStep': steps,
  'workflows.updateStep': steps,
  'workflows.deleteStep': steps,
  'workflows.addTransition': steps,
  'workflows.deleteTransition': steps,
  'workflows.replaceGraph': steps,
  'workflows.publish': on('Publish', 'workflow'),
  'workflows.delete': on('Delete', 'workflow'),
  'workflows.disableByErrors': on('Disable', 'workflow'),
  'workflows.retryExecution': on('Retry an execution of', 'workflow'),
  'workflows.retryExecutions': on('Retry the failed executions of', 'workflow'),
  'templates.update': liveTemplate,
  'templates.restoreVersion': liveTemplate,
  'templates.delete': on('Delete', 'template'),
  'blocks.delete': on('Delete', 'saved block'),
  'uploads.delete': (facts) => `Delete the image ${named(facts)}`,
  'contacts.upsert': contactChange,
  'contacts.update': contactChange,
  'contacts.delete': (facts) => `Delete the contact ${person(facts, 'id')}`,
  'contacts.bulkAddToSegment': (facts) =>
    `Add ${count(facts.effects.contacts, 'contact', 'contacts')} to the segment ${named(facts, 'segmentId')}`,
  'contacts.bulkDelete': bulk('Delete'),
  'contacts.bulkSubscribe': bulk('Subscribe'),
  'contacts.bulkUnsubscribe': bulk('Unsubscribe'),
  'contacts.bulkUpdate': bulk('Write fields of'),
  'contacts.bulkTopics': bulk('Change the topics of'),
  'contacts.deleteSuppression': (facts) => `Take ${person(facts, 'email')} off the suppression list`,
  'contacts.removeSuppressions': (facts) =>
    `Take ${count(listLength(facts, 'emails'), 'address', 'addresses')} off the suppression list`,
  'contacts.defineField': ({ input }) =>
    `Define the field ${quoted(textOf(input, 'field') ?? '')} of all contacts`,
  'contacts.deleteField': ({ input }) =>
    `Remove the field ${quoted(textOf(input, 'field') ?? '')} from all contacts`,
  'events.record': eventOf,
  'events.track': eventOf,
  'events.delete': ({ input }) => `Delete all events ${quoted(textOf(input, 'eventName') ?? '')}`,
  'segments.addMembers': (facts) =>
    `Add ${count(listLength(facts, 'emails'), 'contact', 'contacts')} to the segment ${named(facts)}`,
  'segments.removeMembers': (facts) =>
    `Remove ${count(listLength(facts, 'emails'), 'contact', 'contacts')} from the segment ${named(facts)}`,
  'segments.addMatching': (facts) => `Add all contacts that match to the segment ${named(facts)}`,
  'segments.compute': on('Compute the members of', 'tracked segment'),
  'segments.refresh': on('Count', 'segment'),
  'segments.create': ({ input }) => `Create the tracked segment ${quoted(textOf(input, 'name') ?? '')}`,
  'segments.update': on('Change', 'tracked segment'),
  'segments.delete': on('Delete', 'segment'),
  'forms.create': ({ input }) => `Create the sign-up form ${quoted(textOf(input, 'name') ?? '')}`,
  'forms.update': on('Change', 'sign-up form'),
  'forms.delete': on('Delete', 'sign-up form'),
  'subscriptionRequests.create': ({ input }) =>
    `Ask ${plain(textOf(input, 'email') ?? '')} to confirm a subscription`,
  'goals.delete': on('Delete', 'goal'),
  'topics.delete': on('Delete', 'topic'),
  'sourceRefs.set': (facts) =>
    `Let ${quoted(textOf(facts.input, 'sourceId') ?? '')} of ${plain(textOf(facts.input, 'source') ?? '')} stand for ${named(facts)}`,
  'sourceRefs.remove': ({ input }) =>
    `Let ${quoted(textOf(input, 'sourceId') ?? '')} of ${plain(textOf(input, 'source') ?? '')} stand for nothing`,
  'exports.start': ({ input }) => `Write all ${plain(textOf(input, 'type') ?? 'records')} to a file`,
  'webhooks.create': ({ input }) => `Send events to ${plain(textOf(input, 'url') ?? '')}`,
  'webhooks.update': (facts) => {
    const url = textOf(facts.input, 'url');
    return `Change the webhook endpoint ${named(facts)}${url === null ? '' : ` to ${plain(url)}`}`;
  },
  'webhooks.delete': on('Delete', 'webhook endpoint'),
  'webhooks.disable': on('Disable', 'webhook endpoint'),
  'webhooks.rotateSecret': on('Replace the secret of', 'webhook endpoint'),
  'webhooks.test': on('Send a test event to', 'webhook endpoint'),
  'webhooks.replay': on('Send events of a period again to', 'webhook endpoint'),
  'webhooks.replayDelivery': () => 'Send an event again to its webhook endpoint',
};

/** Their titles say which workflow starts. */
const startsItself = new Set(['workflows.startExecution', 'workflows.enter']);

/** What will happen, in a sentence for who decides. @param summary of the operation, where it has no title */
export function titleOf(operation: string, summary: string, facts: TitleFacts): string {
  const title = Object.hasOwn(titles, operation) ? titles[operation]?.(facts) : undefined;
  const { workflows, touchesSegments } = facts.effects;
  const names = workflows.map(({ name }) => quoted(name));
  const starts =
    names.length > 0
      ? `; ${names.length === 1 ? 'the workflow' : 'the workflows'} ${names.join(', ')} ${names.length === 1 ? 'starts or goes on' : 'start or go on'}`
      : touchesSegments
        ? '; tracked segments may change'
        : '';
  return cut(
    `${title ?? summary.replace(/[.]$/, '')}${startsItself.has(operation) ? '' : starts}`,
    longest.title,
  );
}
