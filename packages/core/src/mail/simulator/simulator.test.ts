import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readCounts, readRefusals } from '../../people/reputation/reputation.store.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '../../testing/index.ts';
import { type TestDeliveryOptions, withDelivery } from '../delivery/delivery.fixture.ts';
import type { DeliveryRuntime } from '../delivery/index.ts';
import { sendEmail } from '../sending/send-email.ts';
import { judgeClicks } from '../tracking/index.ts';
import { runTask } from './run-task.ts';
import { claimTasks } from './simulator.store.ts';
import { createSimulatorTasks, runDueTasks } from './simulator-tasks.ts';

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
  sink.clear();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
});
afterEach(() => expect(sink.messages()).toEqual([]));

const db = () => test.services.database.prisma;

async function send(name: string, more: object = {}): Promise<string> {
  const { emails } = await sendEmail.runRaw(project.ctx, {
    from: 'sender@mail.test',
    subject: 'Hello',
    body: '<p>Hi</p><a href="https://shop.example/one">One</a><a href="https://shop.example/two">Two</a>',
    to: name.includes('@') ? name : `${name}@postrider.test`,
    ...more,
  });
  return emails[0]?.email ?? '';
}

const find = (id: string) => db().email.findUniqueOrThrow({ where: { id } });
const eventsOf = async (emailId: string) =>
  (await db().event.findMany({ where: { emailId }, orderBy: { createdAt: 'asc' } })).map(({ name }) => name);
const settled = (id: string, status: string, options = {}) =>
  vi.waitFor(async () => expect(await find(id)).toMatchObject({ status }), {
    timeout: 60_000,
    interval: 50,
    ...options,
  });
const suppressed = () => db().suppression.count({ where: { projectId: project.id } });

/** Runs delivery and the simulator beside `work`. */
const simulating = (work: (runtime: DeliveryRuntime) => Promise<void>, options: TestDeliveryOptions = {}) =>
  withDelivery(
    test.services,
    sink.url,
    async (runtime) => {
      const tasks = createSimulatorTasks(test.services);
      tasks.start();
      try {
        await work(runtime);
      } finally {
        await tasks.stop();
      }
    },
    options,
  );

describe('an email to the simulator', () => {
  it('ends as its name says, with the events of a real one, and no byte of it reaches the mail server', async () => {
    const ids = {
      delivered: await send('delivered'),
      other: await send('someone+else'),
      opened: await send('opened+x'),
      clicked: await send('clicked'),
      bounced: await send('bounced+1'),
      softbounced: await send('softbounced'),
      rejected: await send('rejected'),
      blocked: await send('blocked'),
      complained: await send('complained'),
      autoreplied: await send('autoreplied'),
      delayed: await send('delayed'),
      suppressed: await send('suppressed+label'),
    };
    expect(await find(ids.suppressed)).toMatchObject({ status: 'SKIPPED', reason: 'suppressed' });
    await simulating(async () => {
      await settled(ids.delivered, 'DELIVERED');
      await settled(ids.other, 'DELIVERED');
      await settled(ids.opened, 'OPENED');
      await settled(ids.bounced, 'BOUNCED');
      await settled(ids.rejected, 'FAILED');
      await settled(ids.blocked, 'FAILED');
      await settled(ids.complained, 'COMPLAINED');
      await settled(ids.autoreplied, 'DELIVERED');
      await settled(ids.delayed, 'DELIVERED');
      await vi.waitFor(async () => expect(await db().simulatorTask.count()).toBe(0), { timeout: 60_000 });
      await vi.waitFor(
        async () => {
          await judgeClicks(test.services);
          expect(await find(ids.clicked)).toMatchObject({ status: 'CLICKED', opens: 1, clicks: 1 });
        },
        { timeout: 60_000 },
      );
    });
    expect(await find(ids.softbounced)).toMatchObject({ status: 'SENT', bouncedAt: null });
    expect(await find(ids.rejected)).toMatchObject({ bouncedAt: expect.any(Date) });
    expect(await find(ids.blocked)).toMatchObject({ bouncedAt: null, diagnosis: { class: 'blocked' } });
    expect(await find(ids.delayed)).toMatchObject({ attempts: 2 });
    expect(await eventsOf(ids.delivered)).toEqual(['email.sent', 'email.delivery']);
    expect(await eventsOf(ids.bounced)).toEqual(['email.sent', 'email.bounce']);
    expect(await eventsOf(ids.softbounced)).toEqual(['email.sent', 'email.bounce']);
    expect(await eventsOf(ids.rejected)).toEqual(['email.failed', 'email.bounce']);
    expect(await eventsOf(ids.complained)).toEqual(['email.sent', 'email.delivery', 'email.complaint']);
    expect(await eventsOf(ids.clicked)).toEqual([
      'email.sent',
      'email.delivery',
      'email.open',
      'email.click',
    ]);
    expect(
      await db().interaction.findFirst({ where: { emailId: ids.clicked, type: 'click' } }),
    ).toMatchObject({
      link: 'https://shop.example/one',
    });
    expect(await db().interaction.count({ where: { emailId: ids.autoreplied, type: 'auto_reply' } })).toBe(1);
    expect(await suppressed()).toBe(0);
    expect(await find(ids.bounced)).toMatchObject({ simulated: true });
  });

  it('can be repeated, and its effects on the contact are real', async () => {
    const first = await send('bounced');
    await simulating(async () => {
      await settled(first, 'BOUNCED');
      await settled(await send('bounced'), 'BOUNCED');
      const left = await send('unsubscribed', { subscribed: true });
      const contactOf = async (id: string) =>
        db().contact.findUniqueOrThrow({ where: { id: (await find(id)).contactId ?? '' } });
      expect(await contactOf(left)).toMatchObject({ subscribed: true });
      await vi.waitFor(async () => expect(await contactOf(left)).toMatchObject({ subscribed: false }), {
        timeout: 60_000,
      });
      expect(await find(left)).toMatchObject({ unsubscribed: true });
    });
  });

  it('`uncertain` is UNCERTAIN, and is resent once', async () => {
    const id = await send('uncertain');
    await simulating(async () => {
      await settled(id, 'UNCERTAIN');
      await db().deliveryBatch.updateMany({
        where: { projectId: project.id },
        data: { nextAttemptAt: new Date(0) },
      });
      await settled(id, 'DELIVERED');
    });
    expect(await find(id)).toMatchObject({ attempts: 2, autoResent: true });
  });

  it('goes with the sandbox sender to the simulator, which no stranger could be reached by', async () => {
    const id = await send('delivered', { from: test.services.config.sandboxFrom });
    await simulating(() => settled(id, 'DELIVERED'));
  });

  it('beside real recipients of one request leaves them to the mail server', async () => {
    const { emails } = await sendEmail.runRaw(project.ctx, {
      from: 'sender@mail.test',
      subject: 'Hello',
      body: 'Hi',
      to: ['delivered@postrider.test', 'ann@people.test', 'bounced@postrider.test'],
    });
    const [first, second, third] = emails.map(({ email }) => email) as [string, string, string];
    await simulating(async () => {
      await settled(first, 'DELIVERED');
      await settled(second, 'SENT');
      await settled(third, 'BOUNCED');
    });
    expect(sink.messages().map(({ to }) => to)).toEqual([['ann@people.test']]);
    sink.clear();
  });

  it('of a campaign comes to the counters of the campaign', async () => {
    const campaignId = await sendingCampaign(test.services, project.id);
    const mails = await waitingMail(test.services, project.id, { count: 3, campaignId });
    for (const [n, { id, contactId }] of mails.entries()) {
      const email = `${n === 0 ? 'bounced' : 'delivered'}+${n}@postrider.test`;
      await db().contact.update({ where: { id: contactId }, data: { email } });
      await db().email.update({ where: { id }, data: { to: email } });
    }
    await simulating(async () => {
      await vi.waitFor(
        async () =>
          expect(await db().campaignCounter.findUnique({ where: { campaignId } })).toMatchObject({
            sentCount: 3,
            deliveredCount: 2,
            bouncedCount: 1,
          }),
        { timeout: 60_000 },
      );
    });
  });

  it('counts for no reputation, also after its contact was erased', async () => {
    const ids = [
      await send('bounced+1'),
      await send('bounced+2'),
      await send('complained'),
      await send('blocked'),
    ];
    await simulating(async () => {
      for (const id of ids.slice(0, 2)) await settled(id, 'BOUNCED');
      await settled(ids[2] ?? '', 'COMPLAINED');
      await settled(ids[3] ?? '', 'FAILED');
    });
    await db().email.updateMany({ where: { id: { in: ids } }, data: { to: '', contactId: null } });
    expect((await readCounts(db(), project.id, null)).allTime).toMatchObject({
      total: 0,
      bounces: 0,
      complaints: 0,
    });
    expect((await readRefusals(db(), project.id)).classes).toEqual({
      blocked: 0,
      authentication: 0,
      content: 0,
    });
  });
});

describe('a process that is killed', () => {
  it('after a consequence and before its task is removed: it has none again', async () => {
    for (const name of [
      'opened',
      'clicked',
      'bounced',
      'softbounced',
      'complained',
      'unsubscribed',
      'autoreplied',
    ]) {
      const id = await send(name, { subscribed: true });
      await withDelivery(test.services, sink.url, () => settled(id, 'SENT'));
      const { durable } = test.services.database;
      await db().simulatorTask.updateMany({ data: { dueAt: new Date(0) } });
      const tasks = await claimTasks(durable, 100, 0);
      for (const task of tasks) await runTask(test.services, task);
      await judgeClicks(test.services, { waitMs: 0 });
      const before = [await eventsOf(id), await db().interaction.count({ where: { emailId: id } })];
      await vi.waitFor(async () => {
        await runDueTasks(test.services);
        expect(await db().simulatorTask.count()).toBe(0);
      });
      await judgeClicks(test.services, { waitMs: 0 });
      expect([await eventsOf(id), await db().interaction.count({ where: { emailId: id } })]).toEqual(before);
    }
  });
});

it('a consequence that fails again and again is given up after an hour', async () => {
  const id = await send('delivered');
  const old = '0199a000-0000-7000-8000-000000000000';
  await db().simulatorTask.create({
    data: { id: old, projectId: project.id, emailId: id, kind: 'no such kind', dueAt: new Date(0) },
  });
  await runDueTasks(test.services);
  expect(await db().simulatorTask.count({ where: { emailId: id } })).toBe(0);
});
