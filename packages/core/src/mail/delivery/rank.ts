import type { ClaimedEmail } from '../ledger/index.ts';
import { firstBulkPriority } from '../ledger/ledger.rules.ts';

/**
 * The order among the email of a project that is held and waits: like the priorities of its batches, first attempts before retries.
 * Nobody waits for a single email of a campaign: there the claim alone decides how many are retries.
 */
export const rankOf = ({ priority, attempts }: Pick<ClaimedEmail, 'priority' | 'attempts'>): number =>
  priority >= firstBulkPriority ? 0 : 2 * priority + (attempts > 0 ? 1 : 0);
