import { generateKeyPairSync } from 'node:crypto';
import { type Sink, startSink } from '@postrider/local/sink';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteContact } from '../../audience/contacts/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { drained, withDelivery } from '../delivery/delivery.fixture.ts';
import { decodeLink } from '../message/index.ts';
import { changePreferences, judgeClicks, recordClick } from '../tracking/index.ts';
import { interactionsStored } from '../tracking/record-interaction.ts';
import { cancelEmail } from './cancel-email.ts';
import { getEmail } from './get-email.ts';
import { listEmails } from './list-emails.ts';
import { previewEmail } from './preview-email.ts';
import { rescheduleEmail } from './reschedule-email.ts';
import { sendEmail } from './send-email.ts';

let sink: Sink;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  sink = await startSink({ keepRaw: true });
  test = await createTestServices({ env: { SMTP_URL: sink.url } });
});
afterAll(async () => {
  await test.close();
  await sink.stop();
});
beforeEach(async () => {
  sink.clear();
  // What another test left waiting.
  await prisma().deliveryBatch.deleteMany();
  await sink.setBehaviour({ replies: [] });
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const prisma = () => test.services.database.prisma;
const message = {
  to: { name: 'Ann', email: 'ann@people.test' },
  from: 'team@shop.test',
  subject: 'Order for {{name}}',
  body: '<p>{{email}} {{id}}</p><a href="https://shop.test/order">Order</a> <a href="{{unsubscribeUrl}}">Stop</a>',
};
const copies = { cc: ['boss@corp.test'], bcc: ['archive@shop.test'] };
const send = (body: object, ctx = project.ctx) => sendEmail.runRaw(ctx, { ...message, ...body });
const deliver = () => withDelivery(test.services, sink.url, () => drained(test.services, project.id));
const emails = () => prisma().email.findMany({ where: { projectId: project.id }, orderBy: { id: 'asc' } });
const events = (emailId: string) =>
  prisma().event.findMany({ where: { emailId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
const errorsOf = (fields: object[]) => ({
  code: 'VALIDATION_ERROR',
  errors: fields.map((field) => expect.objectContaining(field)),
});
const headersOf = (raw: string): Map<string, string> =>
  new Map(
    raw
      .slice(0, raw.indexOf('\r\n\r\n'))
      .split(/\r\n(?![ \t])/)
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );

describe('what a request with copies is refused for', () => {
  it.each([
    [
      'cc to several recipients',
      { to: ['a@x.test', 'b@x.test'], cc: 'c@x.test' },
      { field: 'cc', code: 'custom' },
    ],
    ['bcc to several', { to: ['a@x.test', 'b@x.test'], bcc: ['c@x.test'] }, { field: 'bcc', code: 'custom' }],
    ['an address that is none', { bcc: ['x@y.test', 'nobody'] }, { field: 'bcc.1', code: 'invalid_string' }],
    [
      'a 51st address, where it stands',
      {
        cc: Array.from({ length: 40 }, (_, n) => `c${n}@x.test`),
        bcc: Array.from({ length: 40 }, (_, n) => `b${n}@x.test`),
      },
      { field: 'bcc', code: 'too_big' },
    ],
    [
      'a header in its place',
      { headers: { Bcc: 'c@x.test' } },
      { field: 'headers.Bcc', message: expect.stringContaining('"bcc"') },
    ],
  ])('%s', async (_what, body, error) => {
    await expect(send(body)).rejects.toMatchObject(errorsOf([error]));
    expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(0);
    expect(await prisma().contact.count({ where: { projectId: project.id } })).toBe(0);
  });

  it('a template that is not transactional', async () => {
    const template = await createTemplate.run(project.ctx, {
      ...{ name: 'News', type: 'MARKETING', subject: 'S', body: 'B', from: 'team@shop.test' },
    });
    await expect(
      send({ template: template.id, subject: undefined, body: undefined, cc: 'c@x.test', subscribed: true }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('an address given twice has one email, so 60 places with 50 addresses are accepted', async () => {
    const list = Array.from({ length: 30 }, (_, n) => `c${n}@x.test`);
    const { emails: made } = await send({
      to: 'c0@x.test',
      cc: list,
      bcc: [...list, ...Array.from({ length: 20 }, (_, n) => `b${n}@x.test`)],
    });
    expect(made.map(({ recipientType }) => recipientType).join()).toBe(
      ['TO', ...Array(29).fill('CC'), ...Array(20).fill('BCC')].join(),
    );
  });

  it('an empty list of copies makes no shared message', async () => {
    await send({ to: ['a@x.test', 'b@x.test'], cc: [], bcc: [] });
    expect((await emails()).map(({ sharedMessageId }) => sharedMessageId)).toEqual([null, null]);
  });
});

it('the reply names every recipient in the order of the fields, and copies have no contact', async () => {
  await prisma().suppression.create({
    data: { projectId: project.id, email: 'boss@corp.test', reason: 'MANUAL' },
  });
  const { emails: made } = await send(copies);
  const [contact] = await prisma().contact.findMany({ where: { projectId: project.id } });
  expect(made).toEqual([
    expect.objectContaining({
      to: 'ann@people.test',
      recipientType: 'TO',
      contact: { id: contact?.id, email: 'ann@people.test' },
      status: 'PENDING',
    }),
    expect.objectContaining({
      to: 'boss@corp.test',
      recipientType: 'CC',
      contact: null,
      status: 'SKIPPED',
      reason: 'suppressed',
    }),
    expect.objectContaining({
      to: 'archive@shop.test',
      recipientType: 'BCC',
      contact: null,
      status: 'PENDING',
    }),
  ]);
  expect(await prisma().contact.count({ where: { projectId: project.id } })).toBe(1);
  await deliver();
  expect(
    sink
      .messages()
      .map(({ to }) => to[0])
      .toSorted(),
  ).toEqual(['ann@people.test', 'archive@shop.test']);
});

it('the messages of 50 shared messages name who is in To and Cc, nobody in bcc, and have one Message-ID each', async () => {
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      send({
        to:
          n % 2 === 0
            ? { name: 'Änn', email: `to${n}@people.test` }
            : [`to${n}@people.test`, `too${n}@people.test`],
        cc: [{ name: 'The Boss, Inc.', email: `cc${n}@corp.test` }, `cd${n}@corp.test`],
        bcc: [`hidden${n}@shop.test`],
        together: n % 2 === 1,
        tracking: n % 3 === 0,
      }),
    ),
  );
  await deliver();
  const byEmail = new Map(sink.messages().map((each) => [each.emailId, each]));
  for (const [n, { emails: recipients }] of made.entries()) {
    const first = recipients[0]?.email ?? '';
    const received = recipients.map(({ email, to, recipientType }) => {
      const { raw = '', to: envelope } = byEmail.get(email) ?? { to: [] };
      expect(envelope).toEqual([to]);
      return { recipientType, raw, headers: headersOf(raw) };
    });
    const expected = received[0]?.headers ?? new Map<string, string>();
    expect(expected.get('to')).toContain(`to${n}@people.test`);
    expect(expected.get('cc')).toBe(`"The Boss, Inc." <cc${n}@corp.test>,\r\n cd${n}@corp.test`);
    expect(expected.get('message-id')).toBe(`<${first}@shop.test>`);
    for (const { recipientType, raw, headers } of received) {
      for (const name of ['to', 'cc', 'message-id', 'subject', 'from'])
        expect(headers.get(name)).toBe(expected.get(name));
      expect(raw).not.toContain(`hidden${n}@`);
      expect(headers.has('bcc')).toBe(false);
      expect(headers.has('list-unsubscribe')).toBe(recipientType === 'TO');
      const { html = '' } = await PostalMime.parse(raw);
      // Filled in once, for the first recipient.
      expect(html).toContain(`to${n}@people.test`);
      const token = /\/u\/([^/"]+)/.exec(html)?.[1] ?? '';
      const link = decodeLink(test.services.secrets, token);
      expect(link).toMatchObject({ kind: 'preferences' });
      expect(link?.kind === 'preferences' && link.contactId === null).toBe(recipientType !== 'TO');
    }
  }
  const stored = await emails();
  for (const { id, messageId, sharedMessageId } of stored)
    expect(messageId).toBe(id === sharedMessageId ? null : `<${sharedMessageId}@shop.test>`);
});

it('the signature of a shared message covers To and Cc', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await verifiedDomain(test.services, project.id, 'signed.test', { privateKeyPem, algorithm: 'rsa-sha256' });
  await send({ ...copies, from: 'team@signed.test' });
  await deliver();
  const signed = sink
    .messages()
    .map(({ raw = '' }) => /\bh=([^;]+);/.exec(headersOf(raw).get('dkim-signature') ?? '')?.[1]);
  expect(signed).toHaveLength(3);
  for (const names of signed)
    expect(names?.replaceAll(/\s/g, '').split(':')).toEqual(expect.arrayContaining(['to', 'cc']));
});

it('a click in a copy changes that email alone, and an opt-out by its links nobody', async () => {
  const { emails: made } = await send({ cc: 'boss@corp.test', subscribed: true });
  await deliver();
  const [, copy] = made;
  const { raw = '' } = sink.find([copy?.email ?? ''])[0] ?? {};
  const { html = '' } = await PostalMime.parse(raw);
  const anyone = { ...project.ctx, actor: { type: 'anonymous' as const }, project: null };
  const click = /\/t\/c\/([^"]+)/.exec(html)?.[1] ?? '';
  await recordClick.run(anyone, {
    token: click,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0',
    method: 'GET',
  });
  await interactionsStored(test.services);
  await judgeClicks(test.services, { waitMs: 0 });
  const token = /\/u\/([^/"]+)/.exec(html)?.[1] ?? '';
  await changePreferences.runRaw(anyone, { token, action: 'unsubscribe', source: 'one_click' });
  expect((await emails()).map(({ status, clicks }) => ({ status, clicks }))).toEqual([
    { status: 'SENT', clicks: 0 },
    { status: 'CLICKED', clicks: 1 },
  ]);
  expect((await events(copy?.email ?? '')).map(({ name, contactId }) => ({ name, contactId }))).toEqual([
    { name: 'email.sent', contactId: null },
    { name: 'email.click', contactId: null },
  ]);
  expect(await prisma().contact.findMany({ where: { projectId: project.id } })).toMatchObject([
    { subscribed: true },
  ]);
});

it('a copy that bounces suppresses its address, and the contact stays as it is', async () => {
  const { emails: made } = await send({ ...copies, subscribed: true });
  await sink.setBehaviour({ replies: [{ step: 'rcpt', about: 'boss@', reply: '550 5.1.1 No such user' }] });
  await deliver();
  const byId = new Map((await emails()).map((row) => [row.id, row.status]));
  expect(made.map(({ email }) => byId.get(email))).toEqual(['SENT', 'FAILED', 'SENT']);
  expect(await prisma().suppression.findMany({ where: { projectId: project.id } })).toMatchObject([
    { email: 'boss@corp.test', reason: 'BOUNCE' },
  ]);
  expect(await prisma().contact.findMany({ where: { projectId: project.id } })).toMatchObject([
    { email: 'ann@people.test', subscribed: true },
  ]);
});

it('every webhook of an email has its recipient; those of copies have no contact', async () => {
  const endpoint = {
    projectId: project.id,
    url: 'https://hooks.test/',
    types: ['*'],
    enabled: true,
    description: '',
    secretCipher: 'x',
  };
  await prisma().webhookEndpoint.create({ data: { id: project.id, ...endpoint } });
  await prisma().suppression.create({
    data: { projectId: project.id, email: 'archive@shop.test', reason: 'MANUAL' },
  });
  const { emails: made } = await send(copies);
  await deliver();
  const told = await prisma().webhookDelivery.findMany({
    where: { projectId: project.id, type: { startsWith: 'email.' } },
  });
  expect(
    told
      .map(({ type, contactId, copyId, data }) => ({ type, contactId, copyId, data }))
      .toSorted((a, b) => (a.copyId ?? '').localeCompare(b.copyId ?? '')),
  ).toEqual([
    {
      type: 'email.sent',
      contactId: made[0]?.contact?.id,
      copyId: null,
      data: expect.objectContaining({ to: 'ann@people.test', recipientType: 'TO' }),
    },
    {
      type: 'email.sent',
      contactId: null,
      copyId: made[1]?.email,
      data: expect.objectContaining({
        to: 'boss@corp.test',
        recipientType: 'CC',
        contact: null,
        messageId: `<${made[0]?.email}@shop.test>`,
      }),
    },
    {
      type: 'email.skipped',
      contactId: null,
      copyId: made[2]?.email,
      data: expect.objectContaining({ to: 'archive@shop.test', recipientType: 'BCC', contact: null }),
    },
  ]);
});

describe('deleting the contact', () => {
  it('empties and cancels all its copies, so that no address of it is left anywhere', async () => {
    const endpoint = {
      projectId: project.id,
      url: 'https://hooks.test/',
      types: ['*'],
      enabled: true,
      description: '',
      secretCipher: 'x',
    };
    await prisma().webhookEndpoint.create({ data: { id: project.id, ...endpoint } });
    const sent = await send({ ...copies, metadata: { customer: 'ann' } });
    await deliver();
    await send({ ...copies, scheduledAt: new Date(Date.now() + 3_600_000).toISOString() });
    await deleteContact.run(project.ctx, { id: sent.emails[0]?.contact?.id ?? '' });
    const rows = await emails();
    expect(rows.map(({ status, to, contactId }) => ({ status, to, contactId }))).toEqual([
      ...Array(3).fill({ status: 'SENT', to: '', contactId: null }),
      ...Array(3).fill({ status: 'SKIPPED', to: '', contactId: null }),
    ]);
    const left = await prisma().$queryRaw<{ text: string }[]>`
      SELECT e::text AS "text" FROM "Email" e WHERE e."projectId" = ${project.id}::uuid
      UNION ALL SELECT e::text FROM "Event" e WHERE e."projectId" = ${project.id}::uuid
      UNION ALL SELECT d::text FROM "WebhookDelivery" d WHERE d."projectId" = ${project.id}::uuid
      UNION ALL SELECT c::text FROM "Contact" c WHERE c."projectId" = ${project.id}::uuid`;
    expect(left.filter(({ text }) => /ann@|boss@|archive@/.test(text))).toEqual([]);
    // What was cancelled is still told.
    expect(left.filter(({ text }) => text.includes('email.skipped')).length).toBe(6);
  });

  it('that fills in a message for several cancels what still waits of it, and the others keep their emails', async () => {
    const { emails: made } = await send({
      to: ['ann@people.test', 'bob@people.test'],
      cc: 'boss@corp.test',
      together: true,
    });
    await deleteContact.run(project.ctx, { id: made[0]?.contact?.id ?? '' });
    await deliver();
    expect(sink.messages()).toEqual([]);
    expect((await emails()).map(({ status, reason, to }) => ({ status, reason, to }))).toEqual([
      { status: 'SKIPPED', reason: 'cancelled', to: '' },
      { status: 'SKIPPED', reason: 'cancelled', to: 'bob@people.test' },
      { status: 'SKIPPED', reason: 'cancelled', to: '' },
    ]);
  });

  it('of another recipient takes it out of the fields of what still waits', async () => {
    const { emails: made } = await send({ to: ['ann@people.test', 'bob@people.test'], together: true });
    await deleteContact.run(project.ctx, { id: made[1]?.contact?.id ?? '' });
    await deliver();
    expect(sink.messages().map(({ to, raw = '' }) => ({ to, header: headersOf(raw).get('to') }))).toEqual([
      { to: ['ann@people.test'], header: 'ann@people.test' },
    ]);
  });
});

describe('a scheduled shared message', () => {
  const at = () => new Date(Date.now() + 3_600_000).toISOString();
  const status = async (id: string) => (await getEmail.run(project.ctx, { id })).status;

  it('is cancelled by its first email, and by no other', async () => {
    const { emails: made } = await send({ ...copies, scheduledAt: at() });
    const [first = '', second = ''] = made.map(({ email }) => email);
    await expect(cancelEmail.run(project.ctx, { id: second })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(
      rescheduleEmail.runRaw(project.ctx, { id: second, scheduledAt: at() }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await cancelEmail.run(project.ctx, { id: first })).status).toBe('SKIPPED');
    expect((await emails()).map((row) => [row.status, row.reason])).toEqual(
      Array(3).fill(['SKIPPED', 'cancelled']),
    );
    expect(await prisma().deliveryBatch.count({ where: { projectId: project.id } })).toBe(0);
    await expect(cancelEmail.run(project.ctx, { id: first })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('moves as a whole, in one batch', async () => {
    const { emails: made } = await send({ ...copies, scheduledAt: at() });
    const later = new Date(Date.now() + 7_200_000).toISOString();
    await rescheduleEmail.runRaw(project.ctx, { id: made[0]?.email, scheduledAt: later });
    expect((await emails()).map(({ scheduledAt }) => scheduledAt?.toISOString())).toEqual(
      Array(3).fill(later),
    );
    expect(await prisma().deliveryBatch.count({ where: { projectId: project.id } })).toBe(1);
    expect(await status(made[2]?.email ?? '')).toBe('SCHEDULED');
  });

  it('is cancelled by its first email also if that one is suppressed', async () => {
    await prisma().suppression.create({
      data: { projectId: project.id, email: 'ann@people.test', reason: 'MANUAL' },
    });
    const { emails: made } = await send({ ...copies, scheduledAt: at() });
    await cancelEmail.run(project.ctx, { id: made[0]?.email ?? '' });
    expect((await emails()).map((row) => row.reason)).toEqual(['suppressed', 'cancelled', 'cancelled']);
  });

  it('waits as it is while one of its batches is being sent', async () => {
    const { emails: made } = await send(copies);
    await prisma()
      .$executeRaw`UPDATE "DeliveryBatch" SET "token" = uuid7() WHERE "projectId" = ${project.id}::uuid`;
    await expect(cancelEmail.run(project.ctx, { id: made[0]?.email ?? '' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });
});

it('its emails are found together and by their own addresses, and previewed as they were sent', async () => {
  const { emails: made } = await send(copies);
  await send({});
  const ids = made.map(({ email }) => email);
  const list = async (filter: object) =>
    (await listEmails.runRaw(project.ctx, { dir: 'asc', ...filter })).data;
  const found = await list({ sharedMessageId: ids[0] });
  expect(
    found.map(({ id, recipientType, sharedMessageId, subject }) => ({
      id,
      recipientType,
      sharedMessageId,
      subject,
    })),
  ).toEqual(
    ids.map((id, n) => ({
      id,
      recipientType: ['TO', 'CC', 'BCC'][n],
      sharedMessageId: ids[0],
      subject: 'Order for Ann',
    })),
  );
  expect((await list({ recipient: 'boss@corp.test' })).map(({ id }) => id)).toEqual([ids[1]]);
  expect((await list({ search: 'corp.te' })).map(({ id }) => id)).toEqual([ids[1]]);
  expect((await list({ sharedMessageId: ids[1] })).length).toBe(0);
  const other = await createTestProject(test.services);
  expect((await listEmails.runRaw(other.ctx, { sharedMessageId: ids[0] })).data).toEqual([]);
  const previews = await Promise.all(ids.map((id) => previewEmail.run(project.ctx, { id })));
  expect(previews.map(({ subject }) => subject)).toEqual(Array(3).fill('Order for Ann'));
  for (const { html } of previews) expect(html).toContain('ann@people.test');
});

it('variables are checked for the first recipient alone, and its data is that of the contact', async () => {
  const strict = { ...copies, strictVariables: true, data: { city: 'Rome' } };
  await expect(send({ ...strict, body: '{{city}} {{street}}' })).rejects.toMatchObject(
    errorsOf([{ field: 'data.street', message: expect.stringContaining('ann@people.test') }]),
  );
  expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(0);
  expect((await send({ ...strict, subject: 'S', body: '{{city}}' })).emails).toHaveLength(3);
});

it('a repeated key names the emails of the shared message', async () => {
  const ctx = { ...project.ctx, request: { ...project.ctx.request, idempotencyKey: 'order-1' } };
  const { emails: made } = await send(copies, ctx);
  await expect(send(copies, ctx)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
    details: {
      emails: made.map(({ email, to, recipientType, contact }) =>
        expect.objectContaining({ email, to, recipientType, contact }),
      ),
    },
  });
});

it('copies to addresses of the simulator count for nothing and do not opt out the contact', async () => {
  const { emails: made } = await send({ cc: 'unsubscribed@postrider.test', subscribed: true });
  await deliver();
  const task = async () => prisma().simulatorTask.findMany({ where: { emailId: made[1]?.email ?? '' } });
  expect(await task()).not.toEqual([]);
  const { runDueTasks } = await import('../simulator/simulator-tasks.ts');
  await prisma().simulatorTask.updateMany({ data: { dueAt: new Date(0) } });
  await runDueTasks(test.services);
  expect(await prisma().contact.findMany({ where: { projectId: project.id } })).toMatchObject([
    { subscribed: true },
  ]);
});
