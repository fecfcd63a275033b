import type { PoolClient } from 'pg';
import { sandboxEmailsPerDay } from '../../people/projects/sandbox.rules.ts';
import { takeSandboxSlots } from '../eligibility/index.ts';
import { type BatchKey, type ClaimedBatch, readBatches } from '../ledger/index.ts';
import { refusalOf } from './intake.ts';

/**
 * Reads claimed batches, and decides which emails from the sandbox belong to the few that their owners may get on a day. Those that are
 * skipped for another reason take none of their places.
 */
export async function readClaimed(client: PoolClient, batches: readonly BatchKey[]): Promise<ClaimedBatch[]> {
  const read = await readBatches(client, batches);
  const limited = read.flatMap((batch) =>
    batch.emails.flatMap((email) =>
      email.unprovenOwner && !refusalOf(batch, email)
        ? [{ email, id: email.id, ownerId: email.unprovenOwner.id }]
        : [],
    ),
  );
  if (limited.length === 0) return read;
  const placed = await takeSandboxSlots(client, limited, sandboxEmailsPerDay);
  for (const { email, id } of limited) email.isBeyondSandbox = !placed.has(id);
  return read;
}
