import { createSegment } from '@postrider/core/audience/segments';
import { setSourceRef } from '@postrider/core/content/source-refs';
import { createTemplate } from '@postrider/core/content/templates';
import sgMail from '@sendgrid/mail';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { type Call, makeCalls, ok, refused } from './calls-kit.ts';
import { type CompatStack, from, startCompat } from './compat-kit.ts';

/** A hundred calls of the official clients of SendGrid: that of mail, and the general one inside it. */
interface General {
  setDefaultRequest(name: string, value: string): void;
  request(call: {
    method: string;
    url: string;
    body?: object;
  }): Promise<[{ statusCode: number; body: unknown }]>;
}
const { client } = sgMail as unknown as { client: General };
let stack: CompatStack;
let listId = '';
beforeAll(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  stack = await startCompat();
  const { ctx, secretKey } = stack.project;
  use(secretKey);
  const { id } = await createTemplate.run(ctx, {
    name: 'Receipt',
    alias: 'd-receipt',
    type: 'TRANSACTIONAL',
    subject: 'Receipt {{data.number}}',
    body: '<p>x</p>',
    from,
  });
  await setSourceRef.run(ctx, { source: 'sendgrid', kind: 'TEMPLATE', sourceId: 'd-0123456789abcdef', id });
  ({ id: listId } = await createSegment.run(ctx, { name: 'News', type: 'STATIC' }));
  await setSourceRef.run(ctx, { source: 'sendgrid', kind: 'SEGMENT', sourceId: 'list-1', id: listId });
});
afterAll(() => stack.close());

function use(key: string): void {
  sgMail.setApiKey(key);
  client.setDefaultRequest('baseUrl', `${stack.url}/compat/sendgrid/`);
}
async function as(key: string): Promise<unknown> {
  use(key);
  try {
    return await send({});
  } finally {
    use(stack.project.secretKey);
  }
}
let sent = 0;
const to = (): string => `p${++sent}@people.test`;
const mail = () => ({ from, to: to(), subject: 'Hello', html: '<p>Hello</p>' });
const plain = (answer: { statusCode: number; headers?: unknown; body: unknown }) => ({
  statusCode: answer.statusCode,
  headers: answer.headers,
  body: answer.body,
});
const send = async (change: object) => {
  const [answer] = await sgMail.send({ ...mail(), ...change } as never);
  return plain(answer);
};
const read = async (change: object) => {
  const { headers } = await send(change);
  const id = (headers as Record<string, string>)['x-message-id'];
  return (await stack.test.withKey(stack.project.secretKey)('GET', `/emails/${id}`)).body;
};
const request = async (method: string, url: string, body?: object) => {
  const [answer] = await client.request({ method, url, ...(body && { body }) });
  return plain(answer);
};
const raw = (own: object = {}) => ({
  from: { email: from },
  subject: 'Hello',
  content: [{ type: 'text/html', value: 'x' }],
  personalizations: [{ to: [{ email: to() }], ...own }],
});
const contacts = (body: object) => request('PUT', '/v3/marketing/contacts', body);
const accepted = ok({ statusCode: 202, body: '', headers: { 'x-message-id': expect.any(String) } });
const failed = (code: number, field: string | null) =>
  refused({
    code,
    response: expect.objectContaining({
      body: { errors: expect.arrayContaining([expect.objectContaining({ field })]) },
    }),
  });
const notOffered = (method: string, url: string): [() => Promise<unknown>, object] => [
  () => request(method, url, method === 'GET' ? undefined : {}),
  refused({
    code: 404,
    response: expect.objectContaining({
      body: { errors: [expect.objectContaining({ message: expect.stringMatching(/is not offered/) })] },
    }),
  }),
];
const file = Buffer.from('file').toString('base64');
const soon = (): number => Math.floor(Date.now() / 1_000) + 3_600;
const off = { enable: false };

const calls: readonly Call[] = [
  ['a message', () => send({}), accepted],
  ['a recipient as an object', () => send({ to: { email: to(), name: 'Ann' } }), accepted],
  ['recipients see one another', () => send({ to: [to(), to()] }), accepted],
  ['50 recipients', () => send({ to: Array.from({ length: 50 }, to) }), accepted],
  ['51 recipients', () => send({ to: Array.from({ length: 51 }, to) }), failed(400, 'personalizations.0.to')],
  [
    'recipients apart',
    async () => (await sgMail.sendMultiple({ ...mail(), to: [to(), to()] }))[0].statusCode === 202,
    ok(true),
  ],
  ['a list of messages', async () => (await sgMail.send([mail(), mail()])).length, ok(2)],
  ['a copy', () => send({ cc: 'c@people.test' }), accepted],
  ['copies', () => send({ cc: ['c@people.test', 'd@people.test'] }), accepted],
  ['a blind copy', () => send({ bcc: 'b@people.test' }), accepted],
  ['a sender with a name', () => read({ from: { email: from, name: 'Shop' } }), ok({ fromName: 'Shop' })],
  ['a sender as a mailbox', () => read({ from: `Shop <${from}>` }), ok({ fromName: 'Shop' })],
  ['a reply-to', () => read({ replyTo: 'help@shop.test' }), ok({ replyTo: 'help@shop.test' })],
  ['a reply-to with a name', () => send({ replyTo: { email: 'help@shop.test', name: 'Help' } }), accepted],
  [
    'several reply-to',
    () => send({ replyToList: [{ email: 'help@shop.test' }, { email: 'desk@shop.test' }] }),
    accepted,
  ],
  [
    'both kinds of reply-to',
    () => send({ replyTo: 'help@shop.test', replyToList: [{ email: 'a@shop.test' }] }),
    failed(400, 'reply_to_list'),
  ],
  ['text alone', () => send({ html: undefined, text: 'Hello' }), accepted],
  ['HTML and text', () => send({ text: 'Hello' }), accepted],
  [
    'content as a list',
    () =>
      send({
        html: undefined,
        content: [
          { type: 'text/plain', value: 'a' },
          { type: 'text/html', value: 'b' },
        ],
      }),
    accepted,
  ],
  [
    'content of another type',
    () => send({ html: undefined, content: [{ type: 'text/calendar', value: 'a' }] }),
    failed(400, 'content.0.type'),
  ],
  [
    'content of one type twice',
    () =>
      send({
        html: undefined,
        content: [
          { type: 'text/html', value: 'a' },
          { type: 'text/html', value: 'b' },
        ],
      }),
    failed(400, 'content.1.type'),
  ],
  ['a subject of many scripts', () => read({ subject: 'Grüße 日本 🎉' }), ok({ subject: 'Grüße 日本 🎉' })],
  ['headers', () => send({ headers: { 'X-A': '1' } }), accepted],
  [
    'a header with a line break',
    () => send({ headers: { 'X-A': 'a\r\nBcc: x@y.test' } }),
    failed(400, 'headers.X-A'),
  ],
  ['a category', () => read({ category: 'receipt' }), ok({ tags: ['receipt'] })],
  ['categories', () => read({ categories: ['a', 'b'] }), ok({ tags: ['a', 'b'] })],
  ['no categories', () => read({ categories: [] }), ok({ tags: [] })],
  ['custom arguments', () => read({ customArgs: { order: '1' } }), ok({ metadata: { order: '1' } })],
  [
    'a custom argument that is too long',
    () => send({ customArgs: { a: 'x'.repeat(501) } }),
    failed(400, 'custom_args.a'),
  ],
  [
    'an attachment',
    () =>
      send({
        attachments: [{ content: file, filename: 'a.txt', type: 'text/plain', disposition: 'attachment' }],
      }),
    accepted,
  ],
  [
    'an attachment without a type',
    () => send({ attachments: [{ content: file, filename: 'a.txt' }] }),
    accepted,
  ],
  [
    'an inline attachment',
    () =>
      send({
        attachments: [
          { content: file, filename: 'a.png', type: 'image/png', disposition: 'inline', content_id: 'logo' },
        ],
      }),
    accepted,
  ],
  [
    'an attachment that is no base64',
    () => send({ attachments: [{ content: '%%%', filename: 'a' }] }),
    failed(400, 'attachments.0.content'),
  ],
  [
    'an attachment without a name',
    () => send({ attachments: [{ content: file, filename: '' }] }),
    failed(400, 'attachments.0.filename'),
  ],
  ['a time', () => read({ sendAt: soon() }), ok({ status: 'SCHEDULED' })],
  ['a time in years', () => send({ sendAt: 4_102_444_800 }), failed(400, 'send_at')],
  ['a batch id', () => send({ batchId: 'x' }), failed(400, 'batch_id')],
  ['a group of topics', () => send({ asm: { groupId: 1 } }), failed(400, 'asm.group_id')],
  [
    'groups to show',
    () => request('POST', '/v3/mail/send', { ...raw(), asm: { groups_to_display: [1, 2] } }),
    accepted,
  ],
  ['a pool', () => send({ ipPoolName: 'pool' }), accepted],
  ['sandbox mode', () => send({ mailSettings: { sandboxMode: { enable: true } } }), ok({ statusCode: 200 })],
  ['no sandbox mode', () => send({ mailSettings: { sandboxMode: off } }), accepted],
  [
    'a wrong message in sandbox mode',
    () => send({ to: 'nobody', mailSettings: { sandboxMode: { enable: true } } }),
    refused({ code: 400 }),
  ],
  [
    'a footer',
    () => send({ mailSettings: { footer: { enable: true, text: 'x' } } }),
    failed(400, 'mail_settings.footer'),
  ],
  ['no footer', () => send({ mailSettings: { footer: off } }), accepted],
  ['a check of spam', () => send({ mailSettings: { spamCheck: { enable: true, threshold: 3 } } }), accepted],
  [
    'a bypass of lists',
    () => send({ mailSettings: { bypassListManagement: { enable: true } } }),
    failed(400, 'mail_settings.bypass_list_management'),
  ],
  [
    'a bypass of spam',
    () => send({ mailSettings: { bypassSpamManagement: { enable: true } } }),
    failed(400, 'mail_settings.bypass_spam_management'),
  ],
  [
    'a bypass of bounces',
    () => send({ mailSettings: { bypassBounceManagement: { enable: true } } }),
    failed(400, 'mail_settings.bypass_bounce_management'),
  ],
  [
    'a bcc of all',
    () => send({ mailSettings: { bcc: { enable: true, email: 'a@b.test' } } }),
    failed(400, 'mail_settings.bcc'),
  ],
  [
    'clicks are tracked',
    () => send({ trackingSettings: { clickTracking: { enable: true, enableText: false } } }),
    accepted,
  ],
  ['clicks are not tracked', () => send({ trackingSettings: { clickTracking: off } }), accepted],
  ['opens are tracked', () => send({ trackingSettings: { openTracking: { enable: true } } }), accepted],
  [
    'a place of the image',
    () => send({ trackingSettings: { openTracking: { enable: true, substitutionTag: '%open%' } } }),
    failed(400, 'tracking_settings.open_tracking.substitution_tag'),
  ],
  [
    'a link to opt out is added',
    () => send({ trackingSettings: { subscriptionTracking: { enable: true } } }),
    failed(400, 'tracking_settings.subscription_tracking'),
  ],
  ['no link to opt out', () => send({ trackingSettings: { subscriptionTracking: off } }), accepted],
  [
    'parameters of links',
    () => send({ trackingSettings: { ganalytics: { enable: true, utmSource: 'x' } } }),
    failed(400, 'tracking_settings.ganalytics'),
  ],
  ['no parameters of links', () => send({ trackingSettings: { ganalytics: off } }), accepted],
  ['a mark of a link', () => send({ html: '<%asm_group_unsubscribe_raw_url%>' }), failed(400, 'content')],
  [
    'a mark in a header',
    () => send({ headers: { 'X-A': '<%asm_global_unsubscribe_raw_url%>' } }),
    failed(400, 'headers.X-A'),
  ],
  ['sections', () => send({ sections: { a: 'b' } }), failed(400, 'sections')],
  [
    'personalizations',
    () => send({ to: undefined, personalizations: [{ to: to() }, { to: to(), subject: 'Own' }] }),
    accepted,
  ],
  [
    'a personalization with copies',
    () =>
      send({ to: undefined, personalizations: [{ to: to(), cc: 'c@people.test', bcc: 'b@people.test' }] }),
    accepted,
  ],
  [
    'a personalization with its own time',
    () => read({ to: undefined, personalizations: [{ to: to(), sendAt: soon() }] }),
    ok({ status: 'SCHEDULED' }),
  ],
  [
    'a personalization with its own arguments',
    () =>
      read({
        to: undefined,
        customArgs: { a: '1' },
        personalizations: [{ to: to(), customArgs: { b: '2' } }],
      }),
    ok({ metadata: { a: '1', b: '2' } }),
  ],
  [
    'substitutions',
    () =>
      read({
        to: undefined,
        subject: 'Hi -name-',
        personalizations: [{ to: to(), substitutions: { '-name-': 'Ann' } }],
        substitutionWrappers: ['', ''],
      }),
    ok({ subject: 'Hi Ann' }),
  ],
  [
    'substitutions of all',
    () => read({ subject: 'Hi -name-', substitutions: { '-name-': 'Ann' }, substitutionWrappers: ['', ''] }),
    ok({ subject: 'Hi Ann' }),
  ],
  [
    '1,000 personalizations',
    () => send({ to: undefined, personalizations: Array.from({ length: 1_000 }, () => ({ to: to() })) }),
    accepted,
  ],
  [
    '1,001 personalizations',
    () => send({ to: undefined, personalizations: Array.from({ length: 1_001 }, () => ({ to: to() })) }),
    failed(400, 'personalizations'),
  ],
  [
    'one wrong personalization stores none',
    () => send({ to: undefined, personalizations: [{ to: to() }, { to: 'nobody' }] }),
    failed(400, 'personalizations.1.to.0.email'),
  ],
  [
    'a template',
    () =>
      send({
        html: undefined,
        subject: undefined,
        templateId: 'd-receipt',
        dynamicTemplateData: { number: 7 },
      }),
    accepted,
  ],
  [
    'a template by its id there',
    () =>
      read({
        html: undefined,
        subject: undefined,
        templateId: 'd-0123456789abcdef',
        dynamicTemplateData: { number: 7 },
      }),
    ok({ templateId: expect.any(String) }),
  ],
  [
    'a template with data for each',
    () =>
      send({
        html: undefined,
        subject: undefined,
        to: undefined,
        templateId: 'd-receipt',
        personalizations: [
          { to: to(), dynamicTemplateData: { number: 1 } },
          { to: to(), dynamicTemplateData: { number: 2 } },
        ],
      }),
    accepted,
  ],
  [
    'an unknown template',
    () => send({ html: undefined, subject: undefined, templateId: 'd-none' }),
    failed(400, 'template_id'),
  ],
  [
    'an unknown older template',
    () => send({ html: undefined, subject: undefined, templateId: '13b8f94f-bcae-4ec6-b752-70d6cb59f932' }),
    failed(400, 'template_id'),
  ],
  [
    'data without a template',
    () => request('POST', '/v3/mail/send', raw({ dynamic_template_data: { a: 1 } })),
    failed(400, 'personalizations.0.dynamic_template_data'),
  ],
  [
    'no recipient',
    () =>
      request('POST', '/v3/mail/send', {
        from: { email: from },
        subject: 'x',
        content: [{ type: 'text/plain', value: 'x' }],
        personalizations: [{}],
      }),
    failed(400, 'personalizations.0.to'),
  ],
  [
    'no personalizations',
    () =>
      request('POST', '/v3/mail/send', {
        from: { email: from },
        subject: 'x',
        content: [{ type: 'text/plain', value: 'x' }],
      }),
    failed(400, 'personalizations'),
  ],
  [
    'no sender',
    () =>
      request('POST', '/v3/mail/send', {
        subject: 'x',
        content: [{ type: 'text/plain', value: 'x' }],
        personalizations: [{ to: [{ email: to() }] }],
      }),
    failed(400, 'from'),
  ],
  [
    'no subject',
    () =>
      request('POST', '/v3/mail/send', {
        from: { email: from },
        content: [{ type: 'text/plain', value: 'x' }],
        personalizations: [{ to: [{ email: to() }] }],
      }),
    failed(400, 'subject'),
  ],
  [
    'no content',
    () =>
      request('POST', '/v3/mail/send', {
        from: { email: from },
        subject: 'x',
        personalizations: [{ to: [{ email: to() }] }],
      }),
    failed(400, 'content'),
  ],
  ['an unverified sender', () => send({ from: 'a@other.test' }), failed(403, 'from')],
  ['an unknown field', () => request('POST', '/v3/mail/send', { form: 1 }), failed(400, 'form')],
  ['an unknown credential', () => as(`sk_${'0'.repeat(64)}`), refused({ code: 401 })],
  ['a public credential', () => as(stack.project.publicKey), refused({ code: 401 })],
  [
    'contacts',
    () => contacts({ contacts: [{ email: 'k1@people.test', first_name: 'Ann', last_name: 'Lee' }] }),
    ok({ statusCode: 202, body: { job_id: expect.any(String) } }),
  ],
  [
    'contacts of a list',
    () => contacts({ list_ids: [listId], contacts: [{ email: 'k2@people.test' }] }),
    ok({ statusCode: 202 }),
  ],
  [
    'contacts of a list by its id there',
    () => contacts({ list_ids: ['list-1'], contacts: [{ email: 'k3@people.test' }] }),
    ok({ statusCode: 202 }),
  ],
  [
    'contacts of an unknown list',
    () =>
      contacts({
        list_ids: ['00000000-0000-7000-8000-000000000000'],
        contacts: [{ email: 'k4@people.test' }],
      }),
    refused({ code: 404 }),
  ],
  [
    'own fields of contacts',
    () =>
      contacts({
        contacts: [{ email: 'k5@people.test', external_id: 'c-5', custom_fields: { plan: 'pro' } }],
      }),
    ok({ statusCode: 202 }),
  ],
  [
    'ids of own fields',
    () => contacts({ contacts: [{ email: 'k6@people.test', custom_fields: { e1_T: 'x' } }] }),
    failed(400, 'contacts.0.custom_fields.e1_T'),
  ],
  [
    'an address line',
    () => contacts({ contacts: [{ email: 'k6@people.test', city: 'Bonn' }] }),
    failed(400, 'contacts.0.city'),
  ],
  ['no contacts', () => contacts({ contacts: [] }), failed(400, 'contacts')],
  [
    '101 contacts',
    () => contacts({ contacts: Array.from({ length: 101 }, () => ({ email: to() })) }),
    failed(400, 'contacts'),
  ],
  [
    'a contact that is none',
    () => contacts({ contacts: [{ email: 'nobody' }] }),
    failed(400, 'contacts.0.email'),
  ],
  ['figures', ...notOffered('GET', '/v3/stats?start_date=2026-01-01')],
  ['bounces', ...notOffered('GET', '/v3/suppression/bounces')],
  ['groups', ...notOffered('GET', '/v3/asm/groups')],
  ['templates', ...notOffered('GET', '/v3/templates')],
  ['a new template', ...notOffered('POST', '/v3/templates')],
  ['lists', ...notOffered('GET', '/v3/marketing/lists')],
  ['messages', ...notOffered('GET', '/v3/messages?limit=10')],
  ['a batch id is made', ...notOffered('POST', '/v3/mail/batch')],
  ['webhooks', ...notOffered('GET', '/v3/user/webhooks/event/settings')],
  ['API keys', ...notOffered('GET', '/v3/api_keys')],
];
makeCalls(calls);
