import type { SqlDb } from '../../base/db/index.ts';

/** `failedReason` of jobs that a restore ended. */
const restored = 'restored';

/** Events that were queued are in the past: workflows and segments have taken them, or not, in the time that is lost. @returns how many */
export const forgetQueuedEvents = (db: SqlDb): Promise<number> => db.$executeRaw`DELETE FROM "EventDispatch"`;

/** Ends imports, exports and bulk changes that were not done. @returns how many */
export async function failJobs(db: SqlDb): Promise<number> {
  await db.$executeRaw`
    DELETE FROM "JobContact" c USING "Job" j WHERE j."id" = c."jobId" AND j."state" IN ('waiting', 'active')`;
  await db.$executeRaw`
    DELETE FROM "JobFile" f USING "Job" j WHERE j."id" = f."jobId" AND j."state" IN ('waiting', 'active')`;
  return db.$executeRaw`
    UPDATE "Job" SET "state" = 'failed', "failedReason" = ${restored}, "completedAt" = now() WHERE "state" IN ('waiting', 'active')`;
}

/** What lets people in, or was asked for and not decided: it may have been used, ended or decided since. */
export async function endAccess(db: SqlDb) {
  const sessions = await db.$executeRaw`DELETE FROM "Session"`;
  const signInTokens = await db.$executeRaw`DELETE FROM "AuthToken"`;
  await db.$executeRaw`DELETE FROM "PendingMail"`;
  const invitations = await db.$executeRaw`DELETE FROM "Invitation" WHERE "declinedAt" IS NULL`;
  const approvals =
    await db.$executeRaw`UPDATE "Approval" SET "status" = 'EXPIRED' WHERE "status" = 'PENDING'`;
  return { sessions, signInTokens, invitations, approvals };
}

/** Attempts of webhooks that a process was making are made again, with their ids. */
export async function releaseDeliveries(db: SqlDb): Promise<void> {
  await db.$executeRaw`UPDATE "WebhookDelivery" SET "token" = NULL, "claimedUntil" = NULL WHERE "token" IS NOT NULL AND "nextAttemptAt" IS NOT NULL`;
}

export interface NewEpoch {
  dataUntil: Date;
  lostUntil: Date;
  /** null when nothing is lost */
  inFlight: string | null;
  counts: Record<string, number>;
  hold: 'all' | null;
}

/** Begins an epoch. A dump has no installation until then, and the copy of a server has its former one. @returns its number */
export async function beginEpoch(
  db: SqlDb,
  { dataUntil, lostUntil, inFlight, counts, hold }: NewEpoch,
): Promise<number> {
  await db.$executeRaw`DELETE FROM "Installation"`;
  const [row] = await db.$queryRaw<{ epoch: number }[]>`
    WITH "begun" AS (
      INSERT INTO "Epoch" ("epoch", "cause", "dataUntil", "lostUntil", "inFlight", "counts")
      SELECT coalesce(max("epoch"), 0) + 1, 'restore', ${dataUntil}::timestamptz, ${lostUntil}::timestamptz, ${inFlight}::text, ${JSON.stringify(counts)}::jsonb
      FROM "Epoch" RETURNING "epoch"
    )
    INSERT INTO "Installation" ("epoch", "hold") SELECT "epoch", ${hold}::text FROM "begun" RETURNING "epoch"`;
  if (!row) throw new Error('the epoch was not written');
  return row.epoch;
}
