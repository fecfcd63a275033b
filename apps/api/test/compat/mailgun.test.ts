import { createSegment } from '@postrider/core/audience/segments';
import { createTemplate } from '@postrider/core/content/templates';
import { verifiedDomain } from '@postrider/core/testing';
import Mailgun from 'mailgun.js';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressesIn, type CompatStack, domain, from, startCompat } from './compat-kit.ts';

/** The official client of Mailgun, unchanged. */
let stack: CompatStack;
let client: ReturnType<InstanceType<typeof Mailgun>['client']>;
beforeAll(async () => {
  stack = await startCompat();
  client = clientOf(stack.project.secretKey);
});
afterAll(() => stack.close());

const clientOf = (key: string) =>
  new Mailgun(FormData).client({ username: 'api', key, url: `${stack.url}/compat/mailgun` });
const mail = { from, subject: 'Hello', html: '<p>Hello</p>' };
const send = (data: object, at = domain) => client.messages.create(at, { ...mail, ...data } as never);
interface Refused {
  status: number;
  details: string;
}
const errorOf = (sent: Promise<unknown>): Promise<Refused> =>
  sent.then(
    () => Promise.reject(new Error('accepted')),
    (error: Refused) => error,
  );

describe('messages', () => {
  it('sends every field, and the message has it', async () => {
    const file = Buffer.from([0, 1, 2, 250, 251]);
    const reply = await send({
      from: `Shop <${from}>`,
      to: ['Ann <ann@people.test>', 'bob@people.test'],
      cc: 'cc@people.test',
      bcc: 'bcc@people.test',
      text: 'Hello as text',
      'h:Reply-To': 'help@shop.test',
      'h:X-Order': '1001',
      'v:order': '1001',
      'o:tag': ['receipt', 'shop'],
      'o:tracking': false,
      'o:dkim': 'yes',
      'o:skip-verification': 'yes',
      attachment: { data: file, filename: 'a.bin' },
      inline: { data: file, filename: 'logo.png', contentType: 'image/png' },
    });
    const [, id] = /^<(.+)@shop\.test>$/.exec(reply.id ?? '') ?? [];
    expect(reply.message).toBe('Queued. Thank you.');
    for (const name of ['ann', 'bob', 'cc', 'bcc']) {
      const message = await stack.arrived(`${name}@people.test`);
      expect(message.raw).not.toContain('bcc@people.test');
      expect(message.messageId).toBe(reply.id);
      expect(addressesIn(message.to)).toEqual(['ann@people.test', 'bob@people.test']);
      expect(addressesIn(message.cc)).toEqual(['cc@people.test']);
      expect(addressesIn(message.replyTo)).toEqual(['help@shop.test']);
      expect([message.subject, message.text?.trim(), message.from?.name]).toEqual([
        'Hello',
        'Hello as text',
        'Shop',
      ]);
      expect(message.headers).toContainEqual(expect.objectContaining({ key: 'x-order', value: '1001' }));
      expect(message.attachments).toHaveLength(2);
      for (const { content } of message.attachments)
        expect(Buffer.from(content as ArrayBuffer)).toEqual(file);
      expect(message.attachments.find(({ filename }) => filename === 'logo.png')?.contentId).toBe(
        '<logo.png>',
      );
    }
    const { body } = await stack.test.withKey(stack.project.secretKey)('GET', `/emails/${id}`);
    expect(body).toMatchObject({ tags: ['receipt', 'shop'], metadata: { order: '1001' } });
  });

  it('sends braces as they are', async () => {
    const text = '{{name}} {% if x %} {{{ y }}} %recipient.name% {{ unclosed';
    await send({ to: 'braces@people.test', subject: text, html: text, text });
    const message = await stack.arrived('braces@people.test');
    expect([message.subject, message.text?.trim()]).toEqual([text, text]);
    expect(message.html).toContain(text);
  });

  it('sends each recipient a message of its own with recipient-variables', async () => {
    await send({
      to: ['Ann <own1@people.test>', 'own2@people.test'],
      subject: 'For %recipient.name%',
      html: '<p>%recipient.name% %recipient_email% %recipient_name% %recipient.missing% {{x}}</p>',
      'recipient-variables': JSON.stringify({
        'own1@people.test': { name: '%recipient_email%' },
        'own2@people.test': { name: 'Bob', missing: 2 },
      }),
    });
    const [one, two] = [await stack.arrived('own1@people.test'), await stack.arrived('own2@people.test')];
    expect(addressesIn(one.to)).toEqual(['own1@people.test']);
    expect(one.subject).toBe('For %recipient_email%');
    expect(one.html).toContain('<p>%recipient_email% own1@people.test Ann %recipient.missing% {{x}}</p>');
    expect(two.html).toContain('<p>Bob own2@people.test  2 {{x}}</p>');
  });

  it('fills in a template, and schedules by a date of mail', async () => {
    await createTemplate.run(stack.project.ctx, {
      name: 'Receipt',
      alias: 'receipt',
      type: 'TRANSACTIONAL',
      subject: 'Receipt {{data.number}}',
      body: '<p>{{data.number}}</p>',
      from,
    });
    await client.messages.create(domain, {
      from,
      to: 'template@people.test',
      template: 'receipt',
      't:variables': JSON.stringify({ number: 7 }),
    } as never);
    expect((await stack.arrived('template@people.test')).subject).toBe('Receipt 7');
    const at = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 7_200_000);
    const { id } = await send({ to: 'later@people.test', 'o:deliverytime': at.toUTCString() });
    const { body } = await stack.test.withKey(stack.project.secretKey)(
      'GET',
      `/emails/${id?.slice(1).split('@')[0]}`,
    );
    expect([body.status, body.scheduledAt]).toEqual(['SCHEDULED', at.toISOString()]);
  });

  it('tries with o:testmode and stores nothing', async () => {
    const before = await stack.stored();
    expect((await send({ to: 'tried@people.test', 'o:testmode': true })).message).toBe('Queued. Thank you.');
    expect(await stack.stored()).toBe(before);
  });

  it('sends a message that a program wrote as it is', async () => {
    const raw = await new MailComposer({
      from,
      to: 'mime@people.test',
      subject: 'Own message',
      text: 'Own {{text}}',
      newline: '\n',
    })
      .compile()
      .build();
    const { id } = await client.messages.create(domain, { to: 'mime@people.test', message: raw } as never);
    expect(id).toMatch(/^<[0-9a-f-]{36}@shop\.test>$/);
    const message = await stack.arrived('mime@people.test');
    expect([message.subject, message.text?.trim()]).toEqual(['Own message', 'Own {{text}}']);
  });

  it('takes the domain of the sender or another verified one', async () => {
    await verifiedDomain(stack.test.services, stack.project.id, 'second.test');
    await send({ to: 'second@people.test' }, 'second.test');
    await stack.arrived('second@people.test');
    expect(await errorOf(send({ to: 'a@people.test' }, 'other.test'))).toMatchObject({ status: 404 });
  });

  it('replays a used key although each attempt has another boundary, and refuses another form', async () => {
    const post = async (subject: string) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...mail, subject, to: 'once@people.test' }))
        form.append(name, value);
      form.append('attachment', new Blob(['bytes']), 'a.txt');
      const answer = await fetch(`${stack.url}/compat/mailgun/v3/${domain}/messages`, {
        method: 'POST',
        body: form,
        headers: {
          authorization: `Basic ${Buffer.from(`api:${stack.project.secretKey}`).toString('base64')}`,
          'idempotency-key': 'form',
        },
      });
      return {
        status: answer.status,
        headers: answer.headers,
        body: (await answer.json()) as { id: string },
      };
    };
    const [first, again] = [await post('x'), await post('x')];
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await post('y')).status).toBe(409);
  });

  it('takes urlencoded forms', async () => {
    const answer = await stack.test.anyone(
      'POST',
      `/compat/mailgun/v3/${domain}/messages`,
      new URLSearchParams([
        ...Object.entries(mail),
        ['to', 'u1@people.test, u2@people.test'],
        ['to', 'u3@people.test'],
      ]).toString(),
      {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`x:${stack.project.secretKey}`).toString('base64')}`,
      },
    );
    expect(answer.status).toBe(200);
    expect(addressesIn((await stack.arrived('u3@people.test')).to)).toHaveLength(3);
  });
});

describe('refusals', () => {
  it.each<[string, object, number, RegExp]>([
    ['no recipient', { to: '' }, 400, /^to/],
    ['no content', { html: '' }, 400, /^html: /],
    ['an address that is none', { to: 'a@people.test, nobody' }, 400, /^to\.1: /],
    ['a sender of another domain', { from: 'a@other.test' }, 403, /not verified/],
    ['AMP', { 'amp-html': '<html>' }, 400, /^amp-html: /],
    ['no signature', { 'o:dkim': 'no' }, 400, /^o:dkim: /],
    ['required TLS', { 'o:require-tls': 'yes' }, 400, /^o:require-tls: /],
    ['the best time', { 'o:deliverytime-optimize-period': '24h' }, 400, /^o:deliverytime-optimize-period: /],
    ['local times', { 'o:time-zone-localize': '09:00' }, 400, /^o:time-zone-localize: /],
    ['a version', { template: 'receipt', html: '', 't:version': 'v2' }, 400, /^t:version: /],
    ['variables without a template', { 't:variables': '{}' }, 400, /^t:variables: /],
    ['a date that is none', { 'o:deliverytime': '2099-01-01' }, 400, /^o:deliverytime: /],
    ['a mark', { html: '%unsubscribe_url%' }, 400, /^html: Nothing replaces/],
    [
      'cc beside variables',
      { cc: 'c@people.test', 'recipient-variables': '{"a@people.test":{}}' },
      400,
      /^cc: /,
    ],
    ['broken variables', { 'recipient-variables': '{' }, 400, /^recipient-variables: /],
    ['an unknown field', { subjekt: 'x' }, 400, /^subjekt: Unknown field/],
    ['a header of ours', { 'h:Message-ID': 'x' }, 400, /^h:\.Message-ID/],
  ])('%s', async (_what, change, status, message) => {
    const before = await stack.stored();
    const error = await errorOf(send({ to: 'a@people.test', ...change }));
    expect([error.status, error.details]).toEqual([status, expect.stringMatching(message)]);
    expect(await stack.stored()).toBe(before);
  });

  it('has statuses for keys, paths and other bodies', async () => {
    for (const key of [`sk_${'0'.repeat(64)}`, stack.project.publicKey])
      expect(
        (await errorOf(clientOf(key).messages.create(domain, { ...mail, to: 'a@people.test' } as never)))
          .status,
      ).toBe(401);
    expect(await errorOf(client.domains.list())).toMatchObject({ status: 404 });
    const json = await stack.test.anyone(
      'POST',
      `/compat/mailgun/v3/${domain}/messages`,
      { ...mail, to: 'a@people.test' },
      { authorization: `Basic ${Buffer.from(`api:${stack.project.secretKey}`).toString('base64')}` },
    );
    expect([json.status, json.body.message]).toEqual([400, expect.stringMatching(/form/)]);
  });
});

describe('lists', () => {
  it('adds members to the static segment that is named like the list, and never subscribes again', async () => {
    const list = 'news@shop.test';
    await createSegment.run(stack.project.ctx, { name: list, type: 'STATIC' });
    const member = {
      address: 'member@people.test',
      name: 'Ann',
      vars: '{"plan":"pro"}',
      subscribed: 'yes',
    } as const;
    expect(await client.lists.members.createMember(list, member)).toMatchObject({
      address: 'member@people.test',
      name: 'Ann',
      subscribed: true,
      vars: { plan: 'pro' },
    });
    expect((await errorOf(client.lists.members.createMember(list, member))).status).toBe(400);
    const out = { ...member, subscribed: 'no', upsert: 'yes' } as const;
    expect((await client.lists.members.createMember(list, out)).subscribed).toBe(false);
    const again = { ...member, upsert: 'yes' } as const;
    expect((await client.lists.members.createMember(list, again)).subscribed).toBe(false);
    expect((await errorOf(client.lists.members.createMember('none@shop.test', member))).status).toBe(404);
  });
});
