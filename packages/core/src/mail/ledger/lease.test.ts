import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import type { BatchKey } from './batch.ts';
import { renewLeases } from './lease.store.ts';
import { openTestLedger, type TestLedger } from './ledger.fixture.ts';

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await openTestLedger();
});
afterAll(() => ledger.close());

/** Two held batches, the one with the larger id first in the table. */
async function twoHeld(): Promise<[smaller: BatchKey, larger: BatchKey]> {
  const { id: projectId } = await ledger.newProject();
  const token = newId();
  const [smaller, larger] = [
    { id: newId(), token },
    { id: newId(), token },
  ];
  for (const { id } of [larger, smaller]) {
    await ledger.test.services.database.prisma.deliveryBatch.create({
      data: {
        id,
        projectId,
        priority: 4,
        token,
        worker: 'test',
        leaseUntil: new Date(),
        emailIds: [newId()],
      },
    });
  }
  return [smaller, larger];
}

it('a renewal waits for a recording without holding what the recording needs next', async () => {
  const [smaller, larger] = await twoHeld();
  const recording = await ledger.test.services.database.durable.connect();
  try {
    await recording.query('BEGIN');
    await recording.query('SELECT FROM "DeliveryBatch" WHERE "id" = $1 FOR NO KEY UPDATE', [smaller.id]);
    const renewed = ledger.use((client) => renewLeases(client, [larger, smaller], 60_000));
    await expect
      .poll(async () => {
        const { rows } = await recording.query<{ waiting: number }>(
          `SELECT count(*)::int AS waiting FROM pg_locks l JOIN pg_database d ON d."oid" = l."database" OR l."database" IS NULL
           WHERE NOT l."granted" AND d."datname" = current_database() AND pg_backend_pid() = ANY(pg_blocking_pids(l."pid"))`,
        );
        return rows[0]?.waiting;
      })
      .toBeGreaterThan(0);
    // Fails if the renewal has locked it.
    await recording.query('SELECT FROM "DeliveryBatch" WHERE "id" = $1 FOR NO KEY UPDATE NOWAIT', [
      larger.id,
    ]);
    await recording.query('COMMIT');
    expect([...(await renewed).keys()].sort()).toEqual([smaller.id, larger.id].sort());
  } finally {
    recording.release(true);
  }
});
