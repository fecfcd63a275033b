import type { PoolClient } from 'pg';
import type { BatchKey } from './batch.ts';

/**
 * Extends the leases of held batches. A lease that is over is renewed too, unless the batch was taken over.
 * @returns the ids of the batches still held; the others were taken over
 */
export async function renewLeases(
  _client: PoolClient,
  _batches: readonly BatchKey[],
  _leaseMs: number,
): Promise<Set<string>> {
  throw new Error('in work');
}
