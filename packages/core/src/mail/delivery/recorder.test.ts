import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { waitingMail } from '../../testing/index.ts';
import { claimBatches, releaseUnread } from '../ledger/index.ts';
import { openTestLedger, type TestLedger } from '../ledger/ledger.fixture.ts';
import { DatabaseWatch } from './database-watch.ts';
import { HeldBatch } from './held-batch.ts';
import { Holdings } from './holdings.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { LedgerConnection } from './ledger-connection.ts';
import { Recorder } from './recorder.ts';

const leaseMs = 60_000;
const worker = 'test:direct';

let ledger: TestLedger;
let connection: LedgerConnection;

beforeAll(async () => {
  ledger = await openTestLedger();
  connection = new LedgerConnection(ledger.test.databaseUrl, { asyncCommit: false });
});
afterAll(async () => {
  await connection.close();
  await ledger.close();
});

/** One batch of one email that this process has claimed twice: the first claim was undone by a crash of the database, unnoticed. */
async function claimedTwice(): Promise<[undone: HeldBatch, held: HeldBatch]> {
  const { services } = ledger.test;
  const { id: projectId } = await ledger.newProject();
  await waitingMail(services, projectId, { count: 1 });
  const claim = async (): Promise<HeldBatch> => {
    const asked = performance.now();
    const { batches } = await ledger.use((client) =>
      claimBatches(client, {
        projects: [{ projectId, maxEmails: 10 }],
        ...{ kind: 'direct', token: newId(), worker, leaseMs, defaultRate: 1_000 },
      }),
    );
    const [claimed] = batches;
    if (!claimed) throw new Error('nothing was claimed');
    return new HeldBatch(claimed, 'direct', asked, leaseMs);
  };
  const undone = await claim();
  await ledger.use((client) => releaseUnread(client, worker, []));
  const held = await claim();
  expect(held.id).toBe(undone.id);
  return [undone, held];
}

it('grants a beginning to the later of two claims of a batch by one process, and not to both', async () => {
  const [undone, held] = await claimedTwice();
  const { log } = ledger.test.services;
  const lost: HeldBatch[] = [];
  const recorder = new Recorder(
    connection,
    new DatabaseWatch(log, new AbortController().signal, () => undefined),
    { onRecorded: () => undefined, onLost: (batch) => lost.push(batch), renewLeases: async () => undefined },
    log,
  );
  // At once, so that one statement records both.
  const granted = await Promise.all(
    [undone, held].map((batch) => new Promise<boolean>((resolve) => recorder.begin(batch, 0, resolve))),
  );
  expect(granted).toEqual([false, true]);
  expect(lost).toEqual([undone]);
});

it('renews the lease of the later of two claims of a batch by one process, and gives up the other', async () => {
  const [undone, held] = await claimedTwice();
  const { log, owners } = ledger.test.services;
  const holdings = new Holdings(owners);
  for (const batch of [undone, held]) holdings.add(batch);
  const lost: HeldBatch[] = [];
  const watch = new DatabaseWatch(log, new AbortController().signal, () => undefined);
  await new LeaseKeeper(connection, watch, holdings, leaseMs, (batch) => lost.push(batch)).renew();
  expect(lost).toEqual([undone]);
});
