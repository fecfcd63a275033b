import { isTracked } from '@postrider/core/mail/sending/contract';
import type { Campaign, CampaignStats, Project } from '../../lib/api.ts';

type Figures = Pick<CampaignStats, 'deliveredCount' | 'openedCount' | 'clickedCount' | 'bouncedCount'> &
  Pick<Campaign, 'status' | 'type'>;

/**
 * Why a count of 0 says nothing: its route reports no deliveries, or opens and clicks were not tracked. Null when the count is
 * known. Only the reports themselves show whether a route gives them: one of any email, delivered or bounced, is enough.
 */
export function whyUnknown(count: string, figures: Figures, tracking: Project['tracking']): string | null {
  const { status, type, deliveredCount, openedCount, clickedCount, bouncedCount } = figures;
  if (count === 'deliveredCount' && deliveredCount + bouncedCount === 0)
    return status === 'SENDING' ? 'No delivery reports yet' : 'No delivery reports on this route';
  const isRead = openedCount + clickedCount > 0;
  if ((count === 'openedCount' || count === 'clickedCount') && !isRead && !isTracked(tracking, type))
    return 'Tracking is off';
  return null;
}
