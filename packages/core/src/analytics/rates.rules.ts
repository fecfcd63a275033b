import { percent } from '../campaigns/campaigns.rules.ts';

interface Counted {
  sent: number;
  delivered: number;
  opened: number;
  clicked: number;
  bounced: number;
  complained: number;
  unsubscribed: number;
}

/** The figures of a breakdown with their rates, and nothing else. */
export const withRates = ({
  sent,
  delivered,
  opened,
  clicked,
  bounced,
  complained,
  unsubscribed,
}: Counted) => ({
  sent,
  delivered,
  opened,
  clicked,
  bounced,
  complained,
  unsubscribed,
  openRate: percent(opened, sent),
  clickRate: percent(clicked, sent),
  bounceRate: percent(bounced, sent),
  complaintRate: percent(complained, sent),
  unsubscribeRate: percent(unsubscribed, sent),
});
