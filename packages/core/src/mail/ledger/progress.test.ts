import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendingCampaign, type TestProject, waitingMail } from '../../testing/index.ts';
import { stopCampaign } from './cancel.store.ts';
import { renewLeases } from './lease.store.ts';
import { openTestLedger, type TestLedger } from './ledger.fixture.ts';
import { recordProgress } from './progress.store.ts';

let ledger: TestLedger;
let project: TestProject;

beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());
beforeEach(async () => {
  project = await ledger.newProject();
});

async function campaignOf(count: number) {
  const { services } = ledger.test;
  const campaignId = await sendingCampaign(services, project.id);
  await waitingMail(services, project.id, { count, campaignId });
  const [held] = await ledger.take(project.id, { kind: 'bulk' });
  if (!held) throw new Error('nothing was claimed');
  return { campaignId, held };
}

const batchRow = (id: string) =>
  ledger.test.services.database.prisma.deliveryBatch.findUnique({ where: { id } });

describe('a beginning', () => {
  it('is granted to the holder, as often as it is recorded', async () => {
    const { held } = await campaignOf(20);
    expect(await held.begin({ n: 0 }, { n: 17 })).toBe(true);
    expect(await held.begin({ n: 17 })).toBe(true);
    expect((await batchRow(held.id))?.begun).toEqual(Uint8Array.of(1, 0, 2));
  });

  it('is refused once the lease has expired, even without a takeover of the batch; an answer is still recorded', async () => {
    const { held } = await campaignOf(2);
    await held.begin({ n: 0 });
    await ledger.expire(held);
    held.answer(0, { outcome: 'sent' });
    expect(await held.begin({ n: 1 })).toBe(false);
    expect(await batchRow(held.id)).toMatchObject({ begun: Uint8Array.of(1), answered: Uint8Array.of(1) });
  });

  it('is granted again after the lease was renewed late', async () => {
    const { held } = await campaignOf(1);
    await ledger.expire(held);
    expect(await held.begin({ n: 0 })).toBe(false);
    expect(await ledger.use((client) => renewLeases(client, [held], 60_000))).toEqual(
      new Map([[held.id, held.token]]),
    );
    expect(await held.begin({ n: 0 })).toBe(true);
  });

  it('is refused to a holder whose batch was reaped', async () => {
    const { held } = await campaignOf(1);
    await ledger.expire(held);
    await ledger.reap();
    expect(await held.record()).toBeUndefined();
    expect(await ledger.use((client) => renewLeases(client, [held], 60_000))).toEqual(new Map());
  });

  it('is refused to the first holder when another one claimed the batch again', async () => {
    const { held } = await campaignOf(1);
    await ledger.expire(held);
    await ledger.reap();
    const [again] = await ledger.take(project.id, { kind: 'bulk' });
    expect(again?.id).toBe(held.id);
    expect(await held.begin({ n: 0 })).toBe(false);
    expect(await again?.begin({ n: 0 })).toBe(true);
  });

  it('is refused once its campaign was cancelled; answers are recorded', async () => {
    const { campaignId, held } = await campaignOf(2);
    await held.begin({ n: 0 });
    await stopCampaign(ledger.test.services.database.prisma, campaignId);
    held.answer(0, { outcome: 'sent' });
    expect(await held.begin({ n: 1 })).toBe(false);
    expect(await held.record()).toMatchObject({ stopped: true });
    expect(await batchRow(held.id)).toMatchObject({ begun: Uint8Array.of(1), answered: Uint8Array.of(1) });
  });
});

it('records several batches at once, each for itself', async () => {
  const first = await campaignOf(1);
  const second = await campaignOf(1);
  await ledger.expire(first.held);
  const one = Buffer.of(1);
  const none = Buffer.of(0);
  const recorded = await ledger.use((client) =>
    recordProgress(
      client,
      [first.held, second.held].map(({ id, token }) => ({
        id,
        token,
        begun: one,
        answered: none,
        results: null,
      })),
    ),
  );
  expect(recorded.toSorted((a, b) => Number(a.granted) - Number(b.granted))).toEqual([
    { id: first.held.id, token: first.held.token, granted: false, stopped: false },
    { id: second.held.id, token: second.held.token, granted: true, stopped: false },
  ]);
});

it('a delayed statement of a broken connection undoes nothing that was recorded after it', async () => {
  const { held } = await campaignOf(2);
  await held.begin({ n: 0 });
  held.answer(0, { outcome: 'sent' });
  await held.begin({ n: 1 });
  const { id, token } = held;
  await ledger.use((client) =>
    recordProgress(client, [{ id, token, begun: Buffer.of(1), answered: Buffer.of(0), results: null }]),
  );
  expect(await batchRow(id)).toMatchObject({ begun: Uint8Array.of(3), answered: Uint8Array.of(1) });
});
