import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { ownTurns } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/ids.ts';
import type { ClaimedEmail } from '../ledger/read.store.ts';
import { HeldBatch } from './held-batch.ts';
import { Holdings } from './holdings.ts';
import { Housekeeping } from './housekeeping.ts';

const leaseMs = 200;

/** A batch of three emails that was read the given number of leases ago. */
function batchRead(leasesAgo: number): HeldBatch {
  const key = { id: newId(), token: newId(), projectId: newId(), campaignId: null, count: 3 };
  const batch = new HeldBatch(key, 'bulk', performance.now() - leasesAgo * leaseMs, leaseMs);
  batch.fill({ emails: [0, 1, 2].map((n) => ({ n }) as ClaimedEmail), answeredForMs: null });
  return batch;
}

it('what was read more than a lease ago and has not been given to the transport is given back', async () => {
  const [old, recent] = [batchRead(5), batchRead(0)];
  old.begin(0);
  old.take(1);
  const holdings = new Holdings(ownTurns);
  for (const batch of [old, recent]) holdings.add(batch);
  const answered: HeldBatch[] = [];
  const reap = vi.fn(() => Promise.resolve());
  const housekeeping = new Housekeeping(
    {
      leases: { renew: () => Promise.resolve() },
      reaper: { reap },
      holdings,
      watch: { away: false, noticePause: () => undefined },
      log: pino({ level: 'silent' }),
    },
    leaseMs,
    { onAnswered: (batch) => answered.push(batch), onUnwritten: () => undefined, onRound: () => undefined },
  );
  reap.mockImplementationOnce(async () => housekeeping.stop());

  await housekeeping.run();

  expect(answered).toEqual([old]);
  const { progress, answers } = old.snapshot();
  expect(answers).toEqual([2]);
  expect(progress.results).toEqual({ 2: { outcome: 'giveback' } });
  expect(recent.backlog).toBe(3);
});
