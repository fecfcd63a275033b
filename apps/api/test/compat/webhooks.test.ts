import { createHmac, createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createEndpoint,
  getWebhookDelivery,
  listWebhookDeliveries,
  replayWebhookDelivery,
  rotateEndpointSecret,
  testEndpoint,
  WebhookRuntime,
} from '@postrider/core/insight/webhook-endpoints';
import { createSimulatorTasks } from '@postrider/core/mail/simulator';
import { judgeClicks } from '@postrider/core/mail/tracking';
import sgMail from '@sendgrid/mail';
import FormData from 'form-data';
import Mailgun from 'mailgun.js';
import { ServerClient } from 'postmark';
import { Resend } from 'resend';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CompatStack, domain, from, startCompat } from './compat-kit.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape of a body and do not rely on its type
type Event = Record<string, any>;

/** Requests to endpoints in the formats of other services, verified as each of them documents it (behaviour B16.10). */
interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let stack: CompatStack;
let server: Server;
let base: string;
let runtime: WebhookRuntime;
let tasks: ReturnType<typeof createSimulatorTasks>;
const received: Received[] = [];

const formats = ['RESEND', 'POSTMARK', 'SENDGRID', 'MAILGUN'] as const;
type Format = (typeof formats)[number];
type Endpoint = Awaited<ReturnType<typeof createEndpoint.run>>;
const endpoints = new Map<Format, Endpoint>();

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body });
      // The first request to each of these fails.
      const fails = path.startsWith('/fails/') && received.filter((each) => each.path === path).length === 1;
      response.writeHead(fails ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  stack = await startCompat({ WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${port}` });
  for (const format of formats)
    endpoints.set(format, await createEndpoint.run(stack.project.ctx, { url: `${base}/${format}`, format }));
  runtime = new WebhookRuntime(stack.test.services);
  tasks = createSimulatorTasks(stack.test.services);
  tasks.start();
});
afterAll(async () => {
  await tasks.stop();
  await runtime.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await stack.close();
});

const endpointOf = (format: Format): Endpoint => {
  const endpoint = endpoints.get(format);
  if (!endpoint) throw new Error(`no endpoint in the format ${format}`);
  return endpoint;
};

/** The event of a request, if its signature is right. */
function eventOf(format: Format, { headers, body }: Received, endpoint = endpointOf(format)) {
  const text = (name: string): string => String(headers[name]);
  const { secret } = endpoint;
  // Ours stand beside those of each service.
  new Webhook(secret).verify(body, headers as Record<string, string>);
  switch (format) {
    case 'RESEND':
      return new Resend('re_x').webhooks.verify({
        payload: body,
        headers: {
          id: text('svix-id'),
          timestamp: text('svix-timestamp'),
          signature: text('svix-signature'),
        },
        webhookSecret: secret,
      }) as Event;
    case 'POSTMARK':
      return JSON.parse(body);
    case 'SENDGRID': {
      const key = createPublicKey({
        key: Buffer.from(endpoint.publicKey ?? '', 'base64'),
        format: 'der',
        type: 'spki',
      });
      const signed = Buffer.from(text('x-twilio-email-event-webhook-timestamp') + body);
      const signature = Buffer.from(text('x-twilio-email-event-webhook-signature'), 'base64');
      expect(verify('sha256', signed, key, signature)).toBe(true);
      const list = JSON.parse(body);
      expect(list).toHaveLength(1);
      return list[0];
    }
    case 'MAILGUN': {
      const { signature: given, 'event-data': event, ...rest } = JSON.parse(body);
      const { timestamp, token, signature } = given;
      expect(signature).toBe(
        createHmac('sha256', secret)
          .update(timestamp + token)
          .digest('hex'),
      );
      expect([token.length, rest]).toEqual([50, {}]);
      return event;
    }
  }
}

const recipientOf: Readonly<Record<Format, (event: Event) => string>> = {
  RESEND: ({ data }) => data['to'][0] as string,
  POSTMARK: ({ Recipient, Email }) => Recipient ?? Email,
  SENDGRID: ({ email }) => email,
  MAILGUN: ({ recipient }) => recipient,
};

/** What an endpoint was told of an address, as soon as that is so much. */
async function told(format: Format, address: string, count: number): Promise<Event[]> {
  let found: Event[] = [];
  await vi.waitFor(
    async () => {
      await judgeClicks(stack.test.services);
      found = received
        .filter(({ path }) => path === `/${format}`)
        .map((request) => eventOf(format, request))
        .filter((event) => recipientOf[format](event) === address);
      expect(found.length).toBeGreaterThanOrEqual(count);
    },
    { timeout: 60_000, interval: 100 },
  );
  return found;
}
const namesOf = (format: Format, events: readonly Event[]): string[] =>
  events
    .map(
      (event) =>
        event[{ RESEND: 'type', POSTMARK: 'RecordType', SENDGRID: 'event', MAILGUN: 'event' }[format]],
    )
    .toSorted();

const html = '<p>Hi</p><a href="https://shop.example/one">One</a>';
const to = (name: string): string => `${name}@postrider.test`;

/** Sends with the client of each service. @returns the id that it answers */
const senders: Readonly<Record<Format, (address: string, cc?: string) => Promise<string>>> = {
  async RESEND(address, cc) {
    const { data, error } = await new Resend(stack.project.secretKey, {
      baseUrl: `${stack.url}/compat/resend`,
    }).emails.send({
      from: `Shop <${from}>`,
      to: address,
      ...(cc !== undefined && { cc }),
      subject: 'Hello',
      html,
      tags: [{ name: 'order', value: '1001' }],
    });
    return data?.id ?? JSON.stringify(error);
  },
  async POSTMARK(address, cc) {
    const client = new ServerClient(stack.project.secretKey, {
      requestHost: `${stack.url.replace('http://', '')}/compat/postmark`,
      useHttps: false,
    });
    const { MessageID } = await client.sendEmail({
      From: from,
      To: address,
      ...(cc !== undefined && { Cc: cc }),
      Subject: 'Hello',
      HtmlBody: html,
      Tag: 'receipt',
      Metadata: { order: '1001' },
      TrackOpens: true,
    });
    return MessageID;
  },
  async SENDGRID(address, cc) {
    sgMail.setApiKey(stack.project.secretKey);
    const { client } = sgMail as unknown as {
      client: { setDefaultRequest(name: string, value: string): void };
    };
    client.setDefaultRequest('baseUrl', `${stack.url}/compat/sendgrid/`);
    const [{ headers }] = await sgMail.send({
      from,
      to: address,
      ...(cc !== undefined && { cc }),
      subject: 'Hello',
      html,
      categories: ['receipt'],
      customArgs: { order: '1001', event: 'mine' },
      trackingSettings: { openTracking: { enable: true } },
    });
    return headers['x-message-id'] as string;
  },
  async MAILGUN(address, cc) {
    const client = new Mailgun(FormData).client({
      username: 'api',
      key: stack.project.secretKey,
      url: `${stack.url}/compat/mailgun`,
    });
    const { id = '' } = await client.messages.create(domain, {
      from,
      to: address,
      ...(cc !== undefined && { cc }),
      subject: 'Hello',
      html,
      'o:tag': ['receipt'],
      'v:order': '1001',
      'o:tracking-opens': 'yes',
    });
    return id.slice(1, -1);
  },
};
const idIn: Readonly<Record<Format, (event: Event) => string>> = {
  RESEND: ({ data }) => data['email_id'],
  POSTMARK: ({ MessageID }) => MessageID,
  SENDGRID: ({ sg_message_id }) => sg_message_id,
  MAILGUN: ({ message }) => message['headers']['message-id'],
};

/** By the name of the address at the simulator: what each service tells of it. */
const expected: Readonly<Record<string, Readonly<Record<Format, readonly string[]>>>> = {
  delivered: {
    RESEND: ['email.sent', 'email.delivered'],
    POSTMARK: ['Delivery'],
    SENDGRID: ['processed', 'delivered'],
    MAILGUN: ['accepted', 'delivered'],
  },
  clicked: {
    RESEND: ['email.sent', 'email.delivered', 'email.opened', 'email.clicked'],
    POSTMARK: ['Delivery', 'Open', 'Click'],
    SENDGRID: ['processed', 'delivered', 'open', 'click'],
    MAILGUN: ['accepted', 'delivered', 'opened', 'clicked'],
  },
  bounced: {
    RESEND: ['email.sent', 'email.bounced'],
    POSTMARK: ['Bounce'],
    SENDGRID: ['processed', 'bounce'],
    MAILGUN: ['accepted', 'failed'],
  },
  softbounced: {
    RESEND: ['email.sent', 'email.delivery_delayed'],
    POSTMARK: ['Bounce'],
    SENDGRID: ['processed', 'deferred'],
    MAILGUN: ['accepted', 'failed'],
  },
  rejected: { RESEND: ['email.bounced'], POSTMARK: ['Bounce'], SENDGRID: ['bounce'], MAILGUN: ['failed'] },
  blocked: { RESEND: ['email.failed'], POSTMARK: ['Bounce'], SENDGRID: ['dropped'], MAILGUN: ['failed'] },
  complained: {
    RESEND: ['email.sent', 'email.delivered', 'email.complained'],
    POSTMARK: ['Delivery', 'SpamComplaint'],
    SENDGRID: ['processed', 'delivered', 'spamreport'],
    MAILGUN: ['accepted', 'delivered', 'complained'],
  },
  unsubscribed: {
    RESEND: ['email.sent', 'email.delivered'],
    POSTMARK: ['Delivery', 'SubscriptionChange'],
    SENDGRID: ['processed', 'delivered', 'unsubscribe'],
    MAILGUN: ['accepted', 'delivered', 'unsubscribed'],
  },
  suppressed: { RESEND: ['email.suppressed'], POSTMARK: [], SENDGRID: ['dropped'], MAILGUN: ['failed'] },
};

describe.each(formats)('an endpoint in the format %s', (format) => {
  it('is told of everything under the ids that its client was answered, signed as the service signs', async () => {
    const names = Object.keys(expected).filter((name) => format !== 'POSTMARK' || name !== 'suppressed');
    const ids = new Map<string, string>();
    for (const name of names) {
      const address = to(`${name}+${format.toLowerCase()}`);
      if (name === 'unsubscribed')
        await stack.test.withKey(stack.project.secretKey)('POST', '/contacts', {
          email: address,
          subscribed: true,
        });
      ids.set(address, await senders[format](address));
    }
    for (const name of names) {
      const address = to(`${name}+${format.toLowerCase()}`);
      const kinds = expected[name]?.[format] ?? [];
      const events = await told(format, address, kinds.length);
      expect([name, namesOf(format, events)]).toEqual([name, kinds.toSorted()]);
      expect([...new Set(events.map(idIn[format]))]).toEqual([ids.get(address)]);
    }
  });

  it('is told of all recipients of a message under the id of the first', async () => {
    const copy = to(`delivered+copy-${format.toLowerCase()}`);
    const id = await senders[format](to(`delivered+first-${format.toLowerCase()}`), copy);
    const events = await told(format, copy, 1);
    expect(events.map(idIn[format])).toEqual(events.map(() => id));
  });

  it('is told the same at each attempt and replay, signed anew', async () => {
    const endpoint = await createEndpoint.run(stack.project.ctx, {
      url: `${base}/fails/${format}`,
      format,
      types: ['email.complaint'],
    });
    const { deliveryId } = await testEndpoint.run(stack.project.ctx, { id: endpoint.id });
    const requests = () => received.filter(({ path }) => path === `/fails/${format}`);
    // Recorded, so that a replay is not the attempt that runs.
    const attempted = (times: number) =>
      vi.waitFor(
        async () => {
          const { attempts } = await getWebhookDelivery.run(stack.project.ctx, {
            id: endpoint.id,
            deliveryId,
          });
          expect(attempts).toHaveLength(times);
        },
        { timeout: 60_000 },
      );
    await attempted(1);
    await replayWebhookDelivery.run(stack.project.ctx, { id: endpoint.id, deliveryId });
    await attempted(2);
    const [first, second] = requests().map((request) => eventOf(format, request, endpoint));
    expect(second).toEqual(first);
    const rotated = await rotateEndpointSecret.run(stack.project.ctx, { id: endpoint.id });
    expect(rotated.publicKey === null).toBe(format !== 'SENDGRID');
    if (format === 'SENDGRID') expect(rotated.publicKey).not.toBe(endpoint.publicKey);
    await replayWebhookDelivery.run(stack.project.ctx, { id: endpoint.id, deliveryId });
    await attempted(3);
    const [, , third] = requests();
    if (!third) throw new Error('nothing arrived');
    expect(eventOf(format, third, rotated)).toEqual(first);
  });

  it('is told of nothing that the service does not have, whatever happens', async () => {
    const { id } = endpointOf(format);
    const send = stack.test.withKey(stack.project.secretKey);
    const { body } = await send('POST', '/contacts', { email: `nobody-${format}@people.test` });
    await send('PATCH', `/contacts/${body.id}`, { subscribed: false });
    await send('POST', '/contacts', { email: 'x@people.test', data: { a: 1 } });
    const { data } = await listWebhookDeliveries.run(stack.project.ctx, { id, limit: 100 });
    // Those who opted out in an email.
    const others = data.filter(({ type }) => !type.startsWith('email.'));
    expect([...new Set(others.map(({ type }) => type))]).toEqual(
      format === 'RESEND' ? [] : ['contact.unsubscribed'],
    );
    expect(JSON.stringify(others)).not.toContain('nobody-');
  });
});

describe('the bodies', () => {
  it('have what is known, by the names of each service, and nothing that is not', async () => {
    const [bounced] = (await told('RESEND', to('bounced+resend'), 2)).filter(
      ({ type }) => type === 'email.bounced',
    );
    expect(bounced).toEqual({
      type: 'email.bounced',
      created_at: expect.stringMatching(/Z$/),
      data: {
        created_at: expect.stringMatching(/^\d{4}-.*(Z|\+00:00)$/),
        email_id: expect.any(String),
        message_id: expect.stringMatching(/^<.+@shop\.test>$/),
        from: `Shop <${from}>`,
        to: [to('bounced+resend')],
        subject: 'Hello',
        tags: { order: '1001' },
        bounce: {
          type: 'Permanent',
          subType: expect.any(String),
          message: expect.any(String),
          diagnosticCode: [expect.any(String)],
        },
      },
    });
    const [hard] = await told('POSTMARK', to('rejected+postmark'), 1);
    expect(hard).toMatchObject({
      RecordType: 'Bounce',
      Type: 'HardBounce',
      TypeCode: 1,
      ID: expect.any(Number),
      Tag: 'receipt',
      Metadata: { order: '1001' },
      Email: to('rejected+postmark'),
      From: from,
      Subject: 'Hello',
      Inactive: true,
      CanActivate: true,
      Details: expect.stringContaining('550'),
      MessageStream: 'outbound',
    });
    expect(hard).not.toHaveProperty('ServerID');
    const [blocked] = await told('POSTMARK', to('blocked+postmark'), 1);
    expect(blocked).toMatchObject({ Type: 'Blocked', TypeCode: 100_006, Inactive: false });
    const [soft] = await told('POSTMARK', to('softbounced+postmark'), 1);
    expect(soft).toMatchObject({ Inactive: false });
    const changed = (await told('POSTMARK', to('unsubscribed+postmark'), 2)).find(
      ({ RecordType }) => RecordType === 'SubscriptionChange',
    );
    expect(changed).toEqual({
      RecordType: 'SubscriptionChange',
      MessageID: expect.any(String),
      Tag: 'receipt',
      Metadata: { order: '1001' },
      MessageStream: 'outbound',
      Recipient: to('unsubscribed+postmark'),
      ChangedAt: expect.any(String),
      Origin: 'Recipient',
      SuppressSending: true,
      SuppressionReason: 'ManualSuppression',
    });
    const clicked = (await told('SENDGRID', to('clicked+sendgrid'), 4)).find(
      ({ event }) => event === 'click',
    );
    expect(clicked).toEqual({
      order: '1001',
      event: 'click',
      email: to('clicked+sendgrid'),
      timestamp: expect.any(Number),
      sg_event_id: expect.any(String),
      sg_message_id: expect.any(String),
      'smtp-id': expect.stringMatching(/^<.+@shop\.test>$/),
      category: ['receipt'],
      url: 'https://shop.example/one',
    });
    const failed = (await told('MAILGUN', to('bounced+mailgun'), 2)).find(({ event }) => event === 'failed');
    expect(failed).toEqual({
      id: expect.any(String),
      timestamp: expect.any(Number),
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      'log-level': 'error',
      'delivery-status': expect.objectContaining({ message: expect.any(String) }),
      recipient: to('bounced+mailgun'),
      'recipient-domain': 'postrider.test',
      domain: { name: domain },
      envelope: { sender: from, targets: to('bounced+mailgun') },
      message: {
        headers: {
          'message-id': expect.any(String),
          from,
          to: to('bounced+mailgun'),
          subject: 'Hello',
        },
      },
      flags: { 'is-test-mode': false },
      tags: ['receipt'],
      'user-variables': { order: '1001' },
    });
  });
});

describe('an endpoint', () => {
  const url = 'https://hooks.example.com/';

  it('gets its format at creation, at every door, and has it for good', async () => {
    const key = stack.test.withKey(stack.project.secretKey);
    const other = await stack.other();
    const send = stack.test.withKey(other.secretKey);
    const rest = await send('POST', '/webhook-endpoints', {
      url,
      format: 'SENDGRID',
      types: ['email.bounce'],
    });
    expect([rest.status, rest.body.format, rest.body.publicKey]).toEqual([
      201,
      'SENDGRID',
      expect.stringMatching(/^MFkw/),
    ]);
    const graphql = await send('POST', '/graphql', {
      query: `mutation { createWebhookEndpoint(input: {url: "${url}", format: MAILGUN}) { format publicKey secret types } }`,
    });
    expect(graphql.body.data.createWebhookEndpoint).toMatchObject({
      format: 'MAILGUN',
      publicKey: null,
      types: ['*'],
    });
    const session = await stack.test.withSession('OWNER');
    const trpc = await session('POST', '/trpc/webhooks.create', { url, format: 'POSTMARK' });
    expect(trpc.body.result.data).toMatchObject({ format: 'POSTMARK' });
    await key('DELETE', `/webhook-endpoints/${trpc.body.result.data.id}`);
    const plain = await send('POST', '/webhook-endpoints', { url });
    expect(plain.body).toMatchObject({ format: 'POSTRIDER', publicKey: null });
    const path = `/webhook-endpoints/${plain.body.id}`;
    expect((await send('PATCH', path, { format: 'RESEND' })).body.format).toBe('POSTRIDER');
  });

  it.each([
    ['RESEND', ['*', 'contact.unsubscribed'], 'types.1'],
    ['POSTMARK', ['email.sent'], 'types.0'],
    ['POSTMARK', ['email.bounce', 'email.skipped'], 'types.1'],
    ['SENDGRID', ['event.signed_up'], 'types.0'],
    ['MAILGUN', ['segment.vip.entry'], 'types.0'],
    ['MAILGUN', ['email.uncertain'], 'types.0'],
  ] as const)('in the format %s with the types %j is refused at %s', async (format, types, field) => {
    const refused = { code: 'VALIDATION_ERROR', errors: [{ field, code: 'invalid_enum_value' }] };
    await expect(
      createEndpoint.run(stack.project.ctx, { url, format, types: [...types] }),
    ).rejects.toMatchObject(refused);
    const send = stack.test.withKey(stack.project.secretKey);
    const answer = await send('PATCH', `/webhook-endpoints/${endpointOf(format).id}`, { types });
    expect(answer.status).toBe(422);
  });

  it('that is private is refused in every format', async () => {
    for (const format of formats)
      for (const address of ['http://169.254.169.254/', 'http://[::ffff:10.0.0.1]/', 'http://localhost:1/'])
        await expect(createEndpoint.run(stack.project.ctx, { url: address, format })).rejects.toMatchObject({
          errors: [{ field: 'url' }],
        });
  });
});

describe('what a sender names itself', () => {
  it('never replaces what a service states, and is the same whatever its keys are', async () => {
    const address = to('delivered+hostile');
    const answer = await stack.test.withKey(stack.project.secretKey)('POST', '/v1/send', {
      to: address,
      from,
      subject: '"</script>{{x}}\u2028',
      body: '<p>x</p>',
      metadata: { event: 'bounce', email: 'victim@people.test', sg_message_id: 'x', constructor: 'y' },
      tags: ['a', 'b'],
    });
    expect(answer.status).toBe(200);
    const [sent] = (await told('SENDGRID', address, 2)).filter(({ event }) => event === 'processed');
    expect(sent).toMatchObject({
      email: address,
      event: 'processed',
      constructor: 'y',
      category: ['a', 'b'],
    });
    expect(sent?.['sg_message_id']).not.toBe('x');
  });
});
