import { isTracked } from '@postrider/core/mail/sending/contract';
import type { Campaign, Project } from '../../lib/api.ts';

type Figures = Pick<Campaign, 'openedCount' | 'clickedCount' | 'type'>;

/** Why a count of 0 says nothing: opens and clicks were not tracked. Null when the count is known. */
export function whyUnknown(
  count: string,
  { type, openedCount, clickedCount }: Figures,
  tracking: Project['tracking'],
): string | null {
  const isRead = openedCount + clickedCount > 0;
  if ((count === 'openedCount' || count === 'clickedCount') && !isRead && !isTracked(tracking, type))
    return 'Tracking is off';
  return null;
}
