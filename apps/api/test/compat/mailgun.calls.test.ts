import { createSegment } from '@postrider/core/audience/segments';
import { setSourceRef } from '@postrider/core/content/source-refs';
import { createTemplate } from '@postrider/core/content/templates';
import { verifiedDomain } from '@postrider/core/testing';
import Mailgun from 'mailgun.js';
import { afterAll, beforeAll } from 'vitest';
import { type Call, makeCalls, ok, refused, text } from './calls-kit.ts';
import { type CompatStack, domain, from, startCompat } from './compat-kit.ts';

/** A hundred calls of the official client of Mailgun. */
type Client = ReturnType<InstanceType<typeof Mailgun>['client']>;
let stack: CompatStack;
let client: Client;
beforeAll(async () => {
  stack = await startCompat();
  client = clientOf(stack.project.secretKey);
  const { ctx, id: projectId } = stack.project;
  await verifiedDomain(stack.test.services, projectId, 'second.test');
  const { id } = await createTemplate.run(ctx, {
    name: 'Receipt',
    alias: 'receipt',
    type: 'TRANSACTIONAL',
    subject: 'Receipt {{data.number}}',
    body: '<p>x</p>',
    from,
  });
  await setSourceRef.run(ctx, { source: 'mailgun', kind: 'TEMPLATE', sourceId: 'Old Receipt', id });
  await createSegment.run(ctx, { name: 'news@shop.test', type: 'STATIC' });
});
afterAll(() => stack.close());

const clientOf = (key: string): Client =>
  new Mailgun(FormData).client({ username: 'api', key, url: `${stack.url}/compat/mailgun` });
let sent = 0;
const to = (): string => `p${++sent}@people.test`;
const mail = () => ({ from, to: to(), subject: 'Hello', html: '<p>Hello</p>' });
const send = (change: object, at = domain) => client.messages.create(at, { ...mail(), ...change } as never);
const read = async (change: object) => {
  const { id = '' } = await send(change);
  return (await stack.test.withKey(stack.project.secretKey)('GET', `/emails/${id.slice(1).split('@')[0]}`))
    .body;
};
const templated = (change: object) =>
  send({ html: undefined, subject: undefined, template: 'receipt', ...change });
const own = (variables: object, change: object = {}) =>
  send({ to: Object.keys(variables), 'recipient-variables': JSON.stringify(variables), ...change });
const member = (change: object, list = 'news@shop.test') =>
  client.lists.members.createMember(list, { address: to(), ...change } as never);
const accepted = ok({ id: text(/^<[0-9a-f-]{36}@shop\.test>$/), message: 'Queued. Thank you.', status: 200 });
const invalid = (message: RegExp) => refused({ status: 400, details: text(message) });
const notOffered = (call: () => Promise<unknown>): [() => Promise<unknown>, object] => [
  call,
  refused({ status: 404, details: text(/is not offered/) }),
];
const file = (change: object = {}) => ({ data: Buffer.from('file'), filename: 'a.txt', ...change });
const soon = (): string => new Date(Date.now() + 3_600_000).toUTCString();
const mime = (subject: string): string =>
  `From: ${from}\r\nTo: x@people.test\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nHello\r\n`;

const calls: readonly Call[] = [
  ['a message', () => send({}), accepted],
  ['a list of one', () => send({ to: [to()] }), accepted],
  ['recipients see one another', () => send({ to: [to(), to()] }), accepted],
  ['recipients in one text', () => send({ to: 'a@people.test, b@people.test' }), accepted],
  [
    'a name with a comma',
    () => read({ to: '"Doe, Jane" <jane@people.test>' }),
    ok({ to: 'jane@people.test' }),
  ],
  ['50 recipients', () => send({ to: Array.from({ length: 50 }, to) }), accepted],
  ['51 recipients', () => send({ to: Array.from({ length: 51 }, to) }), invalid(/50/)],
  ['a copy', () => send({ cc: 'c@people.test' }), accepted],
  ['copies', () => send({ cc: ['c@people.test', 'd@people.test'] }), accepted],
  ['a blind copy', () => send({ bcc: 'b@people.test' }), accepted],
  ['a sender with a name', () => read({ from: `Shop <${from}>` }), ok({ fromName: 'Shop' })],
  ['text alone', () => send({ html: undefined, text: 'Hello' }), accepted],
  ['HTML and text', () => send({ text: 'Hello' }), accepted],
  ['a subject of many scripts', () => read({ subject: 'Grüße 日本 🎉' }), ok({ subject: 'Grüße 日本 🎉' })],
  ['a reply-to', () => read({ 'h:Reply-To': 'help@shop.test' }), ok({ replyTo: 'help@shop.test' })],
  ['a header', () => send({ 'h:X-A': '1' }), accepted],
  ['a header with a line break', () => send({ 'h:X-A': 'a\r\nBcc: x@y.test' }), refused({ status: 400 })],
  ['a header that Postrider writes', () => send({ 'h:Message-ID': '<x@y.test>' }), invalid(/Message-ID/)],
  ['a variable', () => read({ 'v:order': '1001' }), ok({ metadata: { order: '1001' } })],
  ['variables', () => read({ 'v:a': '1', 'v:b': '2' }), ok({ metadata: { a: '1', b: '2' } })],
  ['a variable that is too long', () => send({ 'v:a': 'x'.repeat(501) }), refused({ status: 400 })],
  ['a tag', () => read({ 'o:tag': 'receipt' }), ok({ tags: ['receipt'] })],
  ['tags', () => read({ 'o:tag': ['a', 'b'] }), ok({ tags: ['a', 'b'] })],
  ['a time', () => read({ 'o:deliverytime': soon() }), ok({ status: 'SCHEDULED' })],
  ['a time of another form', () => send({ 'o:deliverytime': '2026-12-24' }), invalid(/^o:deliverytime/)],
  [
    'a time in years',
    () => send({ 'o:deliverytime': 'Thu, 01 Jan 2099 00:00:00 +0000' }),
    invalid(/^o:deliverytime/),
  ],
  ['tracking', () => send({ 'o:tracking': 'yes' }), accepted],
  ['no tracking', () => send({ 'o:tracking': 'no' }), accepted],
  ['tracking as a boolean', () => send({ 'o:tracking': true }), accepted],
  ['links of HTML are tracked', () => send({ 'o:tracking-clicks': 'htmlonly' }), accepted],
  ['opens are tracked', () => send({ 'o:tracking-opens': 'yes' }), accepted],
  ['another word for opens', () => send({ 'o:tracking-opens': 'maybe' }), invalid(/^o:tracking-opens/)],
  ['test mode', () => send({ 'o:testmode': 'yes' }), ok({ status: 200, message: 'Queued. Thank you.' })],
  ['no test mode', () => send({ 'o:testmode': 'no' }), accepted],
  [
    'a wrong message in test mode',
    () => send({ to: 'nobody', 'o:testmode': 'yes' }),
    refused({ status: 400 }),
  ],
  ['a signature', () => send({ 'o:dkim': 'yes' }), accepted],
  ['no signature', () => send({ 'o:dkim': 'no' }), invalid(/^o:dkim/)],
  ['required TLS', () => send({ 'o:require-tls': 'yes' }), invalid(/^o:require-tls/)],
  ['TLS is not required', () => send({ 'o:require-tls': 'no' }), accepted],
  ['certificates are not looked at', () => send({ 'o:skip-verification': 'yes' }), accepted],
  ['a pool', () => send({ 'o:sending-ip-pool': 'x' }), accepted],
  [
    'the best time',
    () => send({ 'o:deliverytime-optimize-period': '24h' }),
    invalid(/^o:deliverytime-optimize-period/),
  ],
  ['local times', () => send({ 'o:time-zone-localize': '09:00' }), invalid(/^o:time-zone-localize/)],
  ['an archive', () => send({ 'o:archive-to': 'https://a.test' }), invalid(/^o:archive-to/)],
  ['AMP', () => send({ 'amp-html': '<html></html>' }), invalid(/^amp-html/)],
  ['an attachment', () => send({ attachment: file() }), accepted],
  ['attachments', () => send({ attachment: [file(), file({ filename: 'b.txt' })] }), accepted],
  ['an attachment with a type', () => send({ attachment: file({ contentType: 'text/csv' }) }), accepted],
  ['an inline attachment', () => send({ inline: file({ filename: 'logo.png' }) }), accepted],
  [
    'both kinds of attachments',
    () => send({ attachment: file(), inline: file({ filename: 'logo.png' }) }),
    accepted,
  ],
  ['an unknown file', () => send({ upload: file() }), refused({ status: 400 })],
  ['a template', () => templated({ 't:variables': '{"number":7}' }), accepted],
  ['a template without variables', () => templated({}), accepted],
  ['a template by its name there', () => templated({ template: 'Old Receipt' }), accepted],
  [
    'a template with a subject',
    () => read({ html: undefined, template: 'receipt', subject: 'Own' }),
    ok({ subject: 'Own' }),
  ],
  ['text made from a template', () => templated({ 't:text': 'yes' }), accepted],
  ['a version of a template', () => templated({ 't:version': 'v2' }), invalid(/^t:version/)],
  ['an unknown template', () => templated({ template: 'none' }), invalid(/emplate/)],
  ['HTML beside a template', () => templated({ html: 'x' }), invalid(/^html/)],
  ['variables that are no JSON', () => templated({ 't:variables': '{' }), invalid(/^t:variables/)],
  ['variables without a template', () => send({ 't:variables': '{}' }), invalid(/^t:variables/)],
  [
    'a message for each recipient',
    () => own({ 'a@people.test': { n: 1 }, 'b@people.test': { n: 2 } }),
    accepted,
  ],
  [
    'values for each recipient',
    () => own({ 'v1@people.test': { name: 'Ann' } }, { subject: 'Hi %recipient.name%' }),
    accepted,
  ],
  [
    'values of the subject are read',
    async () => (await stack.arrived('v1@people.test')).subject,
    ok('Hi Ann'),
  ],
  [
    'a recipient without values',
    () => send({ to: ['a@people.test', 'b@people.test'], 'recipient-variables': '{"a@people.test":{}}' }),
    accepted,
  ],
  ['empty values', () => send({ 'recipient-variables': '{}' }), accepted],
  ['values that are no JSON', () => send({ 'recipient-variables': '[' }), invalid(/^recipient-variables/)],
  ['values that are a list', () => send({ 'recipient-variables': '[]' }), invalid(/^recipient-variables/)],
  ['copies beside values', () => own({ 'a@people.test': {} }, { cc: 'c@people.test' }), invalid(/^cc/)],
  [
    '1,000 messages',
    () => own(Object.fromEntries(Array.from({ length: 1_000 }, () => [to(), {}]))),
    accepted,
  ],
  [
    '1,001 messages',
    () => own(Object.fromEntries(Array.from({ length: 1_001 }, () => [to(), {}]))),
    invalid(/^to/),
  ],
  ['a mark of a link', () => send({ html: '%unsubscribe_url%' }), invalid(/^html/)],
  ['a mark of a list', () => send({ text: '%mailing_list_unsubscribe_url%' }), invalid(/^text/)],
  ['no recipient', () => send({ to: [] }), refused({ status: 400 })],
  ['a recipient that is not an address', () => send({ to: 'nobody' }), invalid(/^to/)],
  ['no sender', () => send({ from: undefined }), refused({ status: 400 })],
  ['no subject', () => send({ subject: undefined }), invalid(/^subject/)],
  ['no content', () => send({ html: undefined, text: '' }), invalid(/^html/)],
  ['an unverified sender', () => send({ from: 'a@other.test' }, 'other.test'), refused({ status: 403 })],
  ['another verified domain', () => send({}, 'second.test'), accepted],
  ['an unknown domain', () => send({}, 'nowhere.test'), refused({ status: 404 })],
  ['an unknown field', () => send({ subjekt: 'x' }), invalid(/^subjekt/)],
  [
    'an unknown credential',
    () => clientOf(`sk_${'0'.repeat(64)}`).messages.create(domain, mail() as never),
    refused({ status: 401 }),
  ],
  [
    'a public credential',
    () => clientOf(stack.project.publicKey).messages.create(domain, mail() as never),
    refused({ status: 401 }),
  ],
  [
    'a whole message',
    () => client.messages.create(domain, { to: [to()], message: mime('Whole') } as never),
    accepted,
  ],
  [
    'a whole message with line feeds',
    () => client.messages.create(domain, { to: [to()], message: mime('LF').replaceAll('\r', '') } as never),
    accepted,
  ],
  [
    'a whole message as bytes',
    () => client.messages.create(domain, { to: [to()], message: Buffer.from(mime('Bytes')) } as never),
    accepted,
  ],
  [
    'a whole message with a tag',
    () => client.messages.create(domain, { to: [to()], message: mime('x'), 'o:tag': 'a' } as never),
    invalid(/^o:tag/),
  ],
  [
    'a member',
    () => member({ address: 'm1@people.test', name: 'Ann', vars: '{"plan":"pro"}' }),
    ok({ address: 'm1@people.test', name: 'Ann', vars: { plan: 'pro' } }),
  ],
  ['a member once more', () => member({ address: 'm1@people.test' }), refused({ status: 400 })],
  [
    'a member once more with upsert',
    () => member({ address: 'm1@people.test', upsert: 'yes' }),
    ok({ address: 'm1@people.test' }),
  ],
  [
    'a member who opted out',
    () => member({ address: 'm2@people.test', subscribed: false }),
    ok({ subscribed: false }),
  ],
  ['a member of an unknown list', () => member({}, 'none@shop.test'), refused({ status: 404 })],
  ['a member that is not an address', () => member({ address: 'nobody' }), invalid(/^address/)],
  ['domains', ...notOffered(() => client.domains.list())],
  ['a domain', ...notOffered(() => client.domains.get(domain))],
  ['bounces', ...notOffered(() => client.suppressions.list(domain, 'bounces'))],
  ['people who opted out', ...notOffered(() => client.suppressions.list(domain, 'unsubscribes'))],
  ['complaints', ...notOffered(() => client.suppressions.list(domain, 'complaints'))],
  ['webhooks', ...notOffered(() => client.webhooks.list(domain, {}))],
  ['events', ...notOffered(() => client.events.get(domain))],
  ['figures', ...notOffered(() => client.stats.getDomain(domain, { event: 'accepted' }))],
  ['routes', ...notOffered(() => client.routes.list({}))],
  ['lists', ...notOffered(() => client.lists.list())],
  ['members', ...notOffered(() => client.lists.members.listMembers('news@shop.test'))],
  ['validation', ...notOffered(() => client.validate.get('a@people.test'))],
];
makeCalls(calls);
