import { percent as percentOf } from '@postrider/core/automation/campaigns/contract';
import type { Campaign, CampaignStats, Project } from '../../lib/api.ts';
import { formatCount, formatPercent } from '../../lib/format.ts';
import { whyUnknown } from './unknown-rates.rules.ts';

/** What became of the emails of a campaign that were sent, in the order in which it is shown. */
export const campaignFigures = [
  { name: 'delivered', label: 'Delivered', count: 'deliveredCount' },
  { name: 'opened', label: 'Opened', count: 'openedCount' },
  { name: 'clicked', label: 'Clicked', count: 'clickedCount' },
  { name: 'bounced', label: 'Bounced', count: 'bouncedCount' },
  { name: 'complained', label: 'Complained', count: 'complainedCount' },
  { name: 'unsubscribed', label: 'Unsubscribed', count: 'unsubscribedCount' },
] as const;

type CampaignFigure = (typeof campaignFigures)[number];
/** The figures of the list of campaigns, which has no rate of bounces: that needs the emails that were refused. */
export const listedFigures = campaignFigures.filter(
  ({ name }) => name === 'opened' || name === 'clicked' || name === 'unsubscribed',
);

/** A campaign, or its statistics together with its status and type. */
type Figures = Pick<Campaign, CampaignFigure['count'] | 'sentCount' | 'status' | 'type'> &
  Partial<Pick<CampaignStats, 'bounceRate'>>;

interface ShownFigure {
  /** null where it is not known */
  percent: number | null;
  /** `percent` in words, a dash for null */
  rate: string;
  /** empty where it is not known */
  count: string;
  /** Why it is not known; null if it is. */
  unknown: string | null;
}

/**
 * A figure of a campaign as the list, the page and the comparison of campaigns show it. Rates are percent of the emails sent, but that of
 * bounces, which the API gives, is of those sent or refused.
 */
export function figureOf(
  { name, count }: CampaignFigure,
  figures: Figures,
  tracking: Project['tracking'],
): ShownFigure {
  const unknown = whyUnknown(count, figures, tracking);
  const percent = name === 'bounced' ? figures.bounceRate : percentOf(figures[count], figures.sentCount);
  if (unknown !== null || percent === undefined) return { percent: null, rate: '–', count: '', unknown };
  return { percent, rate: formatPercent(percent), count: formatCount(figures[count]), unknown };
}

/** `4,982` where all recipients were sent the email, `500 of 4,982` otherwise. */
export const sentInWords = ({
  sentCount,
  totalRecipients,
}: Pick<Campaign, 'sentCount' | 'totalRecipients'>): string =>
  sentCount === totalRecipients
    ? formatCount(sentCount)
    : `${formatCount(sentCount)} of ${formatCount(totalRecipients)}`;

/** The figures of a campaign on one line, for narrow screens: `500 of 4,982 sent · 24% opened · 3% clicked`. */
export const figuresInBrief = (
  campaign: Figures & Pick<Campaign, 'totalRecipients'>,
  tracking: Project['tracking'],
): string =>
  [
    `${sentInWords(campaign)} sent`,
    ...listedFigures.flatMap((figure) => {
      const { rate, unknown } = figureOf(figure, campaign, tracking);
      return unknown === null ? [`${rate} ${figure.label.toLowerCase()}`] : [];
    }),
  ].join(' · ');
