import {
  acceptedOf,
  type EmailCounts,
  isDeliveryReported,
  ratesOf,
} from '../../base/figures/email-figures.rules.ts';

/** The counts of a time, and nothing else. */
export const countsOf = ({
  sent,
  delivered,
  opened,
  clicked,
  bounced,
  complained,
  unsubscribed,
}: EmailCounts): Omit<EmailCounts, 'refused'> => ({
  sent,
  delivered,
  opened,
  clicked,
  bounced,
  complained,
  unsubscribed,
});

/** The figures of emails (behaviour B4.13): their counts with their rates. */
export const withRates = (counts: EmailCounts) => ({
  ...countsOf(counts),
  accepted: acceptedOf(counts),
  refused: counts.refused,
  deliveryReported: isDeliveryReported(counts),
  ...ratesOf(counts),
});
