import type { Timeseries } from '../../../lib/api.ts';
import { shareOf } from '../../../lib/format.ts';
import type { Fill } from '../../../ui/chart-types.ts';

export type Bucket = Timeseries['data'][number];
export type Fact = Exclude<keyof Bucket, 'bucket'>;

export const facts: readonly {
  value: Fact;
  label: string;
  fill: Fill;
  moreIs: 'good' | 'bad' | 'neutral';
}[] = [
  { value: 'sent', label: 'Sent', fill: 'sent', moreIs: 'neutral' },
  { value: 'delivered', label: 'Delivered', fill: 'delivered', moreIs: 'good' },
  { value: 'opened', label: 'Opened', fill: 'opened', moreIs: 'good' },
  { value: 'clicked', label: 'Clicked', fill: 'clicked', moreIs: 'good' },
  { value: 'bounced', label: 'Bounced', fill: 'bounced', moreIs: 'bad' },
  { value: 'complained', label: 'Complaints', fill: 'complained', moreIs: 'bad' },
];

export const totalOf = (data: readonly Bucket[], fact: Fact): number =>
  data.reduce((sum, bucket) => sum + bucket[fact], 0);

/**
 * A fact as a figure: the number of emails for `sent`, a rate for the others. Null where it cannot be known: nothing was sent, or nothing
 * reports deliveries on this route.
 */
export function figureOf(data: readonly Bucket[], fact: Fact): number | null {
  const total = totalOf(data, fact);
  if (fact === 'sent') return total;
  const sent = totalOf(data, 'sent');
  if (sent === 0 || (fact === 'delivered' && total === 0)) return null;
  return shareOf(total, sent);
}
