import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { type TestProject, verifiedDomain } from '../../testing/index.ts';
import { withDelivery } from '../delivery/delivery.fixture.ts';
import { type HeldBatch, openTestLedger, type TestLedger } from '../ledger/ledger.fixture.ts';
import { sendEmail } from '../sending/send-email.ts';
import { judgeClicks } from '../tracking/index.ts';
import { runTask } from './run-task.ts';
import { claimTasks, insertTasks } from './simulator.store.ts';
import { createSimulatorTasks } from './simulator-tasks.ts';

let ledger: TestLedger;
let project: TestProject;
beforeAll(async () => {
  ledger = await openTestLedger();
  project = await ledger.newProject();
  await verifiedDomain(ledger.test.services, project.id, 'mail.test');
});
afterAll(() => ledger.close());

const services = () => ledger.test.services;
const db = () => services().database.prisma;

/** An email whose delivery process has taken it. */
async function taken(name: string): Promise<{ id: string; held: HeldBatch }> {
  const { emails } = await sendEmail.runRaw(project.ctx, {
    from: 'sender@mail.test',
    subject: 'Hello',
    body: '<p>Hi</p><a href="https://shop.example/one">One</a>',
    to: { email: `${name}@postrider.test` },
    subscribed: true,
  });
  const { held } = await ledger.takeOne(project.id);
  return { id: emails[0]?.email ?? '', held };
}

const storeTask = (emailId: string) =>
  insertTasks(services().database.durable, [
    { id: newId(), projectId: project.id, emailId, kind: 'delivered', link: null, afterMs: 1_000 },
  ]);

/** Everything that other processes do after the one that held the batch is gone, until the email is delivered. */
async function recover(id: string, held: HeldBatch): Promise<void> {
  await ledger.expire(held);
  await ledger.reap();
  await db().deliveryBatch.updateMany({
    where: { projectId: project.id },
    data: { nextAttemptAt: new Date(0) },
  });
  const tasks = createSimulatorTasks(services());
  tasks.start();
  await withDelivery(services(), 'smtp://127.0.0.1:1', async () => {
    await vi.waitFor(
      async () => {
        expect(await db().email.findUnique({ where: { id } })).toMatchObject({ status: 'DELIVERED' });
        expect(await db().simulatorTask.count()).toBe(0);
        expect(await db().deliveryBatch.count({ where: { projectId: project.id } })).toBe(0);
      },
      { timeout: 60_000, interval: 50 },
    );
  });
  await tasks.stop();
}

const eventsOf = async (emailId: string) =>
  (await db().event.findMany({ where: { emailId } })).map(({ name }) => name).toSorted();

/** What a process does with an email, in order; after each step it is killed once. */
const steps: readonly [string, (id: string, held: HeldBatch) => Promise<void>][] = [
  ['it was claimed', async () => undefined],
  ['its tasks were stored', (id) => storeTask(id)],
  [
    'its transfer began',
    async (_, held) => {
      await held.begin(...held.emails);
    },
  ],
  [
    'its answer was recorded',
    async (_, held) => {
      for (const { n } of held.emails) held.answer(n, { outcome: 'sent' });
      await held.record();
    },
  ],
  [
    'its answer was written',
    async (_, held) => {
      await held.write();
    },
  ],
  [
    'a report was applied, and its task not removed',
    async () => {
      await db().simulatorTask.updateMany({ data: { dueAt: new Date(0) } });
      for (const task of await claimTasks(services().database.durable, 10, 0))
        await runTask(services(), task);
    },
  ],
];

describe('a delivery process that is killed leaves each consequence of an email to the simulator once', () => {
  it.each(steps.map(([name], index) => [name, index] as const))('after %s', async (_, index) => {
    const { id, held } = await taken(`delivered+${index}`);
    for (const [, step] of steps.slice(0, index + 1)) await step(id, held);
    await recover(id, held);
    await judgeClicks(services(), { waitMs: 0 });
    const events = await eventsOf(id);
    // Between the two an email is in doubt, as after any such kill.
    expect(events.filter((name) => name !== 'email.uncertain')).toEqual(['email.delivery', 'email.sent']);
  });
});
