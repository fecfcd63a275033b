import { z } from 'zod';
import { type EventTypeName, eventTypes } from '../../base/event-types/event-types.rules.ts';
import { emailFigures } from '../../base/figures/email-figures.rules.ts';
import { addressText, isoDate, recordId } from '../../base/kernel/fields.ts';
import { typeNames } from '../../base/kernel/type-names.ts';
import { testType, webhookKindOf } from './event-types.rules.ts';

/**
 * The bodies of webhook requests, one schema for each kind (behaviour B11.3), made from the definitions of the types of events. A type, or
 * a field of its data, without words here does not compile.
 */

type EventTypes = typeof eventTypes;
type Sent = {
  [Name in EventTypeName]: EventTypes[Name] extends { webhook: true; kind: 'SYSTEM' | 'ACTIVITY' | 'REPORT' }
    ? Name
    : never;
}[EventTypeName];
type FieldOf<Name> = Name extends EventTypeName ? keyof z.output<EventTypes[Name]['data']> : never;

/** What each type tells, in the order in which they are listed. */
const texts: Readonly<Record<Sent, string>> = {
  'email.sent': 'A mail server has accepted an email.',
  'email.delivery': 'An email has reached its mailbox.',
  'email.open': 'An email was opened.',
  'email.click': 'A link in an email was clicked.',
  'email.bounce': 'An email came back.',
  'email.complaint': 'A recipient has reported an email as spam.',
  'email.failed': 'An email could not be sent.',
  'email.skipped': 'An email was not sent, because it must not be.',
  'email.uncertain': 'Whether an email was sent is not known.',
  'contact.subscribed': 'A contact receives marketing email again.',
  'contact.unsubscribed': 'A contact receives no more marketing email.',
  'contact.topic.subscribed': 'A contact receives a topic by its own choice.',
  'contact.topic.unsubscribed': 'A contact receives a topic no more by its own choice.',
  'contact.subscription.requested': 'A subscription waits for its confirmation.',
  'contact.subscription.confirmed': 'A subscription was confirmed.',
  'contact.subscription.declined': 'Somebody says that they did not ask for a subscription.',
  'contact.subscription.expired': 'A subscription was not confirmed in time.',
  'segment.*.entry': 'A contact has entered a segment.',
  'segment.*.exit': 'A contact has left a segment.',
  'campaign.sent': 'Every email of a campaign is settled.',
  'campaign.cancelled': 'A campaign was cancelled.',
  'campaign.paused': 'A campaign was paused: nothing more of it is sent for now.',
  'campaign.resumed': 'A paused campaign is sent on.',
  'campaign.approval_requested': 'A campaign waits for the approval of a second person.',
  'campaign.approved': 'A second person has approved a campaign.',
  'campaign.declined': 'A second person has declined a campaign.',
  'campaign.test_decided': 'The test of a campaign is decided: the rest gets its winner.',
  'workflow.published': 'A version of a workflow was published.',
  'workflow.completed': 'An execution of a workflow has ended.',
  'workflow.disabled': 'A workflow was disabled because too many of its executions failed.',
  'execution.failed': 'An execution of a workflow has failed.',
  'goal.converted': 'A contact has reached a goal.',
  'domain.verified': 'The DNS records of a domain were found.',
  'domain.lost': 'The DNS records of a domain are gone.',
  'project.disabled': 'The project may not send any more.',
};

interface Words {
  description: string;
  examples?: unknown[];
  /** the name of an enum in the API document */
  'x-name'?: string;
}

const words: Readonly<Record<FieldOf<Sent>, Words>> = {
  emailId: { description: 'Id of the email.', examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'] },
  subject: { description: 'Subject, as it was sent.', examples: ['Your order 1001 has shipped'] },
  from: { description: 'Address of the sender.', examples: ['hello@example.com'] },
  fromName: { description: 'Display name of the sender.', examples: ['Example Shop'] },
  messageId: {
    description: 'The field `Message-ID`.',
    examples: ['<0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90@example.com>'],
  },
  templateId: { description: 'Id of the template; null without one.', examples: [null] },
  campaignId: {
    description: 'Id of the campaign; null for other email.',
    examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'],
  },
  sourceType: {
    description: 'What the email belongs to.',
    examples: ['TRANSACTIONAL'],
    'x-name': 'WebhookEmailSource',
  },
  tags: { description: 'Tags of the email.', examples: [['receipt']] },
  metadata: { description: 'Metadata of the email.', examples: [{ orderId: '1001' }] },
  to: { description: 'Address that the email goes to.', examples: ['customer@example.com'] },
  recipientType: {
    description: 'In which field of the message the recipient is.',
    examples: ['TO'],
    'x-name': 'WebhookRecipientType',
  },
  sentAt: { description: 'When it was sent.' },
  deliveredAt: { description: 'When it was delivered.' },
  openedAt: { description: 'When it was opened.' },
  opens: { description: 'How often it was opened so far.', examples: [1] },
  isFirstOpen: { description: 'Whether this is its first open.', examples: [true] },
  link: { description: 'The link.', examples: ['https://example.com/orders/1001'] },
  clickedAt: { description: 'When the link was clicked.' },
  clicks: { description: 'How many clicks the email has so far.', examples: [1] },
  isFirstClick: { description: 'Whether this is its first click.', examples: [true] },
  bounceType: {
    description: 'Whether it can arrive later.',
    examples: ['Permanent'],
    'x-name': 'WebhookBounceType',
  },
  bouncedAt: { description: 'When it bounced.' },
  transientBounce: { description: 'True for a bounce that may pass; absent otherwise.', examples: [true] },
  bounceClass: { description: 'What the mail server says, as a class.', examples: ['no_mailbox'] },
  diagnosis: { description: 'The words of the mail server.', examples: ['550 5.1.1 No such user'] },
  complainedAt: { description: 'When the complaint arrived.' },
  error: { description: 'What went wrong.', examples: ['550 5.1.1 No such user'] },
  reason: { description: 'Why, as a word.', examples: ['suppressed'] },
  failureClass: { description: 'What the mail server says, as a class.', examples: ['no_mailbox'] },
  snoozedUntil: { description: 'When marketing email resumes; absent unless the contact paused it.' },
  basis: {
    description: 'What the subscription rests on; absent where nobody said so.',
    examples: ['confirmed'],
  },
  topics: {
    description: 'The topics, by their keys; absent where none were named.',
    examples: [{ product_news: true }, ['product_news']],
  },
  topic: { description: 'Key of the topic.', examples: ['product_news'] },
  requestId: {
    description: 'Id of the subscription request.',
    examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'],
  },
  formId: { description: 'Id of the form; null without one.', examples: [null] },
  segmentId: { description: 'Id of the segment.', examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'] },
  segmentName: { description: 'Name of the segment.', examples: ['Trial users'] },
  campaignName: { description: 'Name of the campaign.', examples: ['Spring sale'] },
  totalRecipients: { description: 'Recipients of the campaign.', examples: [1200] },
  winner: { description: 'Key of the variant that won.', examples: ['B'] },
  decidedBy: { description: 'What decided: `EVIDENCE`, `END` or `USER`.', examples: ['END'] },
  proven: {
    description: 'Whether the winner was shown to differ from the others; null when a user decided.',
    examples: [true],
  },
  metric: { description: 'What was compared.', examples: ['CLICKS'] },
  sentCount: { description: 'Emails that were sent.', examples: [1180] },
  deliveredCount: { description: 'Emails that were delivered.', examples: [1150] },
  bouncedCount: { description: 'Emails that bounced.', examples: [12] },
  complainedCount: { description: 'Emails that led to a complaint.', examples: [1] },
  unsubscribedCount: { description: 'Emails that led to an opt-out.', examples: [7] },
  failedCount: { description: 'Emails that failed.', examples: [9] },
  skippedCount: { description: 'Emails that were skipped.', examples: [11] },
  uncertainCount: { description: 'Emails that have an unknown outcome.', examples: [0] },
  acceptedCount: { description: emailFigures.accepted.counts, examples: [1168] },
  refusedCount: { description: emailFigures.refused.counts, examples: [0] },
  heldOutCount: { description: emailFigures.heldOut.counts, examples: [0] },
  workflowId: { description: 'Id of the workflow.', examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'] },
  workflowName: { description: 'Name of the workflow.', examples: ['Welcome'] },
  version: { description: 'Number of the new version.', examples: [4] },
  note: {
    description: 'What its publisher, or the person who asked for it, said of it.',
    examples: ['Reminder after two days'],
  },
  move: {
    description: 'Whether executions of older versions go on by it: `ALL`, or not: `NEW`.',
    examples: ['NEW'],
    'x-name': 'WebhookWorkflowMove',
  },
  hash: {
    description: 'Of the state of the campaign that was asked for, as the checks before sending name it.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  },
  recipients: { description: 'How many would get it when it was asked for.', examples: [1_204] },
  by: { description: 'Who published it, asked for it, or decided.', examples: ['anna@example.com'] },
  executionId: { description: 'Id of the execution.', examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'] },
  stepKey: { description: 'Key of the step; null once it is gone.', examples: ['call-the-shop'] },
  failed: { description: 'Executions that failed at the step.', examples: [60] },
  visits: { description: 'Executions that went through the step or failed at it.', examples: [64] },
  retries: { description: 'How often it was retried before.', examples: [0] },
  status: { description: 'Its state since then.', examples: ['COMPLETED'] },
  goalId: {
    description: 'Id of the goal; null where none has ended it.',
    examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'],
  },
  goalName: { description: 'Name of the goal.', examples: ['Purchase'] },
  conversionId: { description: 'Id of the conversion.', examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'] },
  value: { description: 'Its value; null without one.', examples: [49.9] },
  currency: { description: 'Currency of the value; null without one.', examples: ['EUR'] },
  exitReason: { description: 'Why it has ended; null at its last step.', examples: [null] },
  domainId: { description: 'Id of the domain.', examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'] },
  domain: { description: 'Name of the domain.', examples: ['mail.example.com'] },
  projectId: { description: 'Id of the project.', examples: ['0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90'] },
  projectName: { description: 'Name of the project.', examples: ['Example Shop'] },
};

const contact = z
  .object({
    id: recordId.describe('Id of the contact.'),
    email: addressText.describe('Address of the contact.'),
  })
  .meta({ 'x-name': 'WebhookContact', description: 'The contact; null for an event without one.' })
  .nullable()
  .describe('The contact; null for an event without one, and for what is told of a cc or bcc recipient.');

/** The fields of the data of a type, with their words. */
function fieldsOf({ shape }: z.ZodObject): z.core.$ZodShape {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => {
      const { examples = [], ...text } = words[name as FieldOf<Sent>];
      // A field of the same name is an enum in one of the types.
      const own = examples.filter((example) => (field as z.ZodType).safeParse(example).success);
      return [name, (field as z.ZodType).meta({ ...text, ...(own.length > 0 && { examples: own }) })];
    }),
  );
}

/** Names that would be those of other schemas. */
const ownNames: Readonly<Record<string, string>> = {
  event: 'WebhookCustomEvent',
  'webhook.test': 'WebhookTestEvent',
};

/** `email.sent` → `WebhookEmailSent`. */
const componentOf = (kind: string): string =>
  ownNames[kind] ??
  `Webhook${kind.replaceAll(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase())}`;

interface Kind {
  kind: string;
  type: string;
  text: string;
  data: z.ZodType;
}

const bodyOf = ({ kind, type, text, data }: Kind) =>
  z
    .object({
      kind: z.literal(kind).describe('What tells the payloads apart.'),
      type: z.string().meta({ description: 'Type of the event.', examples: [type] }),
      timestamp: isoDate.describe('When the event happened.'),
      data: data.meta({ description: 'Data of the event.' }),
    })
    .describe(text)
    .register(typeNames, { name: componentOf(kind) });

const ofTypes = (Object.keys(texts) as Sent[]).map((name): Kind => {
  const type = name.replace('*', 'trial-users');
  return {
    kind: webhookKindOf(type),
    type,
    text: texts[name],
    data: z.object({ ...fieldsOf(eventTypes[name].data), contact }),
  };
});

/** Data of the project's own events: whatever was tracked, beside the contact. */
const ofProject: Kind = {
  kind: webhookKindOf('event.signed_up'),
  type: 'event.signed_up',
  text: 'An event of the project itself was tracked.',
  data: z.looseObject({ contact }).meta({
    examples: [
      {
        plan: 'pro',
        contact: { id: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90', email: 'customer@example.com' },
      },
    ],
  }),
};

const ofTests: Kind = {
  kind: testType,
  type: testType,
  text: 'A test that was asked for.',
  data: z.object({
    endpointId: recordId.describe('Id of the endpoint.'),
    message: z.string().meta({ description: 'A sentence.', examples: ['A test event from Postrider'] }),
    contact: z.null().optional().describe('There is none.'),
  }),
};

/** The body of the requests for each kind, and of the `payload` of a delivery. */
export const webhookBodies = [...ofTypes, ofProject, ofTests].map((kind) => ({
  ...kind,
  body: bodyOf(kind),
}));

const [first, ...others] = webhookBodies.map(({ body }) => body);
if (first === undefined) throw new Error('there is no kind of webhooks');

/** The body of a webhook request: one of the kinds that this version sends. Newer ones add kinds. */
export const webhookEvent = z
  .discriminatedUnion('kind', [first, ...others])
  .meta({
    description:
      'The body of a webhook request. Later versions add kinds; answer 2xx to one that you do not know.',
  })
  .register(typeNames, { name: 'WebhookEvent' });
