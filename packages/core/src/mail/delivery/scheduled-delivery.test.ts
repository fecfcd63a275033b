import { setTimeout as delay } from 'node:timers/promises';
import { type Sink, startSink } from '@postrider/local/sink';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../base/kernel/index.ts';
import { readUsage } from '../../people/billing/usage.store.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { scheduledPriority } from '../ledger/ledger.rules.ts';
import { cancelEmail } from '../sending/cancel-email.ts';
import { rescheduleEmail } from '../sending/reschedule-email.ts';
import { sendEmail } from '../sending/send-email.ts';
import { drained, startDelivery, withDelivery } from './delivery.fixture.ts';

let sink: Sink;
let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  sink = await startSink();
  test = await createTestServices({
    env: { SMTP_URL: sink.url, STRIPE_SECRET_KEY: 'sk_test_unused' },
  });
});
afterAll(async () => {
  await test.close();
  await sink.stop();
});
beforeEach(async () => {
  await sink.setBehaviour({ delayMs: 0, paused: false });
  sink.clear();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const prisma = () => test.services.database.prisma;
const send = (to: string | string[], more: object = {}) =>
  sendEmail.runRaw(project.ctx, { to, from: 'team@shop.test', subject: 'S', body: 'B', ...more });
const idsOf = ({ emails }: { emails: { email: string }[] }): string[] => emails.map(({ email }) => email);
const addresses = (count: number): string[] => Array.from({ length: count }, (_, n) => `${n}@people.test`);
const arrivedAt = (): Map<string, Date[]> =>
  new Map(
    [...Map.groupBy(sink.messages(), ({ emailId }) => emailId)].map(([id, messages]) => [
      id,
      messages.map(({ at }) => new Date(at)),
    ]),
  );

/** How a change ended: it took effect, or the email had been claimed before. */
async function outcomeOf(change: Promise<unknown>): Promise<'changed' | 'claimed'> {
  try {
    await change;
    return 'changed';
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return 'claimed';
    throw error;
  }
}

it('leaves at its time, not before, and once', async () => {
  await withDelivery(test.services, sink.url, async () => {
    const times = new Map<string, Date>();
    const begin = Date.now() + 700;
    for (let n = 0; n < 40; n += 1) {
      const at = new Date(begin + n * 25);
      for (const id of idsOf(await send(`${n}@people.test`, { scheduledAt: at.toISOString() })))
        times.set(id, at);
    }
    await drained(test.services, project.id);
    const arrived = arrivedAt();
    for (const [id, at] of times) {
      expect(arrived.get(id)).toHaveLength(1);
      expect(arrived.get(id)?.[0]?.getTime()).toBeGreaterThanOrEqual(at.getTime());
    }
  });
  expect(await prisma().email.count({ where: { projectId: project.id, status: 'SENT' } })).toBe(40);
});

describe('a change at the instant at which an email is due', () => {
  it.each([
    ['cancelling', (id: string) => cancelEmail.runRaw(project.ctx, { id })],
    [
      'rescheduling',
      (id: string) =>
        rescheduleEmail.runRaw(project.ctx, { id, scheduledAt: new Date(Date.now() + 4_000).toISOString() }),
    ],
  ])('takes effect before a claim, or is refused after it: %s', async (what, change) => {
    const count = 200;
    const runtime = startDelivery(test.services, sink.url, { connections: 10 });
    const changes: { id: string; scheduledAt: Date; outcome: Promise<'changed' | 'claimed'> }[] = [];
    const begin = Date.now() + 3_000;
    for (let n = 0; n < count; n += 1) {
      const scheduledAt = new Date(begin + n * 5);
      const [id = ''] = idsOf(await send(`${n}@people.test`, { scheduledAt: scheduledAt.toISOString() }));
      // From 200 ms before the time to 100 ms after it.
      const at = scheduledAt.getTime() + ((n * 37) % 301) - 200;
      const outcome = delay(Math.max(0, at - Date.now())).then(() => outcomeOf(change(id)));
      outcome.catch(() => undefined);
      changes.push({ id, scheduledAt, outcome });
    }
    const outcomes = await Promise.all(changes.map(({ outcome }) => outcome));
    await drained(test.services, project.id);
    await runtime.stop();
    const arrived = arrivedAt();
    const isCancel = what === 'cancelling';
    let sent = 0;
    for (const [index, { id, scheduledAt }] of changes.entries()) {
      const times = arrived.get(id) ?? [];
      const email = await prisma().email.findUniqueOrThrow({ where: { id } });
      const isSent = outcomes[index] === 'claimed' || !isCancel;
      sent += isSent ? 1 : 0;
      expect([outcomes[index], times.length, email.status]).toEqual([
        outcomes[index],
        isSent ? 1 : 0,
        isSent ? 'SENT' : 'SKIPPED',
      ]);
      // A new time counts, and no longer the old one.
      const due = outcomes[index] === 'changed' ? email.scheduledAt : scheduledAt;
      for (const time of times) expect(time.getTime()).toBeGreaterThanOrEqual(due?.getTime() ?? 0);
    }
    expect(new Set(outcomes)).toEqual(new Set(['changed', 'claimed']));
    expect((await readUsage(prisma(), project.id)).transactional).toBe(sent);
    expect(await prisma().event.count({ where: { projectId: project.id, name: 'email.skipped' } })).toBe(
      count - sent,
    );
  });
});

it('a single send overtakes thousands of emails that are due at one instant', async () => {
  await prisma().project.update({ where: { id: project.id }, data: { subscription: 'sub_1' } });
  const at = new Date(Date.now() + 600_000);
  for (const part of [0, 1, 2]) {
    await send(
      addresses(1_000).map((address) => `${part}-${address}`),
      { scheduledAt: at.toISOString() },
    );
  }
  const where = { projectId: project.id };
  await prisma().deliveryBatch.updateMany({ where, data: { nextAttemptAt: new Date() } });
  await prisma().email.updateMany({ where, data: { scheduledAt: new Date() } });
  expect(
    await prisma().deliveryBatch.count({ where: { projectId: project.id, priority: scheduledPriority } }),
  ).toBe(3_000);
  await sink.setBehaviour({ delayMs: 20 });
  await withDelivery(test.services, sink.url, async () => {
    await expect.poll(() => sink.messages().length).toBeGreaterThan(20);
    await send('now@people.test');
    const before = sink.messages().length;
    const place = () => sink.messages().findIndex(({ to }) => to[0] === 'now@people.test');
    await expect.poll(place).toBeGreaterThanOrEqual(0);
    // A process claims for a project when it holds less than 250 of its emails, and at most 200 at once.
    expect(place() - before).toBeLessThan(300);
  });
  await prisma().deliveryBatch.deleteMany({ where: { projectId: project.id } });
});
