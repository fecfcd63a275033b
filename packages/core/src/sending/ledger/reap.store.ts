import type { PoolClient } from 'pg';
import type { Written } from './write.store.ts';

/** The error of emails whose worker was lost after their transfer began. */
export const interruptedText =
  'The worker stopped while the message was being transferred. The mail server may have accepted it';

export interface Reaped extends Written {
  batches: number;
  givenBack: number;
  uncertain: number;
}

/**
 * Ends at most `limit` batches whose lease is over, of any project: recorded answers are written, emails that have begun without an answer
 * become UNCERTAIN, the others wait again (or are skipped when their campaign was cancelled).
 */
export async function reapBatches(_client: PoolClient, _limit: number): Promise<Reaped> {
  throw new Error('in work');
}
