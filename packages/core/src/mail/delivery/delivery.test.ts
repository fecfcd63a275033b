import { randomBytes } from 'node:crypto';
import { type Sink, type SinkMessage, startSink } from '@postrider/local/sink';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkReputation } from '../../people/reputation/index.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '../../testing/index.ts';
import { sendEmail } from '../sending/send-email.ts';
import {
  drained,
  startDelivery,
  statusesOf,
  type TestDeliveryOptions,
  withDelivery,
} from './delivery.fixture.ts';

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
  await sink.setBehaviour({
    defer: { share: 0 },
    reject: { share: 0 },
    drop: { share: 0, stored: false },
    delayMs: 0,
    paused: false,
    refuseAuth: false,
  });
  sink.clear();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
});

const statuses = () => statusesOf(test.services, project.id);

/** Delivers everything that waits, in one process. */
const deliver = (options: TestDeliveryOptions = {}) =>
  withDelivery(test.services, sink.url, () => drained(test.services, project.id), options);

const read = (message: SinkMessage | undefined) => PostalMime.parse(message?.raw ?? '');

const send = (body: object) =>
  sendEmail.runRaw(project.ctx, {
    from: 'sender@mail.test',
    subject: 'Hello',
    body: '<p>Hi {{name ?? you}}</p>',
    ...body,
  });

describe('a send', () => {
  it('reaches the mail server with its own id and becomes SENT', async () => {
    const { emails } = await send({ to: { email: 'Ann@People.test', name: 'Ann' } });
    await deliver();
    const [email] = emails;
    const [message] = sink.messages();
    expect(sink.messages().length).toBe(1);
    expect(message).toMatchObject({
      from: 'sender@mail.test',
      to: ['ann@people.test'],
      emailId: email?.email,
    });
    expect(message?.messageId).toBe(`<${email?.email}@mail.test>`);
    expect((await read(message)).html).toContain('Hi Ann');
    expect(await statuses()).toEqual({ SENT: 1 });
  });

  it('to a suppressed address is SKIPPED and never handed over', async () => {
    await test.services.database.prisma.suppression.create({
      data: { projectId: project.id, email: 'gone@people.test', reason: 'BOUNCE' },
    });
    await send({ to: ['gone@people.test', 'here@people.test'] });
    await deliver();
    expect(sink.messages().map(({ to }) => to[0])).toEqual(['here@people.test']);
    expect(await statuses()).toEqual({ SENT: 1, SKIPPED: 1 });
  });

  it('to an address that an earlier version has stored: in its normal form, or SKIPPED if it has none', async () => {
    const { prisma } = test.services.database;
    const former = ['ann@müller.example', 'bob@1.2.3', 'cyd@ex%61mple.com', 'rené@people.test'];
    const { emails } = await send({ to: former.map((_, n) => `n${n}@people.test`) });
    for (const [n, { contact, email }] of emails.entries()) {
      const address = former[n] ?? '';
      await prisma.contact.update({ where: { id: contact?.id ?? '' }, data: { email: address } });
      await prisma.email.update({ where: { id: email }, data: { to: address } });
    }
    await deliver();
    expect(
      sink
        .messages()
        .map(({ to }) => to[0])
        .toSorted(),
    ).toEqual(['ann@xn--mller-kva.example', 'rené@people.test']);
    const skipped = await prisma.email.findMany({ where: { projectId: project.id, status: 'SKIPPED' } });
    expect(skipped.map(({ to, reason }) => [to, reason]).toSorted()).toEqual([
      ['bob@1.2.3', 'invalid'],
      ['cyd@ex%61mple.com', 'invalid'],
    ]);
  });
});

describe('the content of a send', () => {
  it('stays as accepted when the contact changes before delivery', async () => {
    const body = 'You are {{email}}, subscribed: {{subscribed}}, {{plan}}';
    await send({ to: 'old@people.test', subscribed: true, data: { plan: 'gold' }, body });
    await test.services.database.prisma.contact.updateMany({
      where: { projectId: project.id },
      data: { email: 'new@people.test', subscribed: false, consentSeq: 1n, data: { plan: 'none' } },
    });
    await deliver();
    expect((await read(sink.messages()[0])).html).toContain(
      'You are old@people.test, subscribed: true, gold',
    );
  });
});

describe('attachments', () => {
  it('of 10 MB arrive byte for byte', async () => {
    const bytes = [randomBytes(7 * 1_048_576), randomBytes(3 * 1_048_576)];
    await send({
      to: 'a@people.test',
      attachments: bytes.map((content, index) => ({
        filename: `${index}.bin`,
        content: content.toString('base64'),
        contentType: 'application/octet-stream',
      })),
    });
    await deliver();
    const [message] = sink.messages();
    // Each part: its headers, an empty line, its base64.
    const parts = (message?.raw ?? '').split('\r\n--').filter((part) => part.includes('.bin'));
    const arrived = parts.map((part) => Buffer.from(part.slice(part.indexOf('\r\n\r\n')), 'base64'));
    expect(arrived.map((content, index) => content.equals(bytes[index] ?? Buffer.alloc(0)))).toEqual([
      true,
      true,
    ]);
  });
});

describe('answers of the mail server', () => {
  it('temporary 4xx: every email is delivered exactly once when the server accepts it', async () => {
    await waitingMail(test.services, project.id, { count: 60 });
    await sink.setBehaviour({ defer: { share: 0.5, forMs: 300 } });
    await deliver();
    expect(await statuses()).toEqual({ SENT: 60 });
    expect(new Set(sink.messages().map(({ to }) => to[0])).size).toBe(60);
    expect(sink.messages().length).toBe(60);
  });

  it('550 5.1.1 to ten of a hundred people, which proves itself, disables the project; to nine it does not', async () => {
    const { prisma } = test.services.database;
    const stateOf = async () =>
      (await prisma.project.findUniqueOrThrow({ where: { id: project.id } })).disabledReason;
    await waitingMail(test.services, project.id, { count: 91 });
    await deliver();
    await sink.setBehaviour({ reject: { share: 1, reply: '550 5.1.1 no such user' } });
    for (const [people, reason] of [
      [9, null],
      [1, 'EMAIL_REPUTATION'],
    ] as const) {
      await waitingMail(test.services, project.id, { count: people });
      await deliver();
      await checkReputation(test.services, project.id);
      expect(await stateOf()).toBe(reason);
    }
    expect(await statuses()).toEqual({ SENT: 91, FAILED: 10 });
  });

  it('550 5.1.1: FAILED, address suppressed, contact unsubscribed, bounce events', async () => {
    await sink.setBehaviour({ reject: { share: 1, reply: '550 5.1.1 no such user' } });
    await send({ to: 'nobody@people.test', subscribed: true });
    await deliver();
    const { prisma } = test.services.database;
    const email = await prisma.email.findFirstOrThrow({ where: { projectId: project.id } });
    expect(email).toMatchObject({ status: 'FAILED', sentAt: null });
    expect(email.bouncedAt).toBeInstanceOf(Date);
    expect(email.error).toContain('no such user');
    expect(
      await prisma.suppression.count({ where: { projectId: project.id, email: 'nobody@people.test' } }),
    ).toBe(1);
    expect(await prisma.contact.findFirstOrThrow({ where: { projectId: project.id } })).toMatchObject({
      subscribed: false,
    });
    const events = await prisma.event.findMany({ where: { projectId: project.id }, orderBy: { id: 'asc' } });
    expect(events.map(({ name }) => name).toSorted()).toEqual([
      'contact.unsubscribed',
      'email.bounce',
      'email.failed',
    ]);
    expect(events.find(({ name }) => name === 'email.bounce')).toMatchObject({
      contactId: email.contactId,
      emailId: email.id,
      data: {
        emailId: email.id,
        subject: expect.any(String),
        from: expect.any(String),
        messageId: expect.stringMatching(`^<${email.id}@[a-z.]+>$`),
        sourceType: 'TRANSACTIONAL',
        bounceType: 'Permanent',
        bouncedAt: email.bouncedAt?.toISOString(),
      },
    });
  });

  it('no answer after the last byte: UNCERTAIN, and never resent automatically', async () => {
    const campaignId = await sendingCampaign(test.services, project.id);
    await waitingMail(test.services, project.id, { count: 20, campaignId });
    await sink.setBehaviour({ drop: { share: 1, stored: true } });
    await deliver();
    expect(await statuses()).toEqual({ UNCERTAIN: 20 });
    expect(sink.messages().length).toBe(20);
  });

  it('an unreachable server costs no attempt: all email waits and is delivered when it is back', async () => {
    await waitingMail(test.services, project.id, { count: 30 });
    await sink.setBehaviour({ paused: true });
    await withDelivery(test.services, sink.url, async () => {
      await expect
        .poll(async () => (await test.services.database.prisma.route.findFirst())?.pausedAt ?? null, {
          timeout: 45_000,
        })
        .not.toBeNull();
      expect(await statuses()).toEqual({ PENDING: 30 });
      await sink.setBehaviour({ paused: false });
      await drained(test.services, project.id);
    });
    expect(await statuses()).toEqual({ SENT: 30 });
    const rows = await test.services.database.prisma.email.findMany({ where: { projectId: project.id } });
    expect(new Set(rows.map(({ attempts }) => attempts))).toEqual(new Set([1]));
    expect(sink.messages().length).toBe(30);
  });
});

describe('changes while email waits', () => {
  it('email of a cancelled campaign is skipped at the claim', async () => {
    const campaignId = await sendingCampaign(test.services, project.id);
    await waitingMail(test.services, project.id, { count: 10, campaignId });
    await test.services.database.prisma.campaign.update({
      where: { id: campaignId },
      data: { status: 'CANCELLED' },
    });
    await deliver();
    expect(sink.messages()).toEqual([]);
    expect(await statuses()).toEqual({ SKIPPED: 10 });
  });

  it('a contact that opts out gets no more marketing email', async () => {
    const [email] = await waitingMail(test.services, project.id, { count: 1, type: 'MARKETING' });
    await test.services.database.prisma.contact.update({
      where: { id: email?.contactId ?? '' },
      data: { subscribed: false, consentSeq: 1n },
    });
    await deliver();
    expect(sink.messages()).toEqual([]);
    expect(await statuses()).toEqual({ SKIPPED: 1 });
  });
});

describe('a process that stops', () => {
  it('finishes what it is sending and gives back the rest', async () => {
    await waitingMail(test.services, project.id, { count: 200 });
    await sink.setBehaviour({ delayMs: 20 });
    const runtime = startDelivery(test.services, sink.url);
    await expect.poll(() => sink.messages().length).toBeGreaterThanOrEqual(20);
    await runtime.stop();
    const { prisma } = test.services.database;
    expect(await prisma.deliveryBatch.count({ where: { projectId: project.id, token: { not: null } } })).toBe(
      0,
    );
    expect(sink.messages().length).toBeLessThan(200);
    expect((await statuses())['SENT']).toBe(sink.messages().length);
    await sink.setBehaviour({ delayMs: 0 });
    await deliver();
    expect(await statuses()).toEqual({ SENT: 200 });
    expect(sink.messages().length).toBe(200);
  });
});
