import { addSuppressions } from '@postrider/core/audience/contacts';
import { createSegment } from '@postrider/core/audience/segments';
import { createTemplate } from '@postrider/core/content/templates';
import { Resend } from 'resend';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { type Call, makeCalls, ok, refused, text } from './calls-kit.ts';
import { type CompatStack, from, startCompat } from './compat-kit.ts';

/** A hundred calls of the official client of Resend. */
let stack: CompatStack;
let resend: Resend;
let segmentId = '';
let emailId = '';
let scheduledId = '';
let contactId = '';
beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  stack = await startCompat();
  resend = clientOf(stack.project.secretKey);
  const { ctx } = stack.project;
  await createTemplate.run(ctx, {
    name: 'Welcome',
    alias: 'welcome',
    type: 'TRANSACTIONAL',
    subject: 'Hi {{data.first}}',
    body: '<p>x</p>',
    from,
  });
  ({ id: segmentId } = await createSegment.run(ctx, { name: 'News', type: 'STATIC' }));
  await addSuppressions.run(ctx, { emails: ['gone@people.test'] });
});
afterAll(() => stack.close());

const clientOf = (key: string): Resend => new Resend(key, { baseUrl: `${stack.url}/compat/resend` });
type Answer<T> = Promise<{ data: T | null; error: object | null }>;
/** The data, or the error as what is thrown. */
async function of<T>(answer: Answer<T>): Promise<T> {
  const { data, error } = await answer;
  if (error !== null || data === null) throw error;
  return data;
}
let sent = 0;
const to = (): string => `p${++sent}@people.test`;
const id = expect.any(String);
const mail = () => ({ from, to: to(), subject: 'Hello', html: '<p>Hello</p>' });
const send = (change: object, options?: object) =>
  of(resend.emails.send({ ...mail(), ...change } as never, options as never));
const read = async (change: object) => of(resend.emails.get((await send(change)).id));
const batch = (list: object[], options?: object) => of(resend.batch.send(list as never, options as never));
const invalid = (message: RegExp) =>
  refused({ statusCode: 422, name: 'validation_error', message: text(message) });
const required = (message: RegExp) =>
  refused({ statusCode: 422, name: 'missing_required_field', message: text(message) });
const attachment = (message: RegExp) =>
  refused({ statusCode: 422, name: 'invalid_attachment', message: text(message) });
const missing = (message: RegExp = /./) =>
  refused({ statusCode: 404, name: 'not_found', message: text(message) });
const instead = (what: string) => missing(new RegExp(`is not offered.*${what}`));
const file = Buffer.from('file').toString('base64');
const none = '00000000-0000-7000-8000-000000000000';
const soon = (): string => new Date(Date.now() + 3_600_000).toISOString();

const calls: readonly Call[] = [
  ['one recipient', () => send({}), ok({ id })],
  ['a list of one', () => send({ to: [to()] }), ok({ id })],
  ['a name', () => read({ to: 'Ann <ann@people.test>' }), ok({ to: ['ann@people.test'] })],
  [
    'two recipients see one another',
    () => read({ to: ['x1@people.test', 'x2@people.test'] }),
    ok({ to: ['x1@people.test', 'x2@people.test'] }),
  ],
  ['50 recipients', () => send({ to: Array.from({ length: 50 }, to) }), ok({ id })],
  ['51 recipients', () => send({ to: Array.from({ length: 51 }, to) }), invalid(/50/)],
  ['a copy', () => read({ cc: 'c1@people.test' }), ok({ cc: ['c1@people.test'], bcc: null })],
  [
    'copies',
    () => read({ cc: ['c1@people.test', 'c2@people.test'] }),
    ok({ cc: ['c1@people.test', 'c2@people.test'] }),
  ],
  ['a blind copy', () => read({ bcc: 'b1@people.test' }), ok({ bcc: ['b1@people.test'] })],
  ['an empty list of copies', () => read({ cc: [] }), ok({ cc: null })],
  ['a reply-to', () => read({ replyTo: 'help@shop.test' }), ok({ reply_to: ['help@shop.test'] })],
  ['a list of reply-to', () => read({ replyTo: ['help@shop.test'] }), ok({ reply_to: ['help@shop.test'] })],
  ['the older name of reply-to', () => send({ reply_to: 'help@shop.test' }), ok({ id })],
  ['a sender with a name', () => read({ from: `Shop <${from}>` }), ok({ from: `Shop <${from}>` })],
  ['text alone', () => send({ html: undefined, text: 'Hello' }), ok({ id })],
  ['HTML and text', () => send({ text: 'Hello' }), ok({ id })],
  ['empty text beside HTML', () => send({ text: '' }), ok({ id })],
  [
    'a subject with letters of many scripts',
    () => read({ subject: 'Grüße 日本 🎉' }),
    ok({ subject: 'Grüße 日本 🎉' }),
  ],
  ['a header', () => send({ headers: { 'X-Entity-Ref-ID': '1' } }), ok({ id })],
  [
    'headers',
    () => send({ headers: { 'X-A': '1', 'List-Unsubscribe': '<https://shop.test/u>' } }),
    ok({ id }),
  ],
  ['no headers', () => send({ headers: {} }), ok({ id })],
  [
    'a header with a line break',
    () => send({ headers: { 'X-A': 'a\r\nBcc: x@y.test' } }),
    invalid(/^headers\.X-A/),
  ],
  ['a tag', () => read({ tags: [{ name: 'a', value: '1' }] }), ok({ tags: [{ name: 'a', value: '1' }] })],
  [
    'tags',
    () =>
      read({
        tags: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
      }),
    ok({
      tags: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ],
    }),
  ],
  ['a tag without a name', () => send({ tags: [{ value: '1' }] }), required(/^tags\.0\.name/)],
  ['tags as words', () => send({ tags: ['a'] }), invalid(/^tags\.0/)],
  [
    'an attachment in base64',
    () => send({ attachments: [{ filename: 'a.txt', content: file }] }),
    ok({ id }),
  ],
  [
    'an attachment as bytes',
    () => send({ attachments: [{ filename: 'a.txt', content: Buffer.from('file') }] }),
    ok({ id }),
  ],
  [
    'a type of an attachment',
    () => send({ attachments: [{ filename: 'a', content: file, contentType: 'text/csv' }] }),
    ok({ id }),
  ],
  [
    'an inline attachment',
    () => send({ attachments: [{ filename: 'a.png', content: file, contentId: 'logo' }] }),
    ok({ id }),
  ],
  [
    'an attachment to be fetched',
    () => send({ attachments: [{ filename: 'a', path: 'http://169.254.169.254/' }] }),
    attachment(/^attachments\.0\.path/),
  ],
  [
    'an attachment without a name',
    () => send({ attachments: [{ content: file }] }),
    attachment(/^attachments\.0\.filename/),
  ],
  [
    'an attachment without content',
    () => send({ attachments: [{ filename: 'a' }] }),
    attachment(/^attachments\.0\.content/),
  ],
  [
    'a time',
    async () => {
      const made = await send({ scheduledAt: soon() });
      scheduledId = made.id;
      return made;
    },
    ok({ id }),
  ],
  [
    'a time is read',
    () => of(resend.emails.get(scheduledId)),
    ok({ last_event: 'scheduled', scheduled_at: expect.any(String) }),
  ],
  ['in 1 hour', () => read({ scheduledAt: 'in 1 hour' }), ok({ last_event: 'scheduled' })],
  ['in 5 min', () => read({ scheduledAt: 'in 5 min' }), ok({ last_event: 'scheduled' })],
  ['in 2 days', () => read({ scheduledAt: 'in 2 days' }), ok({ last_event: 'scheduled' })],
  ['a wording', () => send({ scheduledAt: 'next friday' }), invalid(/^scheduled_at/)],
  ['a time in years', () => send({ scheduledAt: '2099-01-01T00:00:00Z' }), invalid(/^scheduled_at/)],
  [
    'a scheduled email is moved',
    () => of(resend.emails.update({ id: scheduledId, scheduledAt: soon() })),
    ok({ object: 'email', id }),
  ],
  [
    'it is moved to a wording',
    () => of(resend.emails.update({ id: scheduledId, scheduledAt: 'later' })),
    invalid(/^scheduled_at/),
  ],
  ['it is cancelled', () => of(resend.emails.cancel(scheduledId)), ok({ object: 'email', id })],
  ['it is read as cancelled', () => of(resend.emails.get(scheduledId)), ok({ last_event: 'canceled' })],
  [
    'it is moved after that',
    () => of(resend.emails.update({ id: scheduledId, scheduledAt: soon() })),
    refused({ statusCode: 422 }),
  ],
  ['an unknown email is cancelled', () => of(resend.emails.cancel(none)), missing()],
  [
    'a template',
    () =>
      of(resend.emails.send({ to: to(), template: { id: 'welcome', variables: { first: 'Ann' } } } as never)),
    ok({ id }),
  ],
  [
    'a template without variables',
    () => of(resend.emails.send({ to: to(), template: { id: 'welcome' } } as never)),
    ok({ id }),
  ],
  [
    'an unknown template',
    () => of(resend.emails.send({ to: to(), template: { id: 'none' } } as never)),
    missing(/emplate/),
  ],
  [
    'a template without an id',
    () => send({ html: undefined, template: { variables: {} } }),
    required(/^template\.id/),
  ],
  ['a topic', () => send({ topicId: 'x' }), invalid(/^topic_id/)],
  ['no recipient', () => send({ to: undefined }), required(/^to/)],
  ['an empty list of recipients', () => send({ to: [] }), refused({ statusCode: 422 })],
  ['no sender', () => send({ from: undefined }), required(/^from/)],
  ['no subject', () => send({ subject: undefined }), required(/^subject/)],
  ['a sender that is none', () => send({ from: 'shop' }), invalid(/^from/)],
  [
    'a sender of an unverified domain',
    () => send({ from: 'a@other.test' }),
    refused({ statusCode: 403, name: 'validation_error' }),
  ],
  [
    'a link to opt out',
    () => send({ html: '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">x</a>' }),
    invalid(/^html/),
  ],
  ['a suppressed recipient', () => read({ to: 'gone@people.test' }), ok({ last_event: 'suppressed' })],
  [
    'a key',
    async () => {
      const message = mail();
      const make = () => of(resend.emails.send(message, { idempotencyKey: 'k1' }));
      const first = (await make()).id;
      return [first === (await make()).id];
    },
    ok([true]),
  ],
  [
    'a key with another body',
    () => send({ subject: 'Other' }, { idempotencyKey: 'k1' }),
    refused({ statusCode: 409, name: 'invalid_idempotent_request' }),
  ],
  [
    'a key that is too long',
    () => send({}, { idempotencyKey: 'x'.repeat(257) }),
    refused({ statusCode: 400, name: 'invalid_idempotency_key' }),
  ],
  [
    'an unknown credential',
    () => of(clientOf(`sk_${'0'.repeat(64)}`).emails.send(mail())),
    refused({ statusCode: 403, name: 'invalid_api_key' }),
  ],
  [
    'a public credential',
    () => of(clientOf(stack.project.publicKey).emails.send(mail())),
    refused({ statusCode: 403, name: 'invalid_api_key' }),
  ],
  ['a batch', () => batch([mail(), mail()]), ok({ data: [{ id }, { id }] })],
  ['a batch of none', () => batch([]), refused({ statusCode: 422 })],
  ['a batch of 101', () => batch(Array.from({ length: 101 }, mail)), invalid(/100/)],
  ['a batch with one that is wrong', () => batch([mail(), { ...mail(), to: 'nobody' }]), invalid(/^1\.to/)],
  [
    'a permissive batch',
    () => batch([mail(), { ...mail(), to: 'nobody' }], { batchValidation: 'permissive' }),
    ok({ data: [{ id }], errors: [{ index: 1, message: text(/to/) }] }),
  ],
  [
    'a batch with attachments',
    () => batch([{ ...mail(), attachments: [{ filename: 'a', content: file }] }]),
    refused({ statusCode: 422 }),
  ],
  [
    'a batch with copies and tags',
    () => batch([{ ...mail(), cc: 'c1@people.test', tags: [{ name: 'a', value: '1' }] }]),
    ok({ data: [{ id }] }),
  ],
  [
    'a batch with a key',
    async () => {
      const list = [mail()];
      const make = () => batch(list, { idempotencyKey: 'k2' });
      const first = JSON.stringify(await make());
      return [first === JSON.stringify(await make())];
    },
    ok([true]),
  ],
  [
    'a list of emails',
    async () => {
      const list = await of(resend.emails.list());
      emailId = list.data[0]?.id ?? '';
      return list;
    },
    ok({ object: 'list', has_more: true }),
  ],
  ['a short list', async () => [(await of(resend.emails.list({ limit: 2 }))).data.length], ok([2])],
  [
    'the next page',
    async () =>
      (await of(resend.emails.list({ limit: 1, after: emailId }))).data.map((row) => row.id === emailId),
    ok([false]),
  ],
  ['a page backwards', () => of(resend.emails.list({ before: emailId })), invalid(/^before/)],
  [
    'an email',
    () => of(resend.emails.get(emailId)),
    ok({ object: 'email', id, from: expect.any(String), created_at: expect.any(String) }),
  ],
  ['an unknown email', () => of(resend.emails.get(none)), missing()],
  ['an id that is none', () => of(resend.emails.get('x')), refused({ statusCode: 422 })],
  [
    'a contact',
    async () => {
      const made = await of(
        resend.contacts.create({
          email: 'k1@people.test',
          firstName: 'Ann',
          lastName: 'Lee',
          unsubscribed: false,
        }),
      );
      contactId = made.id;
      return made;
    },
    ok({ object: 'contact', id }),
  ],
  [
    'a contact by its id',
    () => of(resend.contacts.get({ id: contactId })),
    ok({
      object: 'contact',
      email: 'k1@people.test',
      first_name: 'Ann',
      last_name: 'Lee',
      unsubscribed: false,
    }),
  ],
  ['a contact by its address', () => of(resend.contacts.get({ email: 'k1@people.test' })), ok({ id })],
  ['an unknown contact', () => of(resend.contacts.get({ email: 'nobody@people.test' })), missing()],
  [
    'properties',
    () => of(resend.contacts.create({ email: 'k2@people.test', properties: { plan: 'pro', seats: 3 } })),
    ok({ id }),
  ],
  [
    'properties are read',
    () => of(resend.contacts.get({ email: 'k2@people.test' })),
    ok({ properties: { plan: { value: 'pro' }, seats: { type: 'number', value: 3 } } }),
  ],
  ['a contact that is none', () => of(resend.contacts.create({ email: 'nobody' })), invalid(/^email/)],
  [
    'a contact who opts out',
    () => of(resend.contacts.update({ email: 'k1@people.test', unsubscribed: true })),
    ok({ object: 'contact', id }),
  ],
  [
    'a create does not opt in again',
    async () => {
      await of(resend.contacts.create({ email: 'k1@people.test', unsubscribed: false }));
      return of(resend.contacts.get({ email: 'k1@people.test' }));
    },
    ok({ unsubscribed: true }),
  ],
  [
    'an update does',
    async () => {
      await of(resend.contacts.update({ id: contactId, unsubscribed: false }));
      return of(resend.contacts.get({ id: contactId }));
    },
    ok({ unsubscribed: false }),
  ],
  [
    'a changed name',
    async () => {
      await of(resend.contacts.update({ id: contactId, firstName: 'Anna' }));
      return of(resend.contacts.get({ id: contactId }));
    },
    ok({ first_name: 'Anna', last_name: 'Lee' }),
  ],
  ['contacts', () => of(resend.contacts.list()), ok({ object: 'list', data: expect.any(Array) })],
  ['a page of contacts', async () => [(await of(resend.contacts.list({ limit: 1 }))).data.length], ok([1])],
  [
    'segments',
    () => of(resend.segments.list()),
    ok({ object: 'list', data: [{ name: 'News', created_at: expect.any(String) }] }),
  ],
  ['a member', () => of(resend.contacts.segments.add({ email: 'k1@people.test', segmentId })), ok({ id })],
  [
    'a member of an unknown segment',
    () => of(resend.contacts.segments.add({ email: 'k1@people.test', segmentId: none })),
    missing(),
  ],
  [
    'the contacts of a segment',
    () => of(resend.contacts.list({ segmentId } as never)),
    ok({ data: [{ email: 'k1@people.test' }] }),
  ],
  [
    'a former member',
    () => of(resend.contacts.segments.remove({ email: 'k1@people.test', segmentId })),
    ok({ deleted: true }),
  ],
  [
    'a contact with a segment',
    () => of(resend.contacts.create({ email: 'k3@people.test', segments: [{ id: segmentId }] } as never)),
    ok({ id }),
  ],
  [
    'a contact of an audience',
    () => of(resend.contacts.create({ email: 'k4@people.test', audienceId: segmentId })),
    ok({ id }),
  ],
  [
    'a contact of an unknown audience',
    () => of(resend.contacts.create({ email: 'k5@people.test', audienceId: none })),
    missing(),
  ],
  ['a removed contact', () => of(resend.contacts.remove({ email: 'k4@people.test' })), ok({ deleted: true })],
  ['one that is gone', () => of(resend.contacts.remove({ email: 'k4@people.test' })), missing()],
  ['domains', () => of(resend.domains.list()), instead('/domains')],
  ['a new domain', () => of(resend.domains.create({ name: 'x.test' })), instead('/domains')],
  ['API keys', () => of(resend.apiKeys.list()), instead('API keys')],
  [
    'a broadcast',
    () => of(resend.broadcasts.create({ segmentId, from, subject: 'x', html: 'x' } as never)),
    instead('/campaigns'),
  ],
  ['broadcasts', () => of(resend.broadcasts.list()), instead('/campaigns')],
  ['webhooks', () => of(resend.webhooks.list()), instead('/webhook-endpoints')],
  ['templates', () => of(resend.templates.list()), instead('/templates')],
  ['a new segment', () => of(resend.segments.create({ name: 'x' })), instead('/segments')],
  ['topics', () => of(resend.topics.list()), missing(/is not offered/)],
];
makeCalls(calls);
