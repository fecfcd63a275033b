import type { Campaign } from '../../lib/api.ts';
import type { Outcomes } from '../../ui/outcome-bar.tsx';

type Counters = Pick<
  Campaign,
  'status' | 'totalRecipients' | 'sentCount' | 'failedCount' | 'skippedCount' | 'uncertainCount'
>;

/** The parts of a campaign's recipients. Waiting are those that are in none of the others, once it has begun. */
export function outcomesOf(campaign: Counters): Outcomes {
  const { status, totalRecipients, sentCount, failedCount, skippedCount, uncertainCount } = campaign;
  const settled = sentCount + failedCount + skippedCount + uncertainCount;
  const hasBegun = status !== 'DRAFT' && status !== 'SCHEDULED';
  const pendingCount = hasBegun ? Math.max(0, totalRecipients - settled) : 0;
  return { sentCount, failedCount, skippedCount, uncertainCount, pendingCount };
}
