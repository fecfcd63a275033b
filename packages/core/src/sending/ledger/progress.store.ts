import type { PoolClient } from 'pg';
import type { BatchKey, BatchResult } from './batch.ts';

/** How far a held batch is, absolutely: recording it again changes nothing. */
export interface Progress extends BatchKey {
  /** bit n (lowest bit of a byte first): the transfer of email n begins */
  begun: Buffer;
  /** bit n: email n has its result */
  answered: Buffer;
  /** results other than plainly sent, by n; only those not recorded before are needed */
  results: Record<string, BatchResult> | null;
}

export interface Recorded {
  id: string;
  /** the beginnings are recorded: these messages may be transferred. Refused when the lease is over or the campaign was cancelled; answers are recorded even then */
  granted: boolean;
  /** the campaign was cancelled: nothing more of it begins */
  stopped: boolean;
}

/**
 * Records beginnings and answers of held batches. Durable: the only commit that a message waits for. After it, a crash makes a message that has
 * begun UNCERTAIN instead of sending it twice.
 *
 * @returns the batches still held by their token; another worker or the reaper has taken those that are missing
 */
export async function recordProgress(
  _client: PoolClient,
  _batches: readonly Progress[],
): Promise<Recorded[]> {
  throw new Error('in work');
}
