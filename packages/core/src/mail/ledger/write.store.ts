import type { PoolClient } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';
import { answersOf } from './answers.ts';
import type { BatchKey } from './batch.ts';
import { byBatchKey, byKey } from './by-key.ts';
import { effectCtes, writtenColumns } from './effects.ts';

export interface AnsweredBatch extends BatchKey {
  /** the rendered subjects by n, null where the content's applies; null or [] when they all do */
  subjects: readonly (string | null)[] | null;
}

/** What a write changed. */
export interface Written {
  /** campaigns with changed counters */
  campaigns: string[];
  /** projects with new events */
  projects: string[];
  /** emails written, whatever the outcome; without those given back */
  emails: number;
  /** `sent`, `failed`, `skipped`, `retry` and `uncertain`, by the source of the emails */
  outcomes: { source: string; outcome: string; count: number }[];
}

const writeAnswers = prepared<{ ids: string[]; tokens: string[]; subjects: (string | null)[] }>(
  'write-batches',
  ({ ids, tokens, subjects }) => Prisma.sql`
WITH held AS MATERIALIZED (
  SELECT b.*, w.subjects FROM (
    SELECT * FROM unnest(${ids}::uuid[], ${tokens}::uuid[], ${subjects}::json[]) AS u("id", "token", subjects) ORDER BY "id"
  ) w CROSS JOIN LATERAL (SELECT * FROM "DeliveryBatch" WHERE ${byBatchKey('', 'w')} FOR UPDATE) b
), ${answersOf({ unanswered: false })}, ${effectCtes}, ended AS (
  DELETE FROM "DeliveryBatch" b USING held h WHERE ${byKey('b."id"', 'h."id"')} AND bit_count(h."answered") = cardinality(h."emailIds")
), kept AS (
  UPDATE "DeliveryBatch" b SET "written" = h."answered" FROM held h
  WHERE ${byKey('b."id"', 'h."id"')} AND bit_count(h."answered") < cardinality(h."emailIds")
)
SELECT ${writtenColumns}`,
);

/**
 * Writes the recorded answers of held batches into their emails, with events, counters and new batches for what is to be sent again, in one
 * statement, and deletes batches that are answered completely. Runs on a connection with `synchronous_commit=off`: a write that a crash
 * of the database undoes is repeated from the batch. Repeating it has no effect; a batch whose row is missing is not written.
 */
export async function writeBatches(client: PoolClient, batches: readonly AnsweredBatch[]): Promise<Written> {
  const { rows } = await client.query<Written>(
    writeAnswers({
      ids: batches.map(({ id }) => id),
      tokens: batches.map(({ token }) => token),
      subjects: batches.map(({ subjects }) => subjects && JSON.stringify(subjects)),
    }),
  );
  return rows[0] ?? { campaigns: [], projects: [], emails: 0, outcomes: [] };
}
