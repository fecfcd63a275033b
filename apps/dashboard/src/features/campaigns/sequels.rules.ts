import type { SequelKind } from '@postrider/core/automation/campaigns/contract';
import type { Campaign, CampaignStats } from '../../lib/api.ts';
import { formatCount, plural } from '../../lib/format.ts';

/** A sequel that the page of a campaign offers. */
export interface SequelOffer {
  kind: SequelKind;
  /** whom it is for, with their number where that is known */
  whom: string;
}

/** What a button says that creates a sequel. */
export const sequelVerbs: Record<SequelKind, string> = {
  REST: 'Send to the rest',
  NOT_OPENED: 'Remind them',
  NOT_CLICKED: 'Write to them',
  CLICKED: 'Follow up',
  NEW: 'Send to new contacts',
};

type Ended = Pick<Campaign, 'status'>;
type Figures = Pick<
  CampaignStats,
  'audienceComplete' | 'sentCount' | 'openedCount' | 'clickedCount' | 'skippedReasons'
>;

/** How many emails of a cancelled campaign were not sent for that reason. */
export const restOf = ({ skippedReasons }: Pick<CampaignStats, 'skippedReasons'>): number =>
  (skippedReasons['cancelled'] ?? 0) + (skippedReasons['project_disabled'] ?? 0);

/** "500 of 4,982 contacts got it." */
export const reachedInWords = (
  { totalRecipients }: Pick<Campaign, 'totalRecipients'>,
  { sentCount }: Pick<CampaignStats, 'sentCount'>,
): string => `${formatCount(sentCount)} of ${plural(totalRecipients, 'contact')} got it.`;

/** @param isRead whether opens and clicks are known: without tracking, no opens say nothing */
export function offersOf({ status }: Ended, stats: Figures, isRead: boolean): SequelOffer[] {
  const { sentCount, openedCount, clickedCount } = stats;
  const rest = restOf(stats);
  const counted = (kind: SequelKind, count: number, did: string): SequelOffer[] =>
    count > 0 ? [{ kind, whom: `${plural(count, 'contact')} ${did}` }] : [];
  return [
    ...(status === 'CANCELLED' ? counted('REST', rest, 'did not get it') : []),
    ...(isRead
      ? [
          ...counted('NOT_OPENED', sentCount - openedCount, 'got it and did not open it'),
          ...counted('NOT_CLICKED', sentCount - clickedCount, 'got it and did not click'),
          ...counted('CLICKED', clickedCount, 'clicked in it'),
        ]
      : []),
    {
      kind: 'NEW',
      whom: stats.audienceComplete
        ? 'Contacts who have joined its audience since'
        : 'All contacts of its audience who did not get it',
    },
  ];
}
