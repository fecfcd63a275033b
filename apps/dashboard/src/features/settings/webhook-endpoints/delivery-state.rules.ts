import type { WebhookDelivery } from '../../../lib/api.ts';
import type { Tone } from '../../../ui/chip.tsx';

type Attempt = WebhookDelivery['attempts'][number];

/** Display names of the statuses of a webhook delivery. */
export const deliveryStatuses: Readonly<
  Record<WebhookDelivery['status'], { tone: Tone; label: string; meaning: string }>
> = {
  PENDING: { tone: 'busy', label: 'Pending', meaning: 'Waiting for its first or its next attempt.' },
  DELIVERED: { tone: 'good', label: 'Delivered', meaning: 'The endpoint accepted it.' },
  FAILED: {
    tone: 'bad',
    label: 'Failed',
    meaning: 'The endpoint did not accept it. No further attempts are made.',
  },
};

/** The answer of an attempt in words: `Status 503 after 84 ms`. */
export const attemptInWords = ({ statusCode, ms }: Pick<Attempt, 'statusCode' | 'ms'>): string =>
  `${statusCode === null ? 'No answer' : `Status ${statusCode}`} after ${ms} ms`;

/** The last answer of a delivery in words, null before the first attempt. */
export function lastAnswer({ attempts }: Pick<WebhookDelivery, 'attempts'>): string | null {
  const last = attempts.at(-1);
  if (!last) return null;
  return last.statusCode === null ? (last.error ?? 'No answer') : `Status ${last.statusCode}`;
}
