import { addSuppressions } from '@postrider/core/audience/contacts';
import { setSourceRef } from '@postrider/core/content/source-refs';
import { createTemplate } from '@postrider/core/content/templates';
import { Models, ServerClient } from 'postmark';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Call, makeCalls, ok, refused, text } from './calls-kit.ts';
import { type CompatStack, from, startCompat } from './compat-kit.ts';

/** A hundred calls of the official client of Postmark. */
let stack: CompatStack;
let client: ServerClient;
let messageId = '';
beforeAll(async () => {
  stack = await startCompat();
  client = clientOf(stack.project.secretKey);
  const { ctx } = stack.project;
  const { id } = await createTemplate.run(ctx, {
    name: 'Receipt',
    alias: 'receipt',
    type: 'TRANSACTIONAL',
    subject: 'Receipt {{data.number}}',
    body: '<p>x</p>',
    from,
  });
  await setSourceRef.run(ctx, { source: 'postmark', kind: 'TEMPLATE', sourceId: '1234', id });
  await addSuppressions.run(ctx, { emails: ['gone@people.test', 'lost@people.test'] });
});
afterAll(() => stack.close());

const clientOf = (key: string): ServerClient =>
  new ServerClient(key, {
    requestHost: `${stack.url.replace('http://', '')}/compat/postmark`,
    useHttps: false,
  });
let sent = 0;
const to = (): string => `p${++sent}@people.test`;
const mail = () => ({ From: from, To: to(), Subject: 'Hello', HtmlBody: '<p>Hello</p>' });
const send = (change: object) => client.sendEmail({ ...mail(), ...change } as never);
const read = async (change: object) => client.getOutboundMessageDetails((await send(change)).MessageID);
const templated = (change: object) =>
  client.sendEmailWithTemplate({
    From: from,
    To: to(),
    TemplateAlias: 'receipt',
    TemplateModel: { number: 1 },
    ...change,
  } as never);
const accepted = ok({ ErrorCode: 0, Message: 'OK', MessageID: expect.any(String), SubmittedAt: text(/Z$/) });
const invalid = (message: RegExp, code = 300) => refused({ statusCode: 422, code, message: text(message) });
const notOffered = (call: () => Promise<unknown>, instead: RegExp): [() => Promise<unknown>, object] => [
  call,
  refused({ statusCode: 404, message: text(new RegExp(`is not offered.*${instead.source}`)) }),
];
const attachment = (change: object) => ({
  Attachments: [
    {
      Name: 'a.txt',
      Content: Buffer.from('file').toString('base64'),
      ContentType: 'text/plain',
      ContentID: null,
      ...change,
    },
  ],
});

const calls: readonly Call[] = [
  ['a message', () => send({}), accepted],
  ['the recipients of the reply', () => send({ To: 'a@people.test' }), ok({ To: 'a@people.test' })],
  [
    'a name',
    () => read({ To: '"Doe, Jane" <jane@people.test>' }),
    ok({ To: [{ Email: 'jane@people.test', Name: 'Doe, Jane' }] }),
  ],
  ['several recipients', () => send({ To: 'a@people.test, b@people.test' }), accepted],
  ['50 recipients', () => send({ To: Array.from({ length: 50 }, to).join(',') }), accepted],
  ['51 recipients', () => send({ To: Array.from({ length: 51 }, to).join(',') }), invalid(/50/)],
  ['a copy', () => send({ Cc: 'c@people.test' }), ok({ Cc: 'c@people.test', ErrorCode: 0 })],
  ['copies', () => send({ Cc: 'c@people.test, d@people.test' }), accepted],
  ['a blind copy', () => send({ Bcc: 'b@people.test' }), ok({ Bcc: 'b@people.test' })],
  ['an empty Cc', () => send({ Cc: '' }), accepted],
  ['a reply-to', () => send({ ReplyTo: 'help@shop.test' }), accepted],
  ['several reply-to', () => send({ ReplyTo: 'help@shop.test, desk@shop.test' }), accepted],
  ['an empty reply-to', () => send({ ReplyTo: '' }), accepted],
  ['a sender with a name', () => read({ From: `Shop <${from}>` }), ok({ From: text(/Shop/) })],
  ['text alone', () => send({ HtmlBody: undefined, TextBody: 'Hello' }), accepted],
  ['HTML and text', () => send({ TextBody: 'Hello' }), accepted],
  ['a subject of many scripts', () => read({ Subject: 'Grüße 日本 🎉' }), ok({ Subject: 'Grüße 日本 🎉' })],
  ['a tag', () => read({ Tag: 'receipt' }), ok({ Tag: 'receipt' })],
  ['an empty tag', () => read({ Tag: '' }), ok({ Tag: '' })],
  [
    'metadata',
    () => read({ Metadata: { order: '1', shop: 'north' } }),
    ok({ Metadata: { order: '1', shop: 'north' } }),
  ],
  ['no metadata', () => read({ Metadata: {} }), ok({ Metadata: {} })],
  [
    'headers',
    () =>
      send({
        Headers: [
          { Name: 'X-A', Value: '1' },
          { Name: 'X-B', Value: '2' },
        ],
      }),
    accepted,
  ],
  ['no headers', () => send({ Headers: [] }), accepted],
  [
    'a header twice',
    () =>
      send({
        Headers: [
          { Name: 'X-A', Value: '1' },
          { Name: 'x-a', Value: '2' },
        ],
      }),
    invalid(/^Headers\.1\.Name/),
  ],
  [
    'a header with a line break',
    () => send({ Headers: [{ Name: 'X-A', Value: 'a\r\nBcc: x@y.test' }] }),
    invalid(/^Headers\.X-A/),
  ],
  ['a header without a name', () => send({ Headers: [{ Value: '1' }] }), invalid(/^Headers\.0\.Name/)],
  ['opens are tracked', () => send({ TrackOpens: true }), accepted],
  [
    'nothing is tracked',
    () => send({ TrackOpens: false, TrackLinks: Models.LinkTrackingOptions.None }),
    accepted,
  ],
  ['links of HTML are tracked', () => send({ TrackLinks: Models.LinkTrackingOptions.HtmlOnly }), accepted],
  ['links are tracked', () => send({ TrackLinks: Models.LinkTrackingOptions.HtmlAndText }), accepted],
  ['links of text are tracked', () => send({ TrackLinks: Models.LinkTrackingOptions.TextOnly }), accepted],
  ['another word for links', () => send({ TrackLinks: 'All' }), invalid(/^TrackLinks/)],
  ['the stream outbound', () => send({ MessageStream: 'outbound' }), accepted],
  ['another stream', () => send({ MessageStream: 'broadcast' }), invalid(/^MessageStream/, 1235)],
  ['inlined styles', () => send({ InlineCss: true }), accepted],
  ['an attachment', () => send(attachment({})), accepted],
  ['an inline attachment', () => send(attachment({ ContentID: 'cid:logo' })), accepted],
  ['an inline attachment without cid:', () => send(attachment({ ContentID: 'logo' })), accepted],
  [
    'two attachments',
    () =>
      send({ Attachments: [...attachment({}).Attachments, ...attachment({ Name: 'b.txt' }).Attachments] }),
    accepted,
  ],
  ['no attachments', () => send({ Attachments: [] }), accepted],
  [
    'an attachment that is no base64',
    () => send(attachment({ Content: '%%%' })),
    invalid(/^Attachments\.0\.Content/),
  ],
  [
    'an attachment without a name',
    () => send(attachment({ Name: undefined })),
    invalid(/^Attachments\.0\.Name/),
  ],
  [
    'an unknown field of an attachment',
    () => send(attachment({ Path: '/a' })),
    invalid(/^Attachments\.0\.Path/),
  ],
  ['no recipient', () => send({ To: undefined }), invalid(/^To/)],
  ['an empty To', () => send({ To: '' }), invalid(/^To/)],
  ['a recipient that is not an address', () => send({ To: 'nobody' }), invalid(/^To/)],
  ['no sender', () => send({ From: undefined }), invalid(/^From/)],
  ['an unverified sender', () => send({ From: 'a@other.test' }), invalid(/not verified/, 400)],
  ['no content', () => send({ HtmlBody: undefined }), invalid(/^HtmlBody/)],
  ['no subject', () => send({ Subject: undefined }), invalid(/^Subject/)],
  [
    'a link to opt out',
    () => send({ HtmlBody: '<a href="{{{ pm:unsubscribe }}}">x</a>' }),
    invalid(/^HtmlBody/),
  ],
  ['a link to opt out in text', () => send({ TextBody: '{{{pm:unsubscribe_url}}}' }), invalid(/^TextBody/)],
  ['an unknown field', () => send({ Sender: 'x' }), invalid(/^Sender/)],
  [
    'a value of metadata that is too long',
    () => send({ Metadata: { a: 'x'.repeat(501) } }),
    invalid(/^Metadata\.a/),
  ],
  [
    'a suppressed recipient',
    () => send({ To: 'gone@people.test' }),
    refused({ code: 406, statusCode: 422, recipients: ['gone@people.test'] }),
  ],
  [
    'two suppressed recipients',
    () => send({ To: 'gone@people.test, lost@people.test' }),
    refused({ code: 406, recipients: ['gone@people.test', 'lost@people.test'] }),
  ],
  [
    'one of two suppressed',
    () => send({ To: 'gone@people.test, a@people.test' }),
    ok({ ErrorCode: 0, Message: text(/gone@people\.test/) }),
  ],
  [
    'a name in the error class',
    () => send({ To: 'gone@people.test' }).catch((error: Error) => [error.constructor.name]),
    ok(['InactiveRecipientsError']),
  ],
  [
    'an unknown credential',
    () => clientOf(`sk_${'0'.repeat(64)}`).sendEmail(mail()),
    refused({ statusCode: 401, code: 10 }),
  ],
  [
    'a public credential',
    () => clientOf(stack.project.publicKey).sendEmail(mail()),
    refused({ statusCode: 401, code: 10 }),
  ],
  [
    'a credential of another kind',
    () => clientOf('x').getOutboundMessageDetails('x'),
    refused({ statusCode: 401, code: 10 }),
  ],
  ['a template', () => templated({}), accepted],
  ['a template by its number', () => templated({ TemplateAlias: undefined, TemplateId: 1234 }), accepted],
  [
    'a number that means nothing',
    () => templated({ TemplateAlias: undefined, TemplateId: 77 }),
    invalid(/emplate/, 1101),
  ],
  ['both names of a template', () => templated({ TemplateId: 1234 }), invalid(/^TemplateId/)],
  ['an unknown alias', () => templated({ TemplateAlias: 'none' }), invalid(/emplate/, 1101)],
  ['neither', () => templated({ TemplateAlias: undefined }), invalid(/^TemplateAlias/)],
  ['a model that is none', () => templated({ TemplateModel: 'x' }), invalid(/^TemplateModel/)],
  ['an empty model', () => templated({ TemplateModel: {} }), accepted],
  [
    'a nested model',
    () => templated({ TemplateModel: { number: 1, lines: [{ name: 'a' }], buyer: { name: 'b' } } }),
    accepted,
  ],
  ['HTML beside a template', () => templated({ HtmlBody: 'x' }), invalid(/^HtmlBody/)],
  ['a template with a tag and a copy', () => templated({ Tag: 'a', Cc: 'c@people.test' }), accepted],
  ['a template with an attachment', () => templated(attachment({})), accepted],
  ['a batch', () => client.sendEmailBatch([mail(), mail()]), ok([{ ErrorCode: 0 }, { ErrorCode: 0 }])],
  ['a batch of one', () => client.sendEmailBatch([mail()]), ok([{ MessageID: expect.any(String) }])],
  [
    'a batch with one that is wrong',
    () => client.sendEmailBatch([mail(), { ...mail(), To: 'nobody' }]),
    ok([{ ErrorCode: 0 }, { ErrorCode: 300, Message: text(/^To/) }]),
  ],
  [
    'a batch of wrong ones',
    () => client.sendEmailBatch([{ ...mail(), To: 'nobody' }]),
    ok([{ ErrorCode: 300 }]),
  ],
  [
    'a batch with an unverified sender',
    () => client.sendEmailBatch([{ ...mail(), From: 'a@other.test' }]),
    ok([{ ErrorCode: 400 }]),
  ],
  [
    'a batch with a suppressed recipient',
    () => client.sendEmailBatch([mail(), { ...mail(), To: 'gone@people.test' }]),
    ok([{ ErrorCode: 0 }, { ErrorCode: 406 }]),
  ],
  [
    'a batch with attachments',
    () => client.sendEmailBatch([{ ...mail(), ...attachment({}) }] as never),
    ok([{ ErrorCode: 0 }]),
  ],
  ['a batch of 501', () => client.sendEmailBatch(Array.from({ length: 501 }, mail)), invalid(/500/)],
  [
    'a batch of templates',
    () =>
      client.sendEmailBatchWithTemplates([
        { From: from, To: to(), TemplateAlias: 'receipt', TemplateModel: {} },
        { From: from, To: to(), TemplateId: 1234, TemplateModel: {} },
      ]),
    ok([{ ErrorCode: 0 }, { ErrorCode: 0 }]),
  ],
  [
    'a batch with an unknown template',
    () =>
      client.sendEmailBatchWithTemplates([
        { From: from, To: to(), TemplateAlias: 'none', TemplateModel: {} },
      ]),
    ok([{ ErrorCode: 1101 }]),
  ],
  [
    'details',
    async () => {
      messageId = (await send({ Tag: 'a', Metadata: { a: '1' } })).MessageID;
      return client.getOutboundMessageDetails(messageId);
    },
    ok({
      MessageID: expect.any(String),
      Tag: 'a',
      Metadata: { a: '1' },
      Status: text(/^(Queued|Sent)$/),
      MessageStream: 'outbound',
      Recipients: [text(/@people\.test$/)],
    }),
  ],
  [
    'details of an unknown message',
    () => client.getOutboundMessageDetails('00000000-0000-7000-8000-000000000000'),
    refused({ statusCode: 404 }),
  ],
  [
    'details of an id that is none',
    () => client.getOutboundMessageDetails('x'),
    refused({ statusCode: 422 }),
  ],
  [
    'details of a suppressed one',
    () => client.getOutboundMessageDetails(messageId),
    ok({ Subject: 'Hello' }),
  ],
  ['messages', ...notOffered(() => client.getOutboundMessages(), /emails/)],
  ['clicks', ...notOffered(() => client.getMessageClicks(), /emails/)],
  ['opens', ...notOffered(() => client.getMessageOpens(), /emails/)],
  ['bounces', ...notOffered(() => client.getBounces(), /emails/)],
  ['a bounce', ...notOffered(() => client.getBounce(1), /emails/)],
  ['the state of delivery', ...notOffered(() => client.getDeliveryStatistics(), /./)],
  ['templates', ...notOffered(() => client.getTemplates(), /templates/)],
  [
    'a new template',
    ...notOffered(() => client.createTemplate({ Name: 'x', Subject: 'x', HtmlBody: 'x' }), /templates/),
  ],
  ['the server', ...notOffered(() => client.getServer(), /dashboard/)],
  ['webhooks', ...notOffered(() => client.getWebhooks(), /webhook-endpoints/)],
  [
    'a new webhook',
    ...notOffered(
      () => client.createWebhook({ Url: 'https://x.test', MessageStream: 'outbound' }),
      /webhook-endpoints/,
    ),
  ],
  ['suppressions', ...notOffered(() => client.getSuppressions('outbound'), /suppressions/)],
  [
    'new suppressions',
    ...notOffered(
      () => client.createSuppressions('outbound', { Suppressions: [{ EmailAddress: 'a@people.test' }] }),
      /suppressions/,
    ),
  ],
  ['streams', ...notOffered(() => client.getMessageStreams(), /segments/)],
  ['figures', ...notOffered(() => client.getOutboundOverview(), /analytics/)],
  ['received messages', ...notOffered(() => client.getInboundMessages(), /./)],
];
makeCalls(calls);
