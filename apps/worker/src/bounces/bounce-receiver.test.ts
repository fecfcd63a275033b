import { TaskLimitError, type Threads } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  waitingMail,
} from '@postrider/core/testing/index.ts';
import { SmtpClient } from '@postrider/core/testing/smtp-client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BounceReceiver, startBounceReceiver } from './bounce-receiver.ts';
import {
  addressOf as addressFor,
  deliver as deliverTo,
  dsn,
  session as sessionOn,
} from './smtp-client.fixture.ts';

let test: TestServices;
let project: TestProject;
let receiver: BounceReceiver;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  receiver = await startBounceReceiver(test.services, 0);
});
afterAll(async () => {
  await receiver.stop();
  await test.close();
});

const session = (port = receiver.port) => sessionOn(port);
const deliver = (to: string, message: string, from?: string, port = receiver.port) =>
  deliverTo(port, to, message, from);
const addressOf = (emailId: string, domain?: string) => addressFor(test.services, emailId, domain);

async function sentMail() {
  const [email] = await waitingMail(test.services, project.id, { count: 1 });
  if (!email) throw new Error('no email was made');
  await test.services.database.prisma.deliveryBatch.delete({ where: { id: email.batchId } });
  await test.services.database.prisma.email.update({
    where: { id: email.id },
    data: { status: 'SENT', sentAt: new Date(), batchId: null },
  });
  return email;
}
const emailOf = (id: string) => test.services.database.prisma.email.findUniqueOrThrow({ where: { id } });
const interactionsOf = (emailId: string) =>
  test.services.database.prisma.interaction.findMany({ where: { emailId } });

describe('a report', () => {
  it('is stored when it is answered with 250, from any sender and in any case of the address', async () => {
    const email = await sentMail();
    const replies = await deliver(addressOf(email.id).toUpperCase(), dsn(), 'someone@elsewhere.example');
    expect(replies.at(-1)).toMatch(/^250 /);
    expect(await emailOf(email.id)).toMatchObject({ status: 'BOUNCED', bouncedAt: expect.any(Date) });
    expect(await interactionsOf(email.id)).toMatchObject([{ type: 'bounce', detail: '550 5.1.1 unknown' }]);
  });

  it('about this recipient takes effect, one about another suppresses nobody', async () => {
    const [own, other] = [await sentMail(), await sentMail()];
    const [name, domain] = own.to.split('@');
    await deliver(addressOf(own.id), dsn(`<${name}+tag@${domain?.toUpperCase()}> (comment)`));
    await deliver(addressOf(other.id), dsn('member@elsewhere.example'));
    expect((await emailOf(own.id)).status).toBe('BOUNCED');
    expect(await emailOf(other.id)).toMatchObject({ status: 'SENT', diagnosis: null });
    expect(await interactionsOf(other.id)).toMatchObject([
      { type: 'unknown', detail: 'About another recipient: member@elsewhere.example' },
    ]);
    const suppressed = await test.services.database.prisma.suppression.findMany({
      where: { projectId: project.id, email: { in: [own.to, other.to] } },
    });
    expect(suppressed.map(({ email }) => email)).toEqual([own.to]);
  });

  it('that arrives twice is accepted twice and counts once', async () => {
    const email = await sentMail();
    const message = dsn();
    expect((await deliver(addressOf(email.id), message)).at(-1)).toMatch(/^250 /);
    expect((await deliver(addressOf(email.id), `Received: from relay\r\n${message}`)).at(-1)).toMatch(
      /^250 /,
    );
    expect(await interactionsOf(email.id)).toHaveLength(1);
  });

  it('several follow each other on one connection', async () => {
    const client = await session();
    for (const email of [await sentMail(), await sentMail()]) {
      await client.say('MAIL FROM:<>');
      expect(await client.say(`RCPT TO:<${addressOf(email.id)}>`)).toMatch(/^250 /);
      await client.say('DATA');
      expect(await client.say(`${dsn()}\r\n.`)).toMatch(/^250 /);
      expect((await emailOf(email.id)).status).toBe('BOUNCED');
    }
    client.end();
  });
});

describe('mail for other addresses', () => {
  it.each([
    ['of a person', () => 'reader@people.example'],
    ['of an email that does not exist', () => addressOf(newId())],
    ['that is malformed', () => 'b-abc@bounces.mail.test'],
    ['without a proof', (id: string) => addressOf(id).replace(/-[^-]*@/, '@')],
    [
      'with the proof of another email',
      (id: string) => addressOf(id).replace(/-[^-]*@/, /-[^-]*@/.exec(addressOf(newId()))?.[0] ?? ''),
    ],
    ['at another domain', (id: string) => addressOf(id, 'shop.example')],
    ['at the domain itself', (id: string) => addressOf(id).replace('bounces.', '')],
  ])('%s is refused', async (_, address) => {
    const email = await sentMail();
    expect((await deliver(address(email.id), dsn())).at(-1)).toMatch(/^550 5\.1\.1 /);
    expect(await interactionsOf(email.id)).toEqual([]);
  });
});

describe('what would do harm', () => {
  it('a report that takes too long to read is unknown, and is not repeated', async () => {
    const email = await sentMail();
    const threads: Threads = {
      run: () => Promise.reject(new TaskLimitError('time')),
      start: () => Promise.resolve(),
      isSlow: () => false,
      wake: () => undefined,
      release: () => undefined,
      close: () => Promise.resolve(),
    };
    const slow = await startBounceReceiver({ ...test.services, threads }, 0);
    expect((await deliver(addressOf(email.id), dsn(), '', slow.port)).at(-1)).toMatch(/^250 /);
    expect(await interactionsOf(email.id)).toMatchObject([
      { type: 'unknown', detail: 'The report takes too long to read' },
    ]);
    expect((await emailOf(email.id)).status).toBe('SENT');
    await slow.stop();
  });

  it('a field of nothing but brackets is read', async () => {
    const email = await sentMail();
    const hostile = dsn().replace('Action: failed', `Action: failed ${'('.repeat(900_000)}`);
    expect((await deliver(addressOf(email.id), hostile)).at(-1)).toMatch(/^250 /);
    expect(await interactionsOf(email.id)).toHaveLength(1);
  });

  it('a message of 10 MB is refused, announced or not, and leaves nothing', async () => {
    const email = await sentMail();
    const client = await session();
    expect(await client.say(`MAIL FROM:<> SIZE=${10 * 1_048_576}`)).toMatch(/^552 /);
    client.end();
    const junk = `${'x'.repeat(998)}\r\n`.repeat(10_500);
    expect((await deliver(addressOf(email.id), `Subject: x\r\n\r\n${junk}`)).at(-1)).toMatch(/^552 /);
    expect(await interactionsOf(email.id)).toEqual([]);
  });

  it('an email of the platform itself is a loop', async () => {
    const email = await sentMail();
    const own = `X-Postrider-Email: ${email.id}\r\nSubject: News\r\n\r\nHello`;
    expect((await deliver(addressOf(email.id), own)).at(-1)).toMatch(/^554 5\.4\.6 /);
    expect(await interactionsOf(email.id)).toEqual([]);
  });

  it('silent clients, long connections and too many of one address are closed', async () => {
    const config = { ...test.services.config, SMTP_URL: 'smtp://192.0.2.25:25' };
    const limited = await startBounceReceiver({ ...test.services, config }, 0, {
      connections: 10,
      perClient: { connections: 3, messagesPerMinute: 100, refusals: 100, refusalsMs: 60_000 },
      silenceMs: 60_000,
      connectionMs: 1_000,
      reading: 1,
    });
    const slow = await Promise.all([session(limited.port), session(limited.port), session(limited.port)]);
    const further = new SmtpClient(limited.port);
    expect(await further.reply()).toMatch(/^421 /);
    for (const client of slow) expect(await client.reply()).toBe('');
    (await session(limited.port)).end();
    await limited.stop();
  });
});

it('while the database is away the answer is 451', async () => {
  const other = await createTestServices();
  const away = await startBounceReceiver(other.services, 0);
  const client = await session(away.port);
  await other.close();
  await client.say('MAIL FROM:<>');
  expect(await client.say(`RCPT TO:<${addressFor(other.services, newId())}>`)).toMatch(/^451 4\.3\.0 /);
  client.end();
  await away.stop();
});

it('a port in use is an error that names the variable', async () => {
  await expect(startBounceReceiver(test.services, receiver.port)).rejects.toThrow(/BOUNCE_PORT/);
});
