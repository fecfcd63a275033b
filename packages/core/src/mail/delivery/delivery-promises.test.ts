import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Sink, startSink } from '@postrider/local/sink';
import type { PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedServer, startScriptedServer } from '../../adapters/smtp/scripted-server.fixture.ts';
import { updateContact } from '../../audience/contacts/update-contact.ts';
import { createGuard, pauseCampaign, resumeCampaign } from '../../automation/campaigns/index.ts';
import { newId } from '../../base/lib/ids.ts';
import {
  createTestProject,
  createTestServices,
  sendingCampaign,
  type TestProject,
  type TestServices,
  verifiedDomain,
  waitingMail,
} from '../../testing/index.ts';
import { stopCampaign } from '../ledger/cancel.store.ts';
import { claimBatches } from '../ledger/claim.store.ts';
import { notifyOutbox } from '../ledger/notify-outbox.ts';
import { recordProgress } from '../ledger/progress.store.ts';
import { reapBatches } from '../ledger/reap.store.ts';
import { sendEmail } from '../sending/send-email.ts';
import { noBits, setBit } from './bits.ts';
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
  await sink.setBehaviour({ delayMs: 0, paused: false, reject: { share: 0 } });
  sink.clear();
  project = await newProject();
});

/** Email that a test leaves waiting must not arrive in the next one. */
afterEach(() => test.services.database.prisma.deliveryBatch.deleteMany());

async function newProject(): Promise<TestProject> {
  const created = await createTestProject(test.services);
  await verifiedDomain(test.services, created.id, 'mail.test');
  return created;
}

const send = (from: TestProject, to: string) =>
  sendEmail.runRaw(from.ctx, { to, from: 'sender@mail.test', subject: 'Hello', body: `<p>Hello ${to}</p>` });

const statuses = (of = project) => statusesOf(test.services, of.id);
const arrived = (): string[] => sink.messages().map(({ to }) => to[0] ?? '');
const setRate = (sendRate: number) =>
  test.services.database.prisma.project.update({ where: { id: project.id }, data: { sendRate } });

/** Runs statements on one connection, in place of a delivery process. */
async function asClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await test.services.database.durable.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

describe('order', () => {
  it('transactional email overtakes a campaign that is being sent', async () => {
    const campaignId = await sendingCampaign(test.services, project.id);
    await waitingMail(test.services, project.id, { count: 600, campaignId });
    await sink.setBehaviour({ delayMs: 20 });
    await withDelivery(test.services, sink.url, async () => {
      await expect.poll(() => arrived().length).toBeGreaterThan(20);
      await send(project, 'now@people.test');
      const before = arrived().length;
      await expect.poll(() => arrived().includes('now@people.test')).toBe(true);
      expect(arrived().indexOf('now@people.test') - before).toBeLessThan(200);
      await drained(test.services, project.id);
    });
    expect(await statuses()).toEqual({ SENT: 601 });
  });

  it('a single email of a project does not wait behind thousands of another', async () => {
    const other = await newProject();
    await waitingMail(test.services, other.id, { count: 1_000 });
    await sink.setBehaviour({ delayMs: 20 });
    await withDelivery(test.services, sink.url, async () => {
      await expect.poll(() => arrived().length).toBeGreaterThan(20);
      await send(project, 'alone@people.test');
      const before = arrived().length;
      await expect.poll(() => arrived().includes('alone@people.test')).toBe(true);
      expect(arrived().indexOf('alone@people.test') - before).toBeLessThan(300);
    });
  });

  it('email of 300 projects that send now and then leaves at once', async () => {
    const projects: TestProject[] = [];
    for (let n = 0; n < 300; n += 1) projects.push(await newProject());
    await withDelivery(
      test.services,
      sink.url,
      async () => {
        for (const each of projects) await send(each, `${each.id}@people.test`);
        // Those of most projects have arrived before that of the last one is accepted.
        expect(arrived().length).toBeGreaterThan(150);
        await expect.poll(() => arrived().length).toBe(300);
      },
      { connections: 10 },
    );
  });
});

describe('an opt-out', () => {
  const prisma = () => test.services.database.prisma;
  const waiting = async () => {
    const campaignId = await sendingCampaign(test.services, project.id);
    const emails = await waitingMail(test.services, project.id, {
      count: 3,
      campaignId,
      type: 'MARKETING',
      batchSize: 1,
    });
    const [moved, same, staying] = emails;
    if (!moved || !same || !staying) throw new Error('no email was made');
    return { moved, same, staying };
  };
  const outcomeOf = (id: string) =>
    prisma().email.findUniqueOrThrow({ where: { id }, select: { status: true, reason: true } });
  const deliver = () => withDelivery(test.services, sink.url, () => drained(test.services, project.id));

  it('counts although the address of the contact changed after the audience was frozen', async () => {
    const { moved, same, staying } = await waiting();
    for (const [{ contactId: id }, data] of [
      [moved, { email: 'moved@people.test' }],
      [same, {}],
    ] as const) {
      await updateContact.run(project.ctx, { id, ...data });
      await updateContact.run(project.ctx, { id, subscribed: false });
    }
    await deliver();
    expect(await outcomeOf(moved.id)).toEqual({ status: 'SKIPPED', reason: 'unsubscribed' });
    expect(await outcomeOf(same.id)).toEqual({ status: 'SKIPPED', reason: 'unsubscribed' });
    expect(arrived()).toEqual([staying.to]);
  });

  it('of the new address, by suppression, counts too', async () => {
    const { moved, same, staying } = await waiting();
    await updateContact.run(project.ctx, { id: moved.contactId, email: 'blocked@people.test' });
    await prisma().suppression.create({
      data: { projectId: project.id, email: 'blocked@people.test', reason: 'MANUAL' },
    });
    await updateContact.run(project.ctx, { id: same.contactId, email: 'fine@people.test' });
    await deliver();
    expect(await outcomeOf(moved.id)).toEqual({ status: 'SKIPPED', reason: 'suppressed' });
    expect(arrived().toSorted()).toEqual([same.to, staying.to].toSorted());
  });

  it('of the contact does not stop email to another person, but one of that person does', async () => {
    const emails = await waitingMail(test.services, project.id, { count: 2, type: 'MARKETING' });
    const [kept, stopped] = emails;
    if (!kept || !stopped) throw new Error('no email was made');
    for (const [{ id, contactId }, to] of [
      [kept, 'colleague@people.test'],
      [stopped, 'leaver@people.test'],
    ] as const) {
      await prisma().email.update({ where: { id }, data: { to, toOther: true, sourceType: 'WORKFLOW' } });
      await updateContact.run(project.ctx, { id: contactId, subscribed: false });
    }
    const leaver = newId();
    await prisma().contact.create({
      data: { id: leaver, projectId: project.id, email: 'leaver@people.test' },
    });
    await updateContact.run(project.ctx, { id: leaver, subscribed: false });
    await deliver();
    expect(arrived()).toEqual(['colleague@people.test']);
    expect(await outcomeOf(stopped.id)).toEqual({ status: 'SKIPPED', reason: 'unsubscribed' });
  });
});

describe('the sending rate', () => {
  it('is kept: after the first second, at most the rate leaves in any second', async () => {
    await setRate(50);
    await waitingMail(test.services, project.id, { count: 200 });
    const begun = performance.now();
    await withDelivery(test.services, sink.url, () => drained(test.services, project.id));
    const seconds = (performance.now() - begun) / 1_000;
    // 50 at once, 150 more at 50 a second.
    expect(seconds).toBeGreaterThan(2.9);
    expect(await statuses()).toEqual({ SENT: 200 });
  });

  it('belongs to transactional email first: a campaign takes what it leaves', async () => {
    await setRate(40);
    const campaignId = await sendingCampaign(test.services, project.id);
    await waitingMail(test.services, project.id, { count: 200, campaignId });
    await withDelivery(test.services, sink.url, async () => {
      await expect.poll(() => arrived().length).toBeGreaterThanOrEqual(30);
      const direct = new Set(
        (await waitingMail(test.services, project.id, { count: 60 })).map(({ to }) => to),
      );
      const isDirect = (to: string) => direct.has(to);
      await expect.poll(() => arrived().filter(isDirect).length).toBe(60);
      const meanwhile = arrived().slice(arrived().findIndex(isDirect), arrived().findLastIndex(isDirect));
      // Equal shares would have let as many of its emails leave.
      expect(meanwhile.filter((to) => !isDirect(to)).length).toBeLessThan(30);
    });
  });
});

describe('a message that the server answers late', () => {
  let server: ScriptedServer;
  afterAll(() => server.close());

  it('holds no other message', async () => {
    let late: Socket | undefined;
    server = await startScriptedServer({
      dot: ({ to, socket }) => {
        if (!to.startsWith('slow')) return undefined;
        late = socket;
        return null;
      },
    });
    const campaignId = await sendingCampaign(test.services, project.id);
    await waitingMail(test.services, project.id, { count: 100, campaignId });
    await send(project, 'slow@people.test');
    await withDelivery(test.services, server.url, async () => {
      await expect.poll(() => server.received.length).toBe(101);
      late?.write('250 2.0.0 queued at last\r\n');
      await drained(test.services, project.id);
    });
    expect(await statuses()).toEqual({ SENT: 101 });
  });
});

describe('a campaign on two processes', () => {
  it('uses the connections of both and reaches everyone once', async () => {
    const second = await startSink();
    try {
      const campaignId = await sendingCampaign(test.services, project.id);
      for (let n = 0; n < 6; n += 1) await waitingMail(test.services, project.id, { count: 500, campaignId });
      const ended: string[] = [];
      const onCampaignDrained = (id: string) => void ended.push(id);
      await Promise.all([sink, second].map((each) => each.setBehaviour({ delayMs: 10 })));
      await withDelivery(
        test.services,
        sink.url,
        () =>
          withDelivery(test.services, second.url, () => drained(test.services, project.id, 40_000), {
            onCampaignDrained,
          }),
        { onCampaignDrained },
      );
      const [first, others] = [sink.messages().length, second.messages().length];
      expect(first + others).toBe(3_000);
      expect(Math.min(first, others)).toBeGreaterThan(500);
      const addresses = [...sink.messages(), ...second.messages()].map(({ to }) => to[0]);
      expect(new Set(addresses).size).toBe(3_000);
      expect(await statuses()).toEqual({ SENT: 3_000 });
      expect(new Set(ended)).toEqual(new Set([campaignId]));
      expect(ended.length).toBeLessThanOrEqual(4);
    } finally {
      await second.stop();
    }
  });
});

describe('a cancelled campaign', () => {
  it('begins nothing after the cancellation was answered; what has begun is finished and counted', async () => {
    const { prisma } = test.services.database;
    const campaignId = await sendingCampaign(test.services, project.id);
    await waitingMail(test.services, project.id, { count: 400, campaignId });
    await sink.setBehaviour({ delayMs: 30 });
    await withDelivery(
      test.services,
      sink.url,
      async () => {
        await expect.poll(() => arrived().length).toBeGreaterThan(50);
        await prisma.campaign.update({ where: { id: campaignId }, data: { status: 'CANCELLED' } });
        await stopCampaign(prisma, campaignId);
        const [{ begun } = { begun: 0 }] = await prisma.$queryRaw<{ begun: number }[]>`
          SELECT sum(bit_count("begun"))::int AS begun FROM "DeliveryBatch" WHERE "campaignId" = ${campaignId}::uuid`;
        await drained(test.services, project.id);
        expect(arrived().length).toBeLessThanOrEqual(begun);
      },
      { connections: 10 },
    );
    const { SENT = 0, SKIPPED = 0 } = await statuses();
    expect(SENT).toBe(arrived().length);
    expect(SENT + SKIPPED).toBe(400);
    expect(await prisma.campaignCounter.findUniqueOrThrow({ where: { campaignId } })).toMatchObject({
      sentCount: SENT,
      skippedCount: SKIPPED,
      uncertainCount: 0,
    });
  });
});

describe('a paused campaign', () => {
  it('begins nothing after the pause was answered, costs no email an attempt, and reaches each contact once', async () => {
    const { prisma } = test.services.database;
    const campaignId = await sendingCampaign(test.services, project.id);
    await waitingMail(test.services, project.id, { count: 400, campaignId, batchSize: 20 });
    await sink.setBehaviour({ delayMs: 10 });
    await withDelivery(
      test.services,
      sink.url,
      async () => {
        for (const least of [50, 150]) {
          await expect.poll(() => arrived().length).toBeGreaterThan(least);
          await pauseCampaign.run(project.ctx, { id: campaignId });
          const [{ begun } = { begun: 0 }] = await prisma.$queryRaw<{ begun: number }[]>`
            SELECT coalesce(sum(bit_count("begun")), 0)::int + (
              SELECT count(*)::int FROM "Email" WHERE "campaignId" = ${campaignId}::uuid AND "sentAt" IS NOT NULL) AS begun
            FROM "DeliveryBatch" WHERE "campaignId" = ${campaignId}::uuid`;
          await expect
            .poll(() => prisma.deliveryBatch.count({ where: { campaignId, held: false } }), {
              timeout: 60_000,
            })
            .toBe(0);
          expect(arrived().length).toBeLessThanOrEqual(begun);
          const { SENT = 0, PENDING = 0 } = await statuses();
          expect([SENT, PENDING]).toEqual([arrived().length, 400 - arrived().length]);
          await resumeCampaign.run(project.ctx, { id: campaignId });
        }
        await drained(test.services, project.id);
      },
      { connections: 10 },
    );
    expect(new Set(arrived()).size).toBe(400);
    expect(arrived()).toHaveLength(400);
    expect(await prisma.email.count({ where: { campaignId, attempts: { not: 1 } } })).toBe(0);
    expect(await prisma.campaignCounter.findUniqueOrThrow({ where: { campaignId } })).toMatchObject({
      sentCount: 400,
      skippedCount: 0,
    });
  });
});

it('a list with 12 % unknown mailboxes is paused before half of it is sent; without a guard it is sent', async () => {
  const { prisma } = test.services.database;
  await sink.setBehaviour({ reject: { share: 0.12, reply: '550 5.1.1 no such user' } });
  const begin = async (guard: boolean) => {
    const campaignId = await sendingCampaign(test.services, project.id);
    await prisma.campaign.update({ where: { id: campaignId }, data: { guard } });
    await waitingMail(test.services, project.id, { count: guard ? 1_200 : 500, campaignId, batchSize: 50 });
    return campaignId;
  };
  const guarded = await begin(true);
  const counted = () => prisma.campaignCounter.findUniqueOrThrow({ where: { campaignId: guarded } });
  await withDelivery(
    test.services,
    sink.url,
    async () => {
      await expect
        .poll(() => prisma.campaign.findUniqueOrThrow({ where: { id: guarded } }), { timeout: 60_000 })
        .toMatchObject({ status: 'SENDING', pauseReason: 'guard_bounces' });
      await expect
        .poll(() => prisma.deliveryBatch.count({ where: { campaignId: guarded, held: false } }), {
          timeout: 60_000,
        })
        .toBe(0);
    },
    { sendRate: 100, onCampaignCounted: createGuard(test.services) },
  );
  const { sentCount, refusedCount } = await counted();
  expect(sentCount + refusedCount).toBeLessThan(600);
  await prisma.deliveryBatch.deleteMany({ where: { campaignId: guarded } });

  const unguarded = await begin(false);
  await withDelivery(test.services, sink.url, () => drained(test.services, project.id), {
    onCampaignCounted: createGuard(test.services),
  });
  const { sentCount: sent, failedCount } = await prisma.campaignCounter.findUniqueOrThrow({
    where: { campaignId: unguarded },
  });
  expect(sent + failedCount).toBe(500);
}, 180_000);

describe('a lease', () => {
  // In the order of all statements that lock several batches: in another one the two could wait for each other.
  const expire = () =>
    test.services.database.prisma.$executeRaw`
      UPDATE "DeliveryBatch" SET "leaseUntil" = now() - interval '1 second' WHERE "id" = ANY(ARRAY(
        SELECT "id" FROM "DeliveryBatch" WHERE "projectId" = ${project.id}::uuid AND "token" IS NOT NULL ORDER BY "id" FOR NO KEY UPDATE))`;

  it('that has expired without a takeover refuses beginnings, and loses nothing', async () => {
    await waitingMail(test.services, project.id, { count: 120 });
    await sink.setBehaviour({ delayMs: 30 });
    await withDelivery(test.services, sink.url, async () => {
      for (let n = 0; n < 5; n += 1) {
        await delay(60);
        await expire();
      }
      await drained(test.services, project.id);
    });
    expect(await statuses()).toEqual({ SENT: 120 });
    expect(new Set(arrived()).size).toBe(120);
    expect(arrived()).toHaveLength(120);
  });

  it('that was taken over while messages were under way: their late answers still count', async () => {
    const campaignId = await sendingCampaign(test.services, project.id);
    await waitingMail(test.services, project.id, { count: 60, campaignId });
    await sink.setBehaviour({ delayMs: 400 });
    await withDelivery(test.services, sink.url, async () => {
      await expect.poll(() => arrived().length).toBeGreaterThan(0);
      await expire();
      const { uncertain } = await asClient((client) => reapBatches(client, 100));
      expect(uncertain).toBeGreaterThan(0);
      await sink.setBehaviour({ delayMs: 0 });
      await drained(test.services, project.id);
      await expect.poll(() => statuses()).toEqual({ SENT: 60 });
    });
    expect(new Set(arrived()).size).toBe(60);
    expect(arrived()).toHaveLength(60);
    expect(
      await test.services.database.prisma.campaignCounter.findUniqueOrThrow({ where: { campaignId } }),
    ).toMatchObject({ sentCount: 60, uncertainCount: 0 });
  });

  it('of a process that was killed ends: what had begun is uncertain, the rest is sent', async () => {
    const campaignId = await sendingCampaign(test.services, project.id);
    await waitingMail(test.services, project.id, { count: 40, campaignId });
    await asClient(async (client) => {
      const { batches } = await claimBatches(client, {
        projects: [{ projectId: project.id, maxEmails: 500 }],
        kind: 'bulk',
        token: newId(),
        worker: 'killed',
        leaseMs: 500,
        defaultRate: 10_000,
      });
      await recordProgress(
        client,
        batches.map(({ id, token, count }) => {
          const begun = noBits(count);
          for (const n of [0, 1, 2]) setBit(begun, n);
          return { id, token, begun, answered: noBits(count), results: null };
        }),
      );
    });
    await withDelivery(test.services, sink.url, () => drained(test.services, project.id), { leaseMs: 1_000 });
    expect(await statuses()).toEqual({ UNCERTAIN: 3, SENT: 37 });
    expect(arrived()).toHaveLength(37);
  });
});

describe('an accepted email', () => {
  it('reaches the mail server without waiting for the next poll of the queue', async () => {
    const { prisma } = test.services.database;
    const listening = () => prisma.$queryRaw<unknown[]>`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'LISTEN%' AND state = 'idle'`;
    await withDelivery(
      test.services,
      sink.url,
      async () => {
        await expect.poll(async () => (await listening()).length).toBeGreaterThan(0);
        for (let n = 0; n < 15; n += 1) {
          await send(project, `${n}@people.test`);
          await expect.poll(() => arrived().length).toBe(n + 1);
        }
      },
      { pollMs: 600_000 },
    );
  });
});

describe('a paused route', () => {
  it('uses no probe for email that is skipped', async () => {
    const { prisma } = test.services.database;
    await sink.setBehaviour({ paused: true });
    await send(project, 'first@people.test');
    const runtime = startDelivery(test.services, sink.url, { probeSeconds: [1, 600] });
    try {
      await expect.poll(async () => (await prisma.route.findFirst())?.pausedAt ?? null).not.toBeNull();
      const disabled = await newProject();
      await waitingMail(test.services, disabled.id, { count: 50 });
      await prisma.project.update({ where: { id: disabled.id }, data: { disabled: true } });
      notifyOutbox(test.services, disabled.id);
      await sink.setBehaviour({ paused: false });
      // The second probe is ten minutes away: the first one must be a message that reaches the server.
      await expect.poll(() => arrived()).toEqual(['first@people.test']);
      await drained(test.services, disabled.id);
      expect(await statuses(disabled)).toEqual({ SKIPPED: 50 });
    } finally {
      await runtime.stop();
    }
  });
});
