import type { PoolClient } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';
import type { BatchKey, BatchResult } from './batch.ts';
import { byBatchKey } from './by-key.ts';

/** How far a held batch is, absolutely: recording it again changes nothing. */
export interface Progress extends BatchKey {
  /** bit n (lowest bit of a byte first): the transfer of email n begins */
  begun: Buffer;
  /** bit n: email n has its result */
  answered: Buffer;
  /** results other than plainly sent, by n; only those not recorded before are needed */
  results: Record<string, BatchResult> | null;
}

export interface Recorded extends BatchKey {
  /** The beginnings are recorded: these messages may be transferred. Refused when the lease is over or the campaign was cancelled; answers are recorded even then. */
  granted: boolean;
  /** the campaign was cancelled: nothing more of it begins */
  stopped: boolean;
}

const record = prepared<{
  ids: string[];
  tokens: string[];
  begun: Buffer[];
  answered: Buffer[];
  results: (string | null)[];
}>(
  'record-progress',
  ({ ids, tokens, begun, answered, results }) => Prisma.sql`
UPDATE "DeliveryBatch" b SET
  "begun" = CASE WHEN b."stopped" OR b."leaseUntil" <= clock_timestamp() THEN b."begun" ELSE u.begun END,
  "answered" = u.answered,
  "results" = CASE WHEN u.results IS NULL THEN b."results" ELSE coalesce(b."results", '{}') || u.results END,
  "progressAt" = clock_timestamp()
FROM (
  SELECT * FROM unnest(${ids}::uuid[], ${tokens}::uuid[], ${begun}::bytea[], ${answered}::bytea[], ${results}::jsonb[])
    AS p("id", "token", begun, answered, results) ORDER BY "id"
) u
WHERE ${byBatchKey('b.', 'u')}
  -- A statement of a broken connection may run after its repetition: it must not undo what the later one recorded.
  AND bit_count(b."begun") <= bit_count(u.begun) AND bit_count(b."answered") <= bit_count(u.answered)
RETURNING b."id", b."token", b."begun" = u.begun AS granted, b."stopped"`,
);

/**
 * Records beginnings and answers of held batches. Durable: the only commit that a message waits for. After it, a crash makes a message that has
 * begun UNCERTAIN instead of sending it twice.
 *
 * @returns the batches still held by their token; another worker or the reaper has taken those that are missing
 */
export async function recordProgress(client: PoolClient, batches: readonly Progress[]): Promise<Recorded[]> {
  const { rows } = await client.query<Recorded>(
    record({
      ids: batches.map(({ id }) => id),
      tokens: batches.map(({ token }) => token),
      begun: batches.map((batch) => batch.begun),
      answered: batches.map((batch) => batch.answered),
      results: batches.map((batch) => batch.results && JSON.stringify(batch.results)),
    }),
  );
  return rows;
}
