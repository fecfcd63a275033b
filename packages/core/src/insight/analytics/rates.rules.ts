import { bounceRateOf, percent } from '../../automation/campaigns/campaigns.rules.ts';

interface Counted {
  sent: number;
  delivered: number;
  opened: number;
  clicked: number;
  bounced: number;
  complained: number;
  unsubscribed: number;
}

/** The counts of a breakdown, and nothing else. */
export const countsOf = ({
  sent,
  delivered,
  opened,
  clicked,
  bounced,
  complained,
  unsubscribed,
}: Counted): Counted => ({
  sent,
  delivered,
  opened,
  clicked,
  bounced,
  complained,
  unsubscribed,
});

/** The counts of a breakdown with their rates. */
export const withRates = (figures: Counted & { refused: number }) => ({
  ...countsOf(figures),
  openRate: percent(figures.opened, figures.sent),
  clickRate: percent(figures.clicked, figures.sent),
  bounceRate: bounceRateOf(figures),
  complaintRate: percent(figures.complained, figures.sent),
  unsubscribeRate: percent(figures.unsubscribed, figures.sent),
});
