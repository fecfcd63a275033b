import type { PoolClient } from 'pg';
import { simulatorRouteId } from '../../base/kernel/simulator.rules.ts';
import { sandboxEmailsPerDay } from '../../people/projects/sandbox.rules.ts';
import { takeSandboxSlots } from '../eligibility/index.ts';
import { type BatchKey, type ClaimedBatch, readBatches } from '../ledger/index.ts';
import { refusalOf } from './intake.ts';
import { applyLimits } from './limits.ts';

/** A claimed batch with the route that its email takes. */
export interface RoutedBatch extends ClaimedBatch {
  routeId: string;
}

/**
 * Whether a claimed batch is given back, because its campaign is paused, or was when it was stopped. One of a deleted project is not: its email
 * is skipped.
 */
export const isHeldBack = ({
  campaignStatus,
  campaignPaused,
  projectDeleted,
  stopped,
}: Pick<ClaimedBatch, 'campaignStatus' | 'campaignPaused' | 'projectDeleted' | 'stopped'>): boolean =>
  campaignStatus === 'SENDING' && !projectDeleted && (campaignPaused || stopped);

/**
 * Reads claimed batches, and decides which emails from the sandbox belong to the few that their owners may get on a day. Those that are
 * skipped for another reason take none of their places. Then the limits per contact are applied to what is still to be sent.
 *
 * @param routeId of the installation: a batch has no route of its own, so this is the place where it gets one. That of a test project is
 *   the simulator, whatever the configuration and the request said
 * @param takesLocal whether email goes to the local mailbox
 */
export async function readClaimed(
  client: PoolClient,
  batches: readonly BatchKey[],
  routeId: string,
  takesLocal = false,
): Promise<RoutedBatch[]> {
  const askedAt = performance.now();
  const read = (await readBatches(client, batches, takesLocal)).map((batch) =>
    Object.assign(batch, { routeId: batch.isTest ? simulatorRouteId : routeId }),
  );
  const going = read.filter((batch) => !isHeldBack(batch));
  const limited = going.flatMap((batch) =>
    batch.emails.flatMap((email) =>
      email.unprovenOwner && !refusalOf(batch, email)
        ? [{ email, id: email.id, ownerId: email.unprovenOwner.id }]
        : [],
    ),
  );
  if (limited.length > 0) {
    const placed = await takeSandboxSlots(client, limited, sandboxEmailsPerDay);
    for (const { email, id } of limited) email.isBeyondSandbox = !placed.has(id);
  }
  for (const batch of going) {
    if (batch.contactLimits) await applyLimits(client, batch, (email) => !refusalOf(batch, email), askedAt);
  }
  return read;
}
