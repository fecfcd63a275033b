import type { PoolClient } from 'pg';
import type { BatchResult } from './batch.ts';
import type { Written } from './write.store.ts';

/** The answer for an email of a batch that was reaped in the meantime. */
export interface LateAnswer {
  emailId: string;
  /** the token under which its transfer began */
  token: string;
  result: BatchResult;
  subject: string | null;
}

/**
 * Writes answers that arrive after their batch was reaped. They count while the email is UNCERTAIN by that attempt, or waits again
 * after a retry. `sent` makes it SENT; the others count unless another worker holds it. Relaxed like `writeBatches`; repeating has no effect.
 */
export async function settleLate(_client: PoolClient, _answers: readonly LateAnswer[]): Promise<Written> {
  throw new Error('in work');
}
