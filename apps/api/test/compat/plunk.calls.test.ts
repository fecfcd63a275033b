import PlunkModule from '@plunk/node';
import { addSuppressions } from '@postrider/core/audience/contacts';
import { createTemplate } from '@postrider/core/content/templates';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Call, makeCalls, ok, refused, text } from './calls-kit.ts';
import { type CompatStack, from, startCompat } from './compat-kit.ts';

/** A hundred calls of the older client of Plunk, which has two methods. */
const Plunk = PlunkModule.default ?? (PlunkModule as unknown as typeof PlunkModule.default);
let stack: CompatStack;
let client: InstanceType<typeof Plunk>;
beforeAll(async () => {
  stack = await startCompat();
  client = clientOf(stack.project.secretKey);
  const { ctx } = stack.project;
  await createTemplate.run(ctx, {
    name: 'Receipt',
    alias: 'receipt',
    type: 'TRANSACTIONAL',
    subject: 'Receipt {{data.number}}',
    body: '<p>x</p>',
    from,
  });
  await addSuppressions.run(ctx, { emails: ['gone@people.test'] });
});
afterAll(() => stack.close());

const clientOf = (key: string) => new Plunk(key, { baseUrl: `${stack.url}/compat/plunk/` });
let sent = 0;
const to = (): string => `p${++sent}@people.test`;
const send = (change: object) =>
  client.emails.send({ to: to(), from, subject: 'Hello', body: '<p>Hello</p>', ...change } as never);
const track = (change: object, by = client) =>
  by.events.track({ event: 'signed-up', email: to(), ...change } as never);
const arrivedAs = async (address: string, change: object) => {
  await send({ to: address, ...change });
  const { subject, html, text: plain, from: sender } = await stack.arrived(address);
  return { subject: subject?.trim(), html, text: plain?.trim(), name: sender?.name };
};
const accepted = ok({ success: true, timestamp: text(/Z$/), emails: [{ email: expect.any(String) }] });
const recorded = ok({
  success: true,
  contact: expect.any(String),
  event: expect.any(String),
  timestamp: text(/Z$/),
});
const failed = (message: RegExp) => refused({ message: text(message) });
const file = (change: object = {}) => ({
  attachments: [
    {
      filename: 'a.txt',
      content: Buffer.from('file').toString('base64'),
      contentType: 'text/plain',
      ...change,
    },
  ],
});
const soon = (): string => new Date(Date.now() + 3_600_000).toISOString();
const publicClient = () => clientOf(stack.project.publicKey);

const calls: readonly Call[] = [
  ['an email', () => send({}), accepted],
  [
    'the data of the reply',
    () => send({ to: 'a@people.test' }),
    ok({ data: { emails: [{ to: 'a@people.test' }] } }),
  ],
  ['a list of one', () => send({ to: [to()] }), accepted],
  ['a list of two', () => send({ to: [to(), to()] }), ok({ emails: [{}, {}] })],
  ['a name', () => send({ to: 'Ann <ann@people.test>' }), ok({ emails: [{ to: 'ann@people.test' }] })],
  [
    'a recipient as an object',
    () => send({ to: { email: 'bob@people.test', name: 'Bob' } }),
    ok({ emails: [{ to: 'bob@people.test' }] }),
  ],
  ['a recipient twice', () => send({ to: ['t@people.test', 't@people.test'] }), ok({ success: true })],
  ['100 recipients', () => send({ to: Array.from({ length: 100 }, to) }), ok({ success: true })],
  ['101 recipients', () => send({ to: Array.from({ length: 101 }, to) }), ok({ success: true })],
  ['the type html', () => send({ type: 'html' }), accepted],
  ['the type markdown', () => send({ type: 'markdown' }), failed(/^type: Markdown/)],
  ['another type', () => send({ type: 'pdf' }), failed(/^type/)],
  ['a name of the sender', () => arrivedAs('n1@people.test', { name: 'Shop' }), ok({ name: 'Shop' })],
  [
    'a sender with a name',
    () => arrivedAs('n2@people.test', { from: `Shop <${from}>` }),
    ok({ name: 'Shop' }),
  ],
  ['no sender', () => send({ from: undefined }), failed(/^from: Add "from"/)],
  ['a sender that is none', () => send({ from: 'shop' }), failed(/^from/)],
  ['an unverified sender', () => send({ from: 'a@other.test' }), failed(/not verified/)],
  ['no recipient', () => send({ to: undefined }), failed(/^to/)],
  ['an empty list of recipients', () => send({ to: [] }), failed(/^to/)],
  ['a recipient that is not an address', () => send({ to: 'nobody' }), failed(/^to/)],
  ['a second recipient that is not an address', () => send({ to: [to(), 'nobody'] }), failed(/^to\.1/)],
  ['no subject', () => send({ subject: undefined }), failed(/^subject/)],
  ['an empty subject', () => send({ subject: '' }), failed(/^subject/)],
  ['no body', () => send({ body: undefined }), failed(/^body/)],
  [
    'a subject of many scripts',
    () => arrivedAs('s1@people.test', { subject: 'Grüße 日本 🎉' }),
    ok({ subject: 'Grüße 日本 🎉' }),
  ],
  [
    'a variable of data',
    () => arrivedAs('v1@people.test', { subject: 'Hi {{data.name}}', data: { name: 'Ann' } }),
    ok({ subject: 'Hi Ann' }),
  ],
  [
    'a variable at the top',
    () => arrivedAs('v2@people.test', { subject: 'Hi {{name}}', data: { name: 'Ann' } }),
    ok({ subject: 'Hi Ann' }),
  ],
  [
    'the address as a variable',
    () => arrivedAs('v3@people.test', { subject: 'Hi {{email}}' }),
    ok({ subject: 'Hi v3@people.test' }),
  ],
  [
    'a fallback',
    () => arrivedAs('v4@people.test', { subject: 'Hi {{name ?? friend}}' }),
    ok({ subject: 'Hi friend' }),
  ],
  [
    'an unknown variable',
    () => arrivedAs('v5@people.test', { subject: 'Hi {{nothing}}' }),
    ok({ subject: 'Hi' }),
  ],
  [
    'a value with HTML',
    () => arrivedAs('v6@people.test', { body: '<p>{{name}}</p>', data: { name: '<b>' } }),
    ok({ html: text(/&lt;b&gt;/) }),
  ],
  [
    'a value for this email alone',
    () =>
      arrivedAs('v7@people.test', {
        subject: 'Hi {{data.code}}',
        data: { code: { value: '7', persistent: false } },
      }),
    ok({ subject: 'Hi 7' }),
  ],
  ['broken braces', () => send({ subject: 'Hi {% if %}' }), failed(/^subject/)],
  ['data as a list', () => send({ data: [1] }), failed(/^data/)],
  ['data that is null', () => send({ data: null }), accepted],
  ['headers', () => send({ headers: { 'X-A': '1' } }), accepted],
  [
    'a header with a line break',
    () => send({ headers: { 'X-A': 'a\r\nBcc: x@y.test' } }),
    failed(/^headers\.X-A/),
  ],
  [
    'a header that Postrider writes',
    () => send({ headers: { 'Message-ID': 'x' } }),
    failed(/^headers\.Message-ID/),
  ],
  ['a reply-to', () => send({ reply: 'help@shop.test' }), accepted],
  ['a reply-to by its other name', () => send({ replyTo: 'help@shop.test' }), accepted],
  [
    'two different reply-to',
    () => send({ reply: 'a@shop.test', replyTo: 'b@shop.test' }),
    failed(/^replyTo/),
  ],
  ['a reply-to that is not an address', () => send({ reply: 'nobody' }), failed(/^reply/)],
  ['an attachment', () => send(file()), accepted],
  [
    'two attachments',
    () => send({ attachments: [...file().attachments, ...file({ filename: 'b.txt' }).attachments] }),
    accepted,
  ],
  [
    'an attachment that is no base64',
    () => send(file({ content: '%%%' })),
    failed(/^attachments\.0\.content/),
  ],
  [
    'an attachment without a name',
    () => send(file({ filename: undefined })),
    failed(/^attachments\.0\.filename/),
  ],
  ['an inline attachment', () => send(file({ contentId: 'logo', disposition: 'inline' })), accepted],
  ['the contact is subscribed', () => send({ subscribed: true }), accepted],
  ['the contact is not subscribed', () => send({ subscribed: false }), accepted],
  ['a subscription that is none', () => send({ subscribed: 'yes' }), failed(/^subscribed/)],
  ['text beside HTML', () => arrivedAs('t1@people.test', { text: 'Plain' }), ok({ text: 'Plain' })],
  ['tags', () => send({ tags: ['receipt'] }), accepted],
  ['metadata', () => send({ metadata: { order: '1' } }), accepted],
  ['a time', () => send({ scheduledAt: soon() }), accepted],
  ['a time that is none', () => send({ scheduledAt: 'tomorrow' }), failed(/^scheduledAt/)],
  [
    'a template',
    () =>
      send({
        template: 'receipt',
        from: undefined,
        subject: undefined,
        body: undefined,
        data: { number: 7 },
      }),
    accepted,
  ],
  [
    'an unknown template',
    () => send({ template: 'none', subject: undefined, body: undefined }),
    failed(/emplate/),
  ],
  [
    'a template with a subject',
    () => send({ template: 'receipt', body: undefined, subject: 'Own' }),
    accepted,
  ],
  ['a copy', () => send({ cc: 'c@people.test' }), ok({ emails: [{}, { recipientType: 'CC' }] })],
  ['a blind copy', () => send({ bcc: 'b@people.test' }), ok({ emails: [{}, { recipientType: 'BCC' }] })],
  ['a suppressed recipient', () => send({ to: 'gone@people.test' }), ok({ emails: [{ status: 'SKIPPED' }] })],
  ['no tracking', () => send({ tracking: false }), accepted],
  [
    'final content',
    () => arrivedAs('l1@people.test', { subject: 'Hi {{name}}', literal: true }),
    ok({ subject: 'Hi {{name}}' }),
  ],
  ['an unknown field', () => send({ subjekt: 'x' }), failed(/^subjekt: Unknown field/)],
  ['HTML by another name', () => send({ body: undefined, html: 'x' }), failed(/html/)],
  ['U+0000 in a subject', () => send({ subject: 'a\u0000' }), failed(/^subject/)],
  ['a big body', () => send({ body: 'x'.repeat(900_000) }), accepted],
  ['an event', () => track({}), recorded],
  ['an event with data', () => track({ data: { plan: 'pro', seats: 3 } }), recorded],
  ['an event with null data', () => track({ data: null }), recorded],
  ['an event of a subscribed contact', () => track({ subscribed: true }), recorded],
  ['an event of one that is not', () => track({ subscribed: false }), recorded],
  ['an event of a known contact', () => track({ email: 'ann@people.test' }), recorded],
  ['an event with a blank', () => track({ event: 'signed up' }), recorded],
  ['an event of another script', () => track({ event: 'регистрация' }), recorded],
  ['an event without a name', () => track({ event: undefined }), failed(/event/)],
  ['an event with an empty name', () => track({ event: '' }), failed(/event/)],
  ['an event that is reserved', () => track({ event: 'email.sent' }), failed(/reserved/)],
  ['another reserved event', () => track({ event: 'contact.unsubscribed' }), failed(/reserved/)],
  ['an event with a control character', () => track({ event: 'a\u0001' }), failed(/event/)],
  ['an event that is too long', () => track({ event: 'x'.repeat(256) }), failed(/event/)],
  ['an event without an address', () => track({ email: undefined }), failed(/email/)],
  ['an event of nobody', () => track({ email: 'nobody' }), failed(/email/)],
  ['event data as a text', () => track({ data: 'x' }), failed(/data/)],
  ['event data as a list', () => track({ data: [1] }), failed(/data/)],
  ['an unknown field of an event', () => track({ evnt: 'x' }), failed(/^evnt: Unknown field/)],
  ['an event by a public credential', () => track({}, publicClient()), recorded],
  ['an event with data by a public one', () => track({ data: { a: 1 } }, publicClient()), recorded],
  [
    'an event without a name by a public one',
    () => track({ event: undefined }, publicClient()),
    failed(/event/),
  ],
  [
    'a reserved event by a public one',
    () => track({ event: 'email.open' }, publicClient()),
    failed(/reserved/),
  ],
  ['nobody by a public one', () => track({ email: 'nobody' }, publicClient()), failed(/email/)],
  [
    'an email by a public credential',
    () => publicClient().emails.send({ to: to(), from, subject: 'x', body: 'x' } as never),
    failed(/secret key/),
  ],
  [
    'an unknown credential',
    () => clientOf(`sk_${'0'.repeat(64)}`).emails.send({ to: to(), subject: 'x', body: 'x' }),
    failed(/./),
  ],
  [
    'a credential of another kind',
    () => clientOf('x').events.track({ event: 'a', email: to() }),
    failed(/./),
  ],
  [
    'the class of a refused credential',
    () =>
      clientOf('x')
        .emails.send({ to: to(), subject: 'x', body: 'x' })
        .catch((error: Error) => [error.constructor.name]),
    ok(['TokenError']),
  ],
  ['an unknown public credential', () => track({}, clientOf(`pk_${'0'.repeat(64)}`)), failed(/./)],
  ['an email after refusals', () => send({}), accepted],
  [
    'data is kept on the contact',
    () => arrivedAs('v1@people.test', { subject: 'Hi {{data.name}} again' }).then(() => true),
    ok(true),
  ],
  ['an email to a contact of an event', () => send({ to: 'ann@people.test' }), accepted],
  [
    'a preheader',
    () =>
      send({ preheader: 'x' }).then(
        () => 'sent',
        (error: Error) => error.message,
      ),
    ok(text(/^(sent|preheader: Unknown field.*)$/)),
  ],
];
makeCalls(calls);
