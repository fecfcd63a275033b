import {
  acceptedOf,
  type EmailOutcome,
  emailFigures,
  rateInWords,
  rateOf,
  shownOutcomes,
} from '@postrider/core/base/figures/contract';
import type { Timeseries } from '../../../lib/api.ts';
import type { Fill } from '../../../ui/chart-types.ts';

export type Bucket = Timeseries['data'][number];
export type Fact = Exclude<keyof Bucket, 'bucket' | 'refused'> | 'accepted';

interface FactLook {
  value: Fact;
  label: string;
  /** what it counts, and what its rate is a part of */
  explanation: string;
  fill: Fill;
  moreIs: 'good' | 'bad' | 'neutral';
}

const looks: Record<Fact, Pick<FactLook, 'fill' | 'moreIs'>> = {
  sent: { fill: 'sent', moreIs: 'neutral' },
  accepted: { fill: 'delivered', moreIs: 'good' },
  delivered: { fill: 'delivered', moreIs: 'good' },
  opened: { fill: 'opened', moreIs: 'good' },
  clicked: { fill: 'clicked', moreIs: 'good' },
  bounced: { fill: 'bounced', moreIs: 'bad' },
  complained: { fill: 'complained', moreIs: 'bad' },
};

const isFact = (figure: EmailOutcome['figure']): figure is Exclude<Fact, 'sent'> => figure in looks;

/** What is shown of the emails of a period: where none of them was reported as delivered, those that were accepted. */
export const factsOf = (data: readonly Bucket[]): FactLook[] => [
  { value: 'sent', label: emailFigures.sent.label, explanation: emailFigures.sent.counts, ...looks.sent },
  ...shownOutcomes(totalOf(data, 'delivered') > 0).flatMap(({ figure, rate }) =>
    isFact(figure)
      ? {
          value: figure,
          label: emailFigures[figure].label,
          explanation: `${emailFigures[figure].counts} ${rateInWords(rate)}`,
          ...looks[figure],
        }
      : [],
  ),
];

/** How many emails of one bucket. */
export const countOf = (bucket: Bucket, fact: Fact): number =>
  fact === 'accepted' ? acceptedOf(bucket) : bucket[fact];

const sumOf = (data: readonly Bucket[], fact: Exclude<keyof Bucket, 'bucket'>): number =>
  data.reduce((sum, bucket) => sum + bucket[fact], 0);

const countsOf = (data: readonly Bucket[]) => ({
  sent: sumOf(data, 'sent'),
  delivered: sumOf(data, 'delivered'),
  opened: sumOf(data, 'opened'),
  clicked: sumOf(data, 'clicked'),
  bounced: sumOf(data, 'bounced'),
  refused: sumOf(data, 'refused'),
  complained: sumOf(data, 'complained'),
  unsubscribed: 0,
});

export const totalOf = (data: readonly Bucket[], fact: Fact): number =>
  fact === 'accepted' ? acceptedOf(countsOf(data)) : sumOf(data, fact);

const rateNames = {
  accepted: 'acceptRate',
  delivered: 'deliveryRate',
  opened: 'openRate',
  clicked: 'clickRate',
  bounced: 'bounceRate',
  complained: 'complaintRate',
} as const;

/** A fact as a figure: the number of emails for `sent`, a rate for the others. Null where it cannot be known, because nothing was sent. */
export function figureOf(data: readonly Bucket[], fact: Fact): number | null {
  const counts = countsOf(data);
  if (fact === 'sent') return counts.sent;
  if (counts.sent + counts.refused === 0 || (fact === 'delivered' && counts.delivered === 0)) return null;
  return rateOf(rateNames[fact], counts);
}
