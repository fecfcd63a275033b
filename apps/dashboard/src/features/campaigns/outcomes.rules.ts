import type { Campaign } from '../../lib/api.ts';
import type { Outcomes } from '../../ui/outcome-bar.tsx';

type Counters = Pick<
  Campaign,
  'status' | 'totalRecipients' | 'sentCount' | 'failedCount' | 'skippedCount' | 'uncertainCount'
>;

/** The recipients of a campaign by outcome. Once it has started, those without an outcome are waiting. */
export function outcomesOf(campaign: Counters): Outcomes {
  const { status, totalRecipients, sentCount, failedCount, skippedCount, uncertainCount } = campaign;
  const settled = sentCount + failedCount + skippedCount + uncertainCount;
  const hasBegun = status !== 'DRAFT' && status !== 'SCHEDULED';
  const pendingCount = hasBegun ? Math.max(0, totalRecipients - settled) : 0;
  return { sentCount, failedCount, skippedCount, uncertainCount, pendingCount };
}
