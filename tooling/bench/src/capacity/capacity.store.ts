import { steadyTables } from '@postrider/harness/steady-tables';
import type { Pool } from 'pg';

/** Position in the WAL, in bytes since the beginning of the cluster. */
export async function walPosition(db: Pool): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS "bytes"`,
  );
  return rows[0]?.bytes ?? 0;
}

/**
 * Bytes of each table with its indexes and long values: of queues, clicks of the last minutes and the request log none, because they do not
 * grow with time. Room that vacuum has found for further rows does not count, except for what a table leaves free in each page by its
 * fillfactor.
 */
export async function tableBytes(db: Pool): Promise<Map<string, number>> {
  const { rows } = await db.query<{ name: string; bytes: number }>(
    `SELECT c.relname AS "name", (pg_total_relation_size(c.oid) - (
       SELECT coalesce(sum(greatest(0, f.avail - CASE WHEN part.oid = c.oid THEN
         8192 * (100 - coalesce((SELECT option_value::int FROM pg_options_to_table(c.reloptions) WHERE option_name = 'fillfactor'), 100)) / 100
         ELSE 0 END)), 0)
       FROM (SELECT c.oid UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = c.oid) part(oid), pg_freespace(part.oid::regclass) f
     ))::float8 AS "bytes"
     FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
       AND c.relname <> ALL ($1::text[]) AND c.relname !~ '^Request(Entry|Count)'`,
    [[...steadyTables, 'RecentClick']],
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Vacuum then runs only between the phases: it would fall into some of them and not into others. Also makes `tableBytes` possible. */
export async function stopAutovacuum(db: Pool): Promise<void> {
  await db.query('CREATE EXTENSION IF NOT EXISTS pg_freespacemap');
  await db.query('ALTER SYSTEM SET autovacuum = off');
  await db.query('SELECT pg_reload_conf()');
}

/** What autovacuum and a checkpoint would do at some time. Also makes each phase begin alike. */
export async function tidy(db: Pool): Promise<void> {
  await db.query('VACUUM (ANALYZE)');
  await db.query('CHECKPOINT');
}

export async function vacuum(db: Pool): Promise<void> {
  await db.query('VACUUM');
}

/** Holds back all email, as after a restore (behaviour B11.6), or lets it leave. */
export async function holdMail(db: Pool, held: boolean): Promise<void> {
  await db.query('UPDATE "Installation" SET "hold" = $1 WHERE "id" = 1', [held ? 'all' : null]);
}

/** Whether an event, an execution, a webhook delivery or, unless all of it is held back, an email waits. */
export async function isAtWork(db: Pool): Promise<boolean> {
  const { rows } = await db.query<{ busy: boolean }>(
    `SELECT EXISTS (SELECT FROM "EventDispatch") OR EXISTS (SELECT FROM "WebhookDelivery" WHERE "status" = 'PENDING')
       OR EXISTS (SELECT FROM "WorkflowExecution" WHERE "dueAt" <= now() + interval '1 minute')
       OR EXISTS (SELECT FROM "DeliveryBatch" WHERE (SELECT "hold" FROM "Installation" WHERE "id" = 1) IS NULL) AS "busy"`,
  );
  return rows[0]?.busy ?? false;
}

/** Whether entries of figures, tallies or storage are not added up yet. */
export async function hasEntries(db: Pool): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM "FigureEntry") OR EXISTS (SELECT FROM "EmailTallyEntry") OR EXISTS (SELECT FROM "StepFigureEntry")
       OR EXISTS (SELECT FROM "StorageEntry") AS "found"`,
  );
  return rows[0]?.found ?? false;
}

/** Emails of a campaign that were opened, and those that were clicked, together. */
export async function countInteractions(db: Pool, campaignId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT "openedCount" + "clickedCount" AS "count" FROM "CampaignCounter" WHERE "campaignId" = $1',
    [campaignId],
  );
  return rows[0]?.count ?? 0;
}

export async function isFrozen(db: Pool, campaignId: string): Promise<boolean> {
  const { rows } = await db.query<{ frozen: boolean }>(
    'SELECT "frozenAt" IS NOT NULL AND "frozenToId" IS NULL AS "frozen" FROM "Campaign" WHERE "id" = $1',
    [campaignId],
  );
  return rows[0]?.frozen ?? false;
}

/** Commits rows one after another over one connection. @returns commits a second */
export async function commitRows(db: Pool, seconds: number): Promise<number> {
  const client = await db.connect();
  try {
    await client.query('CREATE TABLE IF NOT EXISTS one_row (n int)');
    const from = performance.now();
    const until = from + seconds * 1_000;
    let commits = 0;
    for (; performance.now() < until; commits += 1)
      await client.query({ name: 'one-row', text: 'INSERT INTO one_row (n) VALUES ($1)', values: [commits] });
    return (commits * 1_000) / (performance.now() - from);
  } finally {
    client.release();
  }
}
