import type { ClaimedEmail } from '../ledger/index.ts';
import { priorities } from '../ledger/ledger.rules.ts';

/**
 * The order among the email of a project that is held and waits: like the priorities of its batches, first attempts before retries.
 * Nobody waits for a single email of a campaign: there the claim alone decides how many are retries.
 */
export const rankOf = ({ sourceType, attempts }: Pick<ClaimedEmail, 'sourceType' | 'attempts'>): number =>
  sourceType === 'CAMPAIGN' ? 0 : 2 * priorities[sourceType] + (attempts > 0 ? 1 : 0);
