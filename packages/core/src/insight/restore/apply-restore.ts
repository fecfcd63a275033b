import { cancelUnknown } from '../../automation/campaigns/index.ts';
import { failDue, passEntries, releaseRequests } from '../../automation/workflows/index.ts';
import {
  byKeys,
  clientTransaction,
  type Database,
  plainDb,
  readMigrations,
  recordSchema,
  version,
} from '../../base/db/index.ts';
import { countWaiting, endDue, endHeld, forgetFences, withdrawResends } from '../../mail/ledger/index.ts';
import { forgetProcesses } from '../../people/installation/index.ts';
import { beginEpoch, endAccess, failJobs, forgetQueuedEvents, releaseDeliveries } from './restore.store.ts';

/** What becomes of email that waited, and that the old state may have sent. */
export type InFlight = 'uncertain' | 'send' | 'skip';

export interface RestoredState {
  /** the restored data has what was committed until then */
  dataUntil: Date;
  /** the old state may have worked on until then; null: it did not, nothing is lost */
  lostUntil: Date | null;
  inFlight: InFlight;
}

export interface AppliedRestore {
  epoch: number;
  /** what was changed, by kind */
  counts: Record<string, number>;
}

/**
 * Makes a restored database one that does not repeat what its former state did since the data was saved (behaviour B11.6), in one transaction: before
 * it has committed, no process takes the database for an installation.
 */
export async function applyRestore(
  { durable }: Database,
  { dataUntil, lostUntil, inFlight }: RestoredState,
): Promise<AppliedRestore> {
  const migrations = await readMigrations();
  return clientTransaction(
    durable,
    async (client) => {
      const db = plainDb(client);
      if (lostUntil) await withdrawResends(client, lostUntil);
      const counts: Record<string, number> = { begun: await endHeld(client) };
      await forgetFences(client);
      await forgetProcesses(db);
      if (lostUntil) {
        const error = `Restored to ${dataUntil.toISOString()}: this email may have left`;
        const ended =
          inFlight === 'send'
            ? { uncertain: 0, skipped: 0 }
            : await endDue(client, { lostUntil, error }, inFlight === 'skip' ? 'skipped' : 'uncertain');
        counts['mayHaveLeft'] = ended.uncertain;
        counts['skipped'] = ended.skipped;
        counts['campaigns'] = await cancelUnknown(db, lostUntil);
        counts['executions'] = await failDue(db, lostUntil);
        counts['entries'] = await passEntries(db, lostUntil);
        counts['events'] = await forgetQueuedEvents(db);
        counts['jobs'] = await failJobs(db);
        Object.assign(counts, await endAccess(db));
      }
      await releaseRequests(db);
      await releaseDeliveries(db);
      counts['waiting'] = await countWaiting(client);
      const epoch = await beginEpoch(db, {
        dataUntil,
        lostUntil: lostUntil ?? dataUntil,
        inFlight: lostUntil ? inFlight : null,
        counts,
        hold: lostUntil ? 'all' : null,
      });
      await recordSchema(client, migrations, version);
      return { epoch, counts };
    },
    { ...byKeys, statement_timeout: '0' },
  );
}
