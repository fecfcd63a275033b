import type { PoolClient } from 'pg';
import type { BatchKey } from './batch.ts';

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
}

/**
 * Writes the recorded answers of held batches into their emails, with events, counters and new batches for what is to be sent again, in one
 * transaction, and deletes batches that are answered completely. Runs on a connection with `synchronous_commit=off`: a write that a crash
 * of the database undoes is repeated from the batch. Repeating it has no effect; a batch whose row is missing is not written.
 */
export async function writeBatches(
  _client: PoolClient,
  _batches: readonly AnsweredBatch[],
): Promise<Written> {
  throw new Error('in work');
}
