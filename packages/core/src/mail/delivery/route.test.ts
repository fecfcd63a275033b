import { FRIENDLY, type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '../../testing/index.ts';
import { getEmail } from '../sending/get-email.ts';
import { sendEmail } from '../sending/send-email.ts';
import { drained, startDelivery, statusesOf, withDelivery } from './delivery.fixture.ts';

let sink: Sink;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  sink = await startSink();
  test = await createTestServices({ env: { SMTP_URL: sink.url } });
});
afterAll(async () => {
  await test.close();
  await sink.stop();
});
beforeEach(async () => {
  await sink.setBehaviour(FRIENDLY);
  sink.clear();
  await test.services.database.prisma.route.deleteMany();
  await test.services.database.prisma.senderPause.deleteMany();
  project = await newProject();
});

const prisma = () => test.services.database.prisma;

async function newProject(): Promise<TestProject> {
  const made = await createTestProject(test.services);
  await verifiedDomain(test.services, made.id, 'mail.test');
  return made;
}

async function send(to: string, from = 'sender@mail.test', by = project): Promise<string> {
  const { emails } = await sendEmail.runRaw(by.ctx, { from, subject: 'Hello', body: '<p>Hi</p>', to });
  return emails[0]?.email ?? '';
}

const find = (id: string) => getEmail.run(project.ctx, { id });
const recipients = () => sink.messages().map(({ to }) => to[0] ?? '');
const pausedAt = async () => (await prisma().route.findFirst())?.pausedAt ?? null;
const drainedSoon = () => drained(test.services, project.id, 60_000);

describe('a mail server that allows few connections', () => {
  it.each([1, 3])(
    'of %i to two processes gets a campaign and transactional email, and the route stays open',
    async (mostConnections) => {
      const campaignId = await sendingCampaign(test.services, project.id);
      await sink.setBehaviour({ mostConnections, delayMs: 5 });
      const runtimes = [startDelivery(test.services, sink.url), startDelivery(test.services, sink.url)];
      try {
        const pauses: (Date | null)[] = [];
        // Until a message was accepted, the second process cannot know that the first one has a connection.
        await send('first@people.test');
        await drainedSoon();
        await waitingMail(test.services, project.id, { count: 60, campaignId, batchSize: 10 });
        await expect.poll(() => sink.messages().length, { timeout: 30_000 }).toBeGreaterThan(5);
        await send('now@people.test');
        await expect
          .poll(
            async () => {
              pauses.push(await pausedAt());
              return recipients().includes('now@people.test');
            },
            { timeout: 30_000 },
          )
          .toBe(true);
        await drainedSoon();
        expect(pauses.filter((at) => at !== null)).toEqual([]);
      } finally {
        await Promise.all(runtimes.map((runtime) => runtime.stop()));
      }
      expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 62 });
      expect(new Set(recipients()).size).toBe(62);
      expect(sink.messages().length).toBe(62);
    },
  );

  it('is used by the other process when the first one stops', async () => {
    await sink.setBehaviour({ mostConnections: 1 });
    const first = startDelivery(test.services, sink.url, { connections: 1 });
    await send('first@people.test');
    await drainedSoon();
    await withDelivery(
      test.services,
      sink.url,
      async () => {
        await first.stop();
        await send('second@people.test');
        await drainedSoon();
      },
      { connections: 1 },
    );
    expect(recipients()).toEqual(['first@people.test', 'second@people.test']);
  });
});

describe('a recipient that is refused for now', () => {
  it.each([
    ['rcpt', '421 4.7.0 Too busy'],
    ['data', '421 4.7.0 Too busy'],
    ['end', '421 4.3.2 Closing'],
    ['rcpt', '451 4.3.0 Later'],
    ['end', '451 4.3.0 Later'],
  ] as const)('at %s by %s holds up its own email alone, which fails after its time', async (step, reply) => {
    const campaignId = await sendingCampaign(test.services, project.id);
    await sink.setBehaviour({ replies: [{ step, about: 'busy@', reply }] });
    const neighbour = await newProject();
    await withDelivery(
      test.services,
      sink.url,
      async () => {
        const busy = await send('busy@people.test');
        await waitingMail(test.services, project.id, { count: 40, campaignId, batchSize: 10 });
        for (let n = 0; n < 10; n += 1) await send(`${n}@people.test`, 'sender@mail.test', neighbour);
        await expect.poll(async () => (await find(busy)).error).toContain(reply);
        expect((await find(busy)).attempts).toBeGreaterThanOrEqual(1);
        await drained(test.services, neighbour.id);
        await expect
          .poll(async () => (await find(busy)).status, { timeout: 30_000, interval: 100 })
          .toBe('FAILED');
        await drainedSoon();
        const { attempts, error, nextAttemptAt } = await find(busy);
        // 1, 2, 5, 15, 30 and 60 minutes, then two hours each, until 72 hours are over.
        expect(attempts).toBeGreaterThan(5);
        expect({ error, nextAttemptAt }).toEqual({ error: reply, nextAttemptAt: null });
      },
      // 72 hours are 2.6 seconds.
      { retryScale: 0.00001 },
    );
    expect(await statusesOf(test.services, project.id)).toEqual({ SENT: 40, FAILED: 1 });
    expect(await statusesOf(test.services, neighbour.id)).toEqual({ SENT: 10 });
    expect(await prisma().senderPause.count()).toBe(0);
    expect(await pausedAt()).toBeNull();
    expect(sink.messages().length).toBe(50);
  });
});

describe('a sender domain that is refused', () => {
  const refuse = (reply: string) =>
    sink.setBehaviour({ replies: [{ step: 'mail', about: '@refused.test', reply }] });

  beforeEach(async () => {
    await verifiedDomain(test.services, project.id, 'refused.test');
  });

  it.each(['421 4.7.0 Not now', '452 4.3.1 Full'])(
    'by %s waits alone, without an attempt, until a probe is accepted',
    async (reply) => {
      await refuse(reply);
      await withDelivery(test.services, sink.url, async () => {
        const waiting = await send('a@people.test', 'shop@refused.test');
        await expect.poll(async () => (await find(waiting)).error ?? '').toContain('accept the sender');
        const others = [await send('b@people.test'), await send('c@people.test')];
        for (const id of others)
          await expect.poll(async () => (await find(id)).status, { timeout: 60_000 }).toBe('SENT');
        expect(await find(waiting)).toMatchObject({
          status: expect.stringMatching(/PENDING|SENDING/),
          attempts: 0,
        });
        expect(await pausedAt()).toBeNull();
        await sink.setBehaviour(FRIENDLY);
        await drainedSoon();
        expect(await find(waiting)).toMatchObject({ status: 'SENT', attempts: 1, error: null });
      });
      expect(await prisma().senderPause.count()).toBe(0);
    },
  );

  it('for good fails no campaign: the third in a row pauses it', async () => {
    await refuse('550 5.7.1 Sender not allowed');
    const [one] = await prisma().domain.findMany({
      where: { projectId: project.id, domain: 'refused.test' },
    });
    const campaignId = await sendingCampaign(test.services, project.id);
    const emails = await waitingMail(test.services, project.id, { count: 40, campaignId, batchSize: 10 });
    await prisma().deliveryBatch.updateMany({ where: { campaignId }, data: { domainId: one?.id ?? null } });
    await prisma().content.updateMany({
      where: { projectId: project.id },
      data: { from: 'news@refused.test' },
    });
    await withDelivery(test.services, sink.url, async () => {
      await expect.poll(() => prisma().senderPause.count()).toBe(1);
      await send('b@people.test');
      await expect.poll(recipients).toEqual(['b@people.test']);
      await sink.setBehaviour(FRIENDLY);
      await drainedSoon();
    });
    const { FAILED = 0, SENT = 0 } = await statusesOf(test.services, project.id);
    expect(FAILED).toBe(2);
    expect(SENT).toBe(emails.length - FAILED + 1);
  });

  it('and is removed meanwhile leaves no pause', async () => {
    await refuse('421 4.7.0 Not now');
    await withDelivery(test.services, sink.url, async () => {
      await send('a@people.test', 'shop@refused.test');
      await expect.poll(() => prisma().senderPause.count()).toBe(1);
      await prisma().domain.deleteMany({ where: { projectId: project.id, domain: 'refused.test' } });
      await expect.poll(() => prisma().senderPause.count(), { timeout: 60_000 }).toBe(0);
      await drainedSoon();
    });
    expect(await statusesOf(test.services, project.id)).toEqual({ FAILED: 1 });
  });
});

describe('a paused route', () => {
  it('is probed without email, and works again although none waits', async () => {
    await withDelivery(test.services, sink.url, async () => {
      await sink.setBehaviour({ paused: true });
      const id = await send('a@people.test');
      await expect.poll(pausedAt, { timeout: 60_000 }).not.toBeNull();
      await prisma().email.updateMany({ where: { id }, data: { status: 'SKIPPED', batchId: null } });
      await prisma().deliveryBatch.deleteMany({ where: { projectId: project.id, token: null } });
      await sink.setBehaviour({ paused: false });
      await expect.poll(pausedAt, { timeout: 60_000 }).toBeNull();
    });
    expect(sink.messages()).toEqual([]);
  });
});
