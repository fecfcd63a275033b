import { plainTransaction, retryConflicts, type SqlDb, wasCanceled } from '../../../base/db/index.ts';
import { notifyExecutions } from '../../../base/follow-ups/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import type { Entered } from '../runtime/entries.store.ts';
import { executionIdSql } from '../runtime/execution-id.store.ts';
import { holdEntryWorkflow } from './due-entries.store.ts';
import { enterContacts } from './enter-contacts.store.ts';
import {
  type EnterJobRow,
  type EnterResult,
  endEnterJob,
  listedPart,
  lockEnterJob,
  matchingPart,
  readSelection,
  saveEnterJob,
} from './enter-job.store.ts';
import { type BlockedCounts, blockReasons, noneBlocked } from './entry.rules.ts';

interface Unit {
  projectId: string;
  workflowId: string;
}

/** Contacts that one transaction looks at; fewer where their conditions take too long. */
const sizes = [5_000, 500, 50] as const;
const settings = { lock_timeout: '2s', statement_timeout: '10s' };

const reasons = {
  disabled: 'The workflow was disabled before all had entered',
  stopped: 'The project was disabled before all had entered',
  slow: 'The condition takes too long',
  lost: 'An unexpected error occurred. Start it again',
};

/**
 * Lets the next contacts of the oldest job of a workflow enter, in one transaction with its position.
 *
 * @returns contacts that it has looked at; 0 when there is none, or another process works on it
 */
export async function enterJobBatch(services: Services, unit: Unit): Promise<number> {
  for (const limit of sizes) {
    try {
      const { seen, started } = await inTransaction(services, (db) => enterPart(db, unit, limit));
      if (started > 0) {
        notifyExecutions(services, unit.projectId);
        services.scheduleFollowUps(unit.projectId);
      }
      return seen;
    } catch (error) {
      if (!wasCanceled(error)) throw error;
    }
  }
  await inTransaction(services, async (db) => {
    const job = await lockEnterJob(db, unit);
    if (job) await endEnterJob(db, job.id, null, reasons.slow);
  });
  return 1;
}

const inTransaction = <T>(services: Services, work: (db: SqlDb) => Promise<T>): Promise<T> =>
  retryConflicts(() => plainTransaction(services.database.asyncCommit, work, settings));

async function enterPart(db: SqlDb, unit: Unit, limit: number): Promise<{ seen: number; started: number }> {
  const job = await lockEnterJob(db, unit);
  if (!job) return { seen: 0, started: 0 };
  const workflow = await holdEntryWorkflow(db, unit, 'enter');
  const selection = await readSelection(db, job.id);
  const reason = !workflow?.enabled
    ? reasons.disabled
    : workflow.projectStopped
      ? reasons.stopped
      : selection === null
        ? reasons.lost
        : null;
  if (!workflow || selection === null || reason !== null) {
    await endEnterJob(db, job.id, null, reason);
    return { seen: 1, started: 0 };
  }
  const part = job.input.isListed
    ? await listedPart(db, job.id)
    : await matchingPart(db, job, selection, limit);
  const entered = await enterContacts(
    db,
    workflow,
    part.ids.map((contactId) => ({ contactId, at: workflow.now, day: null })),
    { counts: false, context: selection.context, id: executionIdSql(job.id, job.createdAt.getTime()) },
  );
  const result = sumOf(job, part.ids.length, entered);
  const seen = (job.input.seen ?? 0) + part.seen;
  if (part.next === null) await endEnterJob(db, job.id, result, null);
  else
    await saveEnterJob(db, job.id, {
      input: { ...job.input, seen, after: part.next },
      result,
      progress: Math.min(99, Math.floor((seen / Math.max(1, job.input.total)) * 100)),
    });
  return { seen: Math.max(1, part.seen), started: entered.started };
}

/** Contacts that are gone since they were found are not found. */
function sumOf(
  { input, result }: EnterJobRow,
  found: number,
  { wanted, started, blocked }: Entered,
): EnterResult {
  const before = result ?? {
    matched: 0,
    entered: 0,
    notFound: input.notFound,
    blocked: noneBlocked,
  };
  return {
    matched: before.matched + wanted,
    changed: before.entered + started,
    entered: before.entered + started,
    notFound: before.notFound + found - wanted,
    blocked: Object.fromEntries(
      blockReasons.map((reason) => [reason, before.blocked[reason] + (blocked[reason] ?? 0)]),
    ) as BlockedCounts,
  };
}
