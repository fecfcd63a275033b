import { randomUUID } from 'node:crypto';
import { newId } from '@postrider/core/base/lib';
import { interactionsStored, judgeClicks } from '@postrider/core/mail/tracking';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '@postrider/core/testing';
import { makeCertificate } from '@postrider/core/testing/certificates.ts';
import { type SnsFields, type SnsStandIn, startSnsStandIn } from '@postrider/core/testing/sns-stand-in.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';

const topic = 'arn:aws:sns:eu-central-1:123456789012:mail';
const at = '2026-01-02T03:04:05.678Z';

let sns: SnsStandIn;
let test: TestServices;
let app: FastifyInstance;
let project: TestProject;
beforeAll(async () => {
  sns = await startSnsStandIn();
  test = await createTestServices({ env: { SNS_TOPIC_ARNS: topic } });
  app = createApp({ ...test.services, http: sns.http });
  await app.ready();
  project = await createTestProject(test.services);
});
afterAll(async () => {
  await app.close();
  await test.close();
  await sns.close();
});

async function post(payload: string, type = 'text/plain; charset=UTF-8') {
  const reply = await app.inject({
    method: 'POST',
    url: '/webhooks/sns',
    headers: { 'content-type': type, 'x-amz-sns-message-type': 'Notification' },
    payload,
  });
  return { status: reply.statusCode, body: reply.json() };
}

interface Sent {
  id: string;
  providerId: string;
  contactId: string;
  address: string;
}

/** An email that was handed over to the provider. */
async function sentEmail(status: 'SENT' | 'UNCERTAIN' = 'SENT'): Promise<Sent> {
  const { prisma } = test.services.database;
  const [id, contactId, contentId] = [newId(), newId(), newId()];
  const address = `${id}@people.test`;
  const providerId = `ses-${id}`;
  await prisma.contact.create({
    data: { id: contactId, projectId: project.id, email: address, subscribed: true },
  });
  await prisma.content.create({
    data: {
      id: contentId,
      projectId: project.id,
      projectName: 'Test project',
      from: 'a@mail.test',
      subject: 'Hello',
      body: '<p>Hi</p>',
      type: 'TRANSACTIONAL',
      sourceType: 'TRANSACTIONAL',
      hash: Buffer.from(randomUUID()),
    },
  });
  await prisma.email.create({
    data: {
      id,
      projectId: project.id,
      contactId,
      contentId,
      to: address,
      type: 'TRANSACTIONAL',
      sourceType: 'TRANSACTIONAL',
      status,
      attempts: 1,
      ...(status === 'SENT'
        ? { messageId: providerId, sentAt: new Date(Date.parse(at) - 60_000) }
        : { uncertainAt: new Date() }),
    },
  });
  return { id, providerId, contactId, address };
}

const mailOf = ({ providerId, id }: Sent, more: object = {}) => ({
  mail: { timestamp: at, messageId: providerId, tags: { postrider_email: [id] }, ...more },
});

type Notice = (email: Sent) => Record<string, unknown>;
const event =
  (eventType: string, part: object = {}): Notice =>
  (email) => ({ eventType, ...mailOf(email), ...part });
const recipients = [
  { emailAddress: 'x@people.test', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 no such user' },
];
const bounce = (bounceType: string) =>
  event('Bounce', { bounce: { bounceType, bouncedRecipients: recipients, timestamp: at } });
const delivery = event('Delivery', { delivery: { timestamp: at } });
const complaint = event('Complaint', { complaint: { complaintFeedbackType: 'abuse', timestamp: at } });
const userAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
const open = event('Open', { open: { userAgent, timestamp: at } });
const click = event('Click', {
  click: { userAgent, link: 'https://shop.example/', timestamp: at },
});

const signed = (email: Sent, notice: Notice, fields: SnsFields = {}) =>
  sns.signed({ Message: JSON.stringify(notice(email)), ...fields });

async function stateOf({ id, contactId, address }: Sent) {
  const { prisma } = test.services.database;
  const email = await prisma.email.findUniqueOrThrow({ where: { id } });
  const contact = await prisma.contact.findUniqueOrThrow({ where: { id: contactId } });
  const suppression = await prisma.suppression.findFirst({
    where: { projectId: project.id, email: address },
  });
  const events = await prisma.event.findMany({
    where: { OR: [{ emailId: id }, { contactId }] },
    orderBy: { name: 'asc' },
  });
  return {
    status: email.status,
    email,
    subscribed: contact.subscribed,
    suppressed: suppression?.reason ?? null,
    events: events.map(({ name }) => name),
  };
}

interface Case {
  notices: Notice[];
  from?: 'SENT' | 'UNCERTAIN';
  status: string;
  events: string[];
  suppressed?: string;
}

const lost = { subscribed: false };
/** Notifications in the order of their arrival, and the state afterwards. */
const corpus: Record<string, Case> = {
  Send: { notices: [event('Send', { send: {} })], status: 'SENT', events: [] },
  'Send proves an uncertain email': {
    notices: [event('Send')],
    from: 'UNCERTAIN',
    status: 'SENT',
    events: ['email.sent'],
  },
  Delivery: { notices: [delivery], status: 'DELIVERED', events: ['email.delivery'] },
  'Delivery in the older form': {
    notices: [(email) => ({ notificationType: 'Delivery', ...mailOf(email), delivery: { timestamp: at } })],
    status: 'DELIVERED',
    events: ['email.delivery'],
  },
  'Send after Delivery': {
    notices: [delivery, event('Send')],
    status: 'DELIVERED',
    events: ['email.delivery'],
  },
  'a permanent bounce': {
    notices: [bounce('Permanent')],
    status: 'BOUNCED',
    events: ['contact.unsubscribed', 'email.bounce'],
    suppressed: 'BOUNCE',
  },
  'a permanent bounce after Delivery, and Delivery again': {
    notices: [delivery, bounce('Permanent'), delivery],
    status: 'BOUNCED',
    events: ['contact.unsubscribed', 'email.bounce', 'email.delivery'],
    suppressed: 'BOUNCE',
  },
  'a transient bounce': { notices: [bounce('Transient')], status: 'SENT', events: ['email.bounce'] },
  'an undetermined bounce': { notices: [bounce('Undetermined')], status: 'SENT', events: ['email.bounce'] },
  'a bounce of a type that does not exist yet': {
    notices: [bounce('Other')],
    status: 'SENT',
    events: ['email.bounce'],
  },
  'a bounce without details': { notices: [event('Bounce')], status: 'SENT', events: ['email.bounce'] },
  Complaint: {
    notices: [complaint],
    status: 'COMPLAINED',
    events: ['contact.unsubscribed', 'email.complaint'],
    suppressed: 'COMPLAINT',
  },
  'Delivery after Complaint': {
    notices: [complaint, delivery],
    status: 'COMPLAINED',
    events: ['contact.unsubscribed', 'email.complaint', 'email.delivery'],
    suppressed: 'COMPLAINT',
  },
  'a complaint that was taken back': {
    notices: [event('Complaint', { complaint: { complaintFeedbackType: 'not-spam' } })],
    status: 'SENT',
    events: [],
  },
  Reject: {
    notices: [event('Reject', { reject: { reason: 'Bad content' } })],
    status: 'FAILED',
    events: ['email.failed'],
  },
  'Rendering Failure': {
    notices: [event('Rendering Failure', { failure: { errorMessage: 'Attribute is missing' } })],
    status: 'FAILED',
    events: ['email.failed'],
  },
  DeliveryDelay: {
    notices: [
      event('DeliveryDelay', { deliveryDelay: { delayType: 'MailboxFull', delayedRecipients: recipients } }),
    ],
    status: 'SENT',
    events: [],
  },
  Subscription: { notices: [event('Subscription')], status: 'SENT', events: [] },
};

describe('a notification', () => {
  it.each(Object.entries(corpus))(
    '%s',
    async (_name, { notices, from = 'SENT', status, events, suppressed = null }) => {
      const email = await sentEmail(from);
      for (const [index, notice] of notices.entries()) {
        const answer = await post(signed(email, notice, { MessageId: `${email.id}-${index}` }));
        expect(answer).toEqual({ status: 200, body: { success: true } });
      }
      const state = await stateOf(email);
      expect(state).toMatchObject({
        status,
        events,
        suppressed,
        ...(suppressed ? lost : { subscribed: true }),
      });
    },
  );

  it.each([
    ['Open', open, 'OPENED', 'email.open'],
    ['Click', click, 'CLICKED', 'email.click'],
  ])('%s counts once, however often it comes', async (_name, notice, status, name) => {
    const email = await sentEmail();
    const message = signed(email, notice);
    for (let times = 0; times < 3; times += 1) expect((await post(message)).status).toBe(200);
    await interactionsStored(test.services);
    await judgeClicks(test.services, { waitMs: 0 });
    expect((await stateOf(email)).status).toBe(status);
    expect((await stateOf(email)).events).toEqual([name]);
  });

  it('that comes again has no effect, also when both come at once', async () => {
    const email = await sentEmail();
    const message = signed(email, bounce('Permanent'));
    const answers = await Promise.all([post(message), post(message), post(message)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await post(message)).status).toBe(200);
    expect((await stateOf(email)).events).toEqual(['contact.unsubscribed', 'email.bounce']);
  });

  it('says why an email failed, and when it was delivered', async () => {
    const [failed, delivered] = [await sentEmail(), await sentEmail()];
    await post(signed(failed, event('Reject', { reject: { reason: 'Bad content' } })));
    await post(signed(delivered, delivery));
    expect((await stateOf(failed)).email).toMatchObject({ error: 'Rejected: Bad content', sentAt: null });
    expect((await stateOf(delivered)).email.deliveredAt).toEqual(new Date(at));
  });

  it.each([
    ['by its tag', (id: string) => ({ tags: { postrider_email: [id] } })],
    ['by its header', (id: string) => ({ tags: {}, headers: [{ name: 'x-postrider-email', value: id }] })],
  ])('finds an email whose provider id is not known %s', async (_name, of) => {
    const email = await sentEmail();
    const notice: Notice = ({ id }) => ({
      eventType: 'Delivery',
      mail: { timestamp: at, messageId: 'unknown', ...of(id) },
      delivery: { timestamp: at },
    });
    expect((await post(signed(email, notice))).status).toBe(200);
    expect((await stateOf(email)).status).toBe('DELIVERED');
  });

  it('is read as JSON of either content type', async () => {
    for (const type of ['text/plain', 'application/json', 'application/json; charset=utf-8']) {
      const email = await sentEmail();
      expect((await post(signed(email, delivery), type)).status).toBe(200);
    }
  });
});

describe('is refused without an effect', () => {
  it('403: a forged signature, none, or another topic', async () => {
    const email = await sentEmail();
    const by = makeCertificate({ name: 'sns.amazonaws.com' });
    const message = { Message: JSON.stringify(delivery(email)) };
    for (const body of [
      sns.signed(message, { by }),
      sns.signed({ ...message, Signature: undefined }),
      sns.signed({ ...message, TopicArn: `${topic}-other` }),
      sns.signed({ ...message, Timestamp: new Date(Date.now() - 15 * 86_400_000).toISOString() }),
      sns.signed({ ...message, SigningCertURL: 'https://evil.example/x.pem' }),
      JSON.stringify(delivery(email)),
      '{}',
    ])
      expect(await post(body)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect((await stateOf(email)).status).toBe('SENT');
  });

  it('400: a body that is unreadable, or without ids', async () => {
    const email = await sentEmail();
    const whole = signed(email, delivery);
    for (const body of [
      '',
      'hello',
      '[]',
      'null',
      whole.slice(0, -20),
      whole.replace('"Notification"', '"Notification\0"'),
      `${whole}\0`,
      signed(email, delivery, { MessageId: 'a\0b' }),
      sns.signed({ Message: JSON.stringify({ eventType: 'Delivery', mail: { messageId: 'a\0b' } }) }),
      signed(email, delivery, { MessageId: undefined }),
      sns.signed({ Message: 'Successfully validated SNS topic' }),
      sns.signed({ Message: JSON.stringify(delivery(email)).slice(0, -10) }),
      sns.signed({ Message: '{"eventType":"Delivery","mail":{}}' }),
      sns.signed({ Message: '{"notificationType":"AmazonSnsSubscriptionSucceeded"}' }),
      sns.signed({ Message: undefined }),
    ])
      expect(await post(body)).toMatchObject({ status: 400 });
    expect((await stateOf(email)).status).toBe('SENT');
  });

  it('404: an unknown email, which is applied when it is repeated later', async () => {
    const email = await sentEmail();
    const { database } = test.services;
    const message = signed(email, (sent) => ({ ...delivery(sent), mail: { messageId: 'later' } }));
    expect(await post(message)).toMatchObject({
      status: 404,
      body: { error: { code: 'RESOURCE_NOT_FOUND' } },
    });
    await database.prisma.email.update({ where: { id: email.id }, data: { messageId: 'later' } });
    expect((await post(message)).status).toBe(200);
    expect((await stateOf(email)).status).toBe('DELIVERED');
  });
});

describe('a message that is no notification', () => {
  const SubscribeURL = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=t';
  const confirmation = (url: string | undefined) =>
    sns.signed({ Type: 'SubscriptionConfirmation', Token: 't', Message: 'Confirm', SubscribeURL: url });

  it('200: the address of a confirmation is visited', async () => {
    sns.files.set('/', '<ConfirmSubscriptionResponse/>');
    expect((await post(confirmation(SubscribeURL))).status).toBe(200);
    expect(sns.asked).toContain(SubscribeURL);
  });

  it.each([undefined, 'https://evil.example/', 'http://sns.eu-central-1.amazonaws.com/'])(
    '400: a confirmation at %s',
    async (url) => {
      expect((await post(confirmation(url))).status).toBe(400);
    },
  );

  it('403: a confirmation of a topic that is not listed is not visited', async () => {
    const foreign = sns.signed({
      Type: 'SubscriptionConfirmation',
      Token: 't',
      Message: 'Confirm',
      SubscribeURL: `${SubscribeURL}&foreign`,
      TopicArn: 'arn:aws:sns:eu-central-1:999999999999:theirs',
    });
    expect((await post(foreign)).status).toBe(403);
    expect(sns.asked).not.toContain(`${SubscribeURL}&foreign`);
  });

  it('200 {success: false}: the end of a subscription', async () => {
    const message = sns.signed({ Type: 'UnsubscribeConfirmation', Token: 't', SubscribeURL, Message: 'Bye' });
    expect(await post(message)).toEqual({ status: 200, body: { success: false } });
  });
});
