import { addSuppressions } from '@postrider/core/audience/contacts';
import { createTemplate } from '@postrider/core/content/templates';
import { Errors, type Message, Models, ServerClient } from 'postmark';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressesIn, type CompatStack, from, startCompat } from './compat-kit.ts';

/** The official client of Postmark, unchanged. */
let stack: CompatStack;
let client: ServerClient;
beforeAll(async () => {
  stack = await startCompat();
  client = clientOf(stack.project.secretKey);
  await createTemplate.run(stack.project.ctx, {
    name: 'Receipt',
    alias: 'receipt',
    type: 'TRANSACTIONAL',
    subject: 'Receipt {{data.number}}',
    body: '<p>{{data.number}} {{data.customer}}</p>',
    from,
  });
  await addSuppressions.run(stack.project.ctx, { emails: ['gone@people.test', 'lost@people.test'] });
});
afterAll(() => stack.close());

const clientOf = (key: string): ServerClient =>
  new ServerClient(key, {
    requestHost: `${stack.url.replace('http://', '')}/compat/postmark`,
    useHttps: false,
  });
const mail = { From: from, Subject: 'Hello', HtmlBody: '<p>Hello</p>' };
const errorOf = (sent: Promise<unknown>): Promise<Errors.HttpError> =>
  sent.then(
    (value) => Promise.reject(new Error(`accepted: ${JSON.stringify(value)}`)),
    (error: Errors.HttpError) => error,
  );

describe('messages', () => {
  it('sends every field, and the message has it', async () => {
    const file = Buffer.from([0, 1, 2, 250, 251]);
    const reply = await client.sendEmail({
      ...mail,
      From: `"Shop, Ltd" <${from}>`,
      To: '"Doe, Jane" <jane@people.test>, joe@people.test',
      Cc: 'cc@people.test',
      Bcc: 'bcc@people.test',
      ReplyTo: 'help@shop.test',
      TextBody: 'Hello as text',
      Tag: 'receipt',
      Metadata: { order: '1001' },
      Headers: [{ Name: 'X-Order', Value: '1001' }],
      TrackOpens: false,
      TrackLinks: Models.LinkTrackingOptions.None,
      MessageStream: 'outbound',
      Attachments: [
        {
          Name: 'a.bin',
          Content: file.toString('base64'),
          ContentType: 'application/octet-stream',
          ContentID: null,
        },
        {
          Name: 'logo.png',
          Content: file.toString('base64'),
          ContentType: 'image/png',
          ContentID: 'cid:logo',
        },
      ],
    });
    expect(reply).toEqual({
      To: '"Doe, Jane" <jane@people.test>, joe@people.test',
      Cc: 'cc@people.test',
      Bcc: 'bcc@people.test',
      SubmittedAt: expect.any(String),
      MessageID: expect.any(String),
      ErrorCode: 0,
      Message: 'OK',
    });
    for (const name of ['jane', 'joe', 'cc', 'bcc']) {
      const message = await stack.arrived(`${name}@people.test`);
      expect(message.raw).not.toContain('bcc@people.test');
      expect(addressesIn(message.to)).toEqual(['jane@people.test', 'joe@people.test']);
      expect(addressesIn(message.cc)).toEqual(['cc@people.test']);
      expect(message).toMatchObject({ subject: 'Hello', from: { name: 'Shop, Ltd', address: from } });
      expect(addressesIn(message.replyTo)).toEqual(['help@shop.test']);
      expect([message.text?.trim(), message.html]).toEqual([
        'Hello as text',
        expect.stringContaining('<p>Hello</p>'),
      ]);
      for (const { content } of message.attachments)
        expect(Buffer.from(content as ArrayBuffer)).toEqual(file);
      expect(message.attachments.find(({ filename }) => filename === 'logo.png')?.contentId).toBe('<logo>');
    }
    const details = await client.getOutboundMessageDetails(reply.MessageID);
    expect(details).toMatchObject({
      MessageID: reply.MessageID,
      Tag: 'receipt',
      Metadata: { order: '1001' },
      To: [{ Email: 'jane@people.test', Name: 'Doe, Jane' }],
      Recipients: ['jane@people.test'],
      Subject: 'Hello',
      MessageEvents: expect.any(Array),
    });
  });

  it('sends braces as they are, and refuses marks that nothing would replace', async () => {
    const text = '{{name}} {% if x %} {{{ y }}} {{#each items}} {{ unclosed';
    await client.sendEmail({
      ...mail,
      To: 'braces@people.test',
      Subject: text,
      HtmlBody: text,
      TextBody: text,
    });
    const message = await stack.arrived('braces@people.test');
    expect([message.subject, message.text?.trim()]).toEqual([text, text]);
    expect(message.html).toContain(text);
    const error = await errorOf(
      client.sendEmail({
        ...mail,
        To: 'a@people.test',
        HtmlBody: '<a href="{{{ pm:unsubscribe }}}">Stop</a>',
      }),
    );
    expect(error).toMatchObject({
      statusCode: 422,
      code: 300,
      message: expect.stringMatching(/^HtmlBody: Nothing replaces/),
    });
  });

  it('fills in a template by its alias', async () => {
    const reply = await client.sendEmailWithTemplate({
      From: from,
      To: 'template@people.test',
      TemplateAlias: 'receipt',
      TemplateModel: { number: 7, customer: '<Ann>' },
    } as never);
    expect(reply.ErrorCode).toBe(0);
    const message = await stack.arrived('template@people.test');
    expect([message.subject, message.html]).toEqual(['Receipt 7', expect.stringContaining('7 &lt;Ann&gt;')]);
  });

  it('names suppressed recipients: all of them as an error, some of them in the message', async () => {
    const all = await errorOf(client.sendEmail({ ...mail, To: 'gone@people.test', Bcc: 'lost@people.test' }));
    expect(all).toBeInstanceOf(Errors.InactiveRecipientsError);
    expect((all as Errors.InactiveRecipientsError).recipients).toEqual([
      'gone@people.test',
      'lost@people.test',
    ]);
    expect(all).toMatchObject({ statusCode: 422, code: 406 });
    const some = await client.sendEmail({ ...mail, To: 'here@people.test, gone@people.test' });
    expect(some).toMatchObject({
      ErrorCode: 0,
      Message: 'Message OK, but will not deliver to these inactive addresses: gone@people.test',
    });
  });

  it('answers a batch with one object for each message', async () => {
    const replies = await client.sendEmailBatch([
      { ...mail, To: 'batch1@people.test' },
      { ...mail, To: 'nobody' },
      { ...mail, To: 'gone@people.test' },
      { ...mail, To: 'a@people.test', TemplateId: 5 } as Message,
      { ...mail, From: 'a@other.test', To: 'a@people.test' },
      { ...mail, To: 'batch2@people.test' },
    ]);
    expect(replies.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 300, 406, 300, 400, 0]);
    expect(replies[1]?.Message).toMatch(/^To(\.0)?: /);
    await Promise.all([stack.arrived('batch1@people.test'), stack.arrived('batch2@people.test')]);
    const templated = await client.sendEmailBatchWithTemplates([
      { From: from, To: 'batch3@people.test', TemplateAlias: 'receipt', TemplateModel: { number: 1 } },
      { From: from, To: 'a@people.test', TemplateAlias: 'none', TemplateModel: {} },
    ] as never);
    expect(templated.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 1101]);
    expect((await stack.arrived('batch3@people.test')).subject).toBe('Receipt 1');
  });

  it('replays a used key, for a single message and a batch', async () => {
    const post = (path: string, body: object, key: string) =>
      stack.test.anyone('POST', `/compat/postmark${path}`, body, {
        'x-postmark-server-token': stack.project.secretKey,
        'idempotency-key': key,
      });
    const one = { ...mail, To: 'replayed@people.test', Cc: 'gone@people.test' };
    const list = [
      { ...mail, To: 'replayed2@people.test' },
      { ...mail, To: 'nobody' },
    ];
    for (const [path, body] of [
      ['/email', one],
      ['/email/batch', list],
    ] as const) {
      const [first, again] = [await post(path, body, path), await post(path, body, path)];
      expect([first.status, first.headers['idempotency-replayed']]).toEqual([200, undefined]);
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
      if (path === '/email')
        expect(again.body).toMatchObject({ MessageID: first.body.MessageID, Message: first.body.Message });
      else expect(again.body[0].MessageID).toBe(first.body[0].MessageID);
      expect(
        (await post(path, path === '/email' ? { ...one, Tag: 'x' } : [...list, list[0]], path)).status,
      ).toBe(409);
    }
  });

  it('tries with the token of the service beside a key, and stores nothing', async () => {
    const before = await stack.stored();
    const post = (headers: Record<string, string>) =>
      stack.test.anyone(
        'POST',
        '/compat/postmark/email',
        { ...mail, To: 'tried@people.test' },
        { 'x-postmark-server-token': 'POSTMARK_API_TEST', ...headers },
      );
    const tried = await post({ authorization: `Bearer ${stack.project.secretKey}` });
    expect([tried.status, tried.body.ErrorCode, tried.body.Message]).toEqual([200, 0, 'Test job accepted']);
    expect(await stack.stored()).toBe(before);
    expect((await post({})).status).toBe(401);
  });
});

describe('refusals', () => {
  const base = { ...mail, To: 'refused@people.test' };
  it.each<[string, object, number, number, RegExp]>([
    ['no recipient', { To: undefined }, 422, 300, /^To: /],
    ['no sender', { From: undefined }, 422, 300, /^From: /],
    ['no content', { HtmlBody: undefined }, 422, 300, /^HtmlBody: /],
    ['an address that is none', { To: 'a@people.test, nobody' }, 422, 300, /^To\.1: /],
    ['a sender of another domain', { From: 'a@other.test' }, 422, 400, /not verified/],
    ['another stream', { MessageStream: 'broadcast' }, 422, 1235, /^MessageStream: /],
    ['a template at the wrong path', { TemplateAlias: 'receipt' }, 422, 300, /withTemplate/],
    [
      'no base64',
      { Attachments: [{ Name: 'a', Content: '%%%', ContentType: 'a/b' }] },
      422,
      300,
      /^Attachments\.0\.Content: /,
    ],
    ['a header of ours', { Headers: [{ Name: 'Message-ID', Value: 'x' }] }, 422, 300, /^Headers\.Message-ID/],
    ['a wrong mode', { TrackLinks: 'Yes' }, 422, 300, /^TrackLinks: /],
    ['metadata that is too long', { Metadata: { a: 'x'.repeat(501) } }, 422, 300, /^Metadata\.a: /],
    ['an unknown field', { Subjekt: 'x' }, 422, 300, /^Subjekt: Unknown field; did you mean "Subject"/],
  ])('%s', async (_what, change, statusCode, code, message) => {
    const before = await stack.stored();
    const error = await errorOf(client.sendEmail({ ...base, ...change } as never));
    expect(error).toMatchObject({ statusCode, code, message: expect.stringMatching(message) });
    if (code === 300) expect(error).toBeInstanceOf(Errors.InvalidEmailRequestError);
    expect(await stack.stored()).toBe(before);
  });

  it('has the classes of the client for keys, paths and what belongs to others', async () => {
    for (const key of [`sk_${'0'.repeat(64)}`, stack.project.publicKey, 'x'])
      expect(await errorOf(clientOf(key).sendEmail(base))).toBeInstanceOf(Errors.InvalidAPIKeyError);
    const missing = await errorOf(client.getServer());
    expect(missing).toMatchObject({ statusCode: 404, message: expect.stringMatching(/not offered/) });
    const { MessageID } = await client.sendEmail(base);
    const stranger = clientOf((await stack.other()).secretKey);
    expect(await errorOf(stranger.getOutboundMessageDetails(MessageID))).toMatchObject({
      statusCode: 404,
      code: 0,
    });
  });
});
