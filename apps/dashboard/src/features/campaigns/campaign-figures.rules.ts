import {
  conversionRateOf,
  countsOfCampaign,
  type EmailOutcome,
  emailFigures,
  outcomeInWords,
  rateOf,
  shownOutcomes,
} from '@postrider/core/base/figures/contract';
import type { Campaign, Project } from '../../lib/api.ts';
import { formatCount, formatPercent, formatValue } from '../../lib/format.ts';
import { whyUnknown } from './unknown-rates.rules.ts';

interface CampaignFigure {
  name: EmailOutcome['figure'];
  label: string;
  /** what it counts, and what its rate is a part of */
  explanation: string;
  count: `${EmailOutcome['figure']}Count`;
  rate: EmailOutcome['rate'];
}

/**
 * What became of the emails of campaigns, in the order in which it is shown.
 *
 * @param deliveryReported without it, accepted emails are shown in the place of delivered ones
 */
export const campaignFigures = (deliveryReported: boolean): CampaignFigure[] =>
  shownOutcomes(deliveryReported).map((outcome) => ({
    name: outcome.figure,
    label: emailFigures[outcome.figure].label,
    explanation: outcomeInWords(outcome),
    count: `${outcome.figure}Count` as const,
    rate: outcome.rate,
  }));

/** The figures of the list of campaigns. */
export const listedFigures = campaignFigures(false).filter(
  ({ name }) => name === 'opened' || name === 'clicked' || name === 'unsubscribed',
);

/** A campaign, or its statistics together with its status and type. */
type Figures = Pick<
  Campaign,
  CampaignFigure['count'] | 'sentCount' | 'deliveredCount' | 'refusedCount' | 'type'
>;

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

/** A figure of a campaign as the list, the page and the comparison of campaigns show it. */
export function figureOf(
  { count, rate }: CampaignFigure,
  figures: Figures,
  tracking: Project['tracking'],
): ShownFigure {
  const unknown = whyUnknown(count, figures, tracking);
  if (unknown !== null) return { percent: null, rate: '–', count: '', unknown };
  const percent = rateOf(rate, countsOfCampaign(figures));
  return { percent, rate: formatPercent(percent), count: formatCount(figures[count]), unknown };
}

interface ConvertedFigure {
  /** percent of the emails sent */
  rate: string;
  /** how many, and what it is worth */
  count: string;
}

/** Who reached the goal of a campaign, and for which sum; null without a goal. @param currency of its values */
export function convertedOf(
  {
    convertedCount,
    convertedValue,
    sentCount,
  }: Pick<Campaign, 'convertedCount' | 'convertedValue' | 'sentCount'>,
  currency: string | null,
): ConvertedFigure | null {
  const rate = conversionRateOf(convertedCount, sentCount);
  if (convertedCount === null || rate === null) return null;
  const worth = convertedValue === null || currency === null ? null : formatValue(convertedValue, currency);
  return {
    rate: formatPercent(rate),
    count: worth === null ? formatCount(convertedCount) : `${formatCount(convertedCount)}, ${worth}`,
  };
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
