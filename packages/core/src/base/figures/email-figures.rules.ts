/**
 * The figures of emails: what each counts, and in percent of what each rate is. Every page, door, export and webhook takes them from here
 * (behaviour B13.10). TEST email is never part of a set.
 */
export const emailFigures = {
  recipients: { label: 'Recipients', counts: 'Emails of the audience, those that were held out included.' },
  sent: { label: 'Sent', counts: 'Emails that were sent.' },
  accepted: { label: 'Accepted', counts: 'Emails that were sent and have not bounced.' },
  refused: {
    label: 'Refused',
    counts: 'Emails that were never sent, because the server said that the mailbox does not exist.',
  },
  delivered: { label: 'Delivered', counts: 'Emails whose delivery was reported.' },
  opened: { label: 'Opened', counts: 'Emails that a person has opened, each once.' },
  clicked: { label: 'Clicked', counts: 'Emails in which a person has clicked, each once.' },
  bounced: { label: 'Bounced', counts: 'Emails that bounced for good, the refused ones included.' },
  complained: { label: 'Complained', counts: 'Emails that were reported as spam.' },
  unsubscribed: {
    label: 'Unsubscribed',
    counts: 'Emails by whose link the contact opted out or paused its subscription.',
  },
  failed: { label: 'Failed', counts: 'Emails that could not be sent.' },
  skipped: { label: 'Skipped', counts: 'Emails that were left out on purpose, those held out included.' },
  heldOut: { label: 'Held out', counts: 'Emails that the draw of the holdout left out.' },
  uncertain: { label: 'Uncertain', counts: 'Emails of which it is not known whether they were sent.' },
  pending: { label: 'Queued', counts: 'Emails that wait or are being sent.' },
  converted: {
    label: 'Converted',
    counts: 'Emails that were sent, and whose contact reached the goal in the days after, touched or not.',
  },
} as const satisfies Record<string, { label: string; counts: string }>;
export type EmailFigure = keyof typeof emailFigures;

/** The figures that rates are made of. */
export type EmailCounts = Record<
  'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'refused' | 'complained' | 'unsubscribed',
  number
>;

/** What rates are in percent of. */
const bases = {
  sent: { words: 'the emails sent', of: ({ sent }: EmailCounts) => sent },
  attempted: {
    words: 'the emails that were sent or refused',
    of: ({ sent, refused }: EmailCounts) => sent + refused,
  },
  opened: { words: 'the emails opened', of: ({ opened }: EmailCounts) => opened },
} as const;

type CountOf = (counts: EmailCounts) => number;

/** Emails that were sent and have not bounced. What happens in a period can concern emails of an earlier one, so that this is at least 0. */
export const acceptedOf = ({ sent, refused, bounced }: Pick<EmailCounts, 'sent' | 'refused' | 'bounced'>) =>
  Math.max(0, sent + refused - bounced);

/** Whether the way that these emails took reports deliveries: only the reports show it. Plain SMTP has none. */
export const isDeliveryReported = ({ delivered }: Pick<EmailCounts, 'delivered'>): boolean => delivered > 0;

const rateTable = {
  openRate: { figure: 'opened', base: 'sent' },
  clickRate: { figure: 'clicked', base: 'sent' },
  clickToOpenRate: { figure: 'clicked', base: 'opened' },
  bounceRate: { figure: 'bounced', base: 'attempted' },
  acceptRate: { figure: 'accepted', base: 'attempted' },
  deliveryRate: { figure: 'delivered', base: 'sent' },
  complaintRate: { figure: 'complained', base: 'sent' },
  unsubscribeRate: { figure: 'unsubscribed', base: 'sent' },
} as const satisfies Record<string, { figure: EmailFigure; base: keyof typeof bases }>;
export type EmailRate = keyof typeof rateTable;

/** Of a goal; the others are of every set of emails. */
const conversionRate = { figure: 'converted', base: 'sent' } as const;

const countOf: Record<(typeof rateTable)[EmailRate]['figure'], CountOf> = {
  opened: ({ opened }) => opened,
  clicked: ({ clicked }) => clicked,
  bounced: ({ bounced }) => bounced,
  accepted: acceptedOf,
  delivered: ({ delivered }) => delivered,
  complained: ({ complained }) => complained,
  unsubscribed: ({ unsubscribed }) => unsubscribed,
};

/**
 * Percent with at most two decimals; 0 of nothing is 0. At most 100: what happens in a period can concern more emails than were sent in
 * it.
 */
export const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.min(100, Math.round((part / whole) * 10_000) / 100);

/** A rate of emails, in percent. */
export function rateOf(rate: EmailRate, counts: EmailCounts): number {
  const { figure, base } = rateTable[rate];
  return percent(countOf[figure](counts), bases[base].of(counts));
}

/** All rates of emails, in percent. */
export const ratesOf = (counts: EmailCounts): Record<EmailRate, number> => ({
  openRate: rateOf('openRate', counts),
  clickRate: rateOf('clickRate', counts),
  clickToOpenRate: rateOf('clickToOpenRate', counts),
  bounceRate: rateOf('bounceRate', counts),
  acceptRate: rateOf('acceptRate', counts),
  deliveryRate: rateOf('deliveryRate', counts),
  complaintRate: rateOf('complaintRate', counts),
  unsubscribeRate: rateOf('unsubscribeRate', counts),
});

/** Converted emails in percent of those sent. @param converted null without a goal */
export const conversionRateOf = (converted: number | null, sent: number): number | null =>
  converted === null ? null : percent(converted, sent);

/** What a rate is, as a sentence: `Bounced, in percent of the emails that were sent or refused.` */
export function rateInWords(rate: EmailRate | 'conversionRate'): string {
  const { figure, base } = rate === 'conversionRate' ? conversionRate : rateTable[rate];
  return `${emailFigures[figure].label}, in percent of ${bases[base].words}.`;
}

/** What became of emails that were sent, in the order in which it is shown. */
const outcomes = [
  { figure: 'accepted', rate: 'acceptRate' },
  { figure: 'delivered', rate: 'deliveryRate' },
  { figure: 'opened', rate: 'openRate' },
  { figure: 'clicked', rate: 'clickRate' },
  { figure: 'bounced', rate: 'bounceRate' },
  { figure: 'complained', rate: 'complaintRate' },
  { figure: 'unsubscribed', rate: 'unsubscribeRate' },
] as const satisfies readonly { figure: EmailFigure; rate: EmailRate }[];
export type EmailOutcome = (typeof outcomes)[number];

/** The outcomes to show: where nothing reports deliveries, what was accepted in the place of what was delivered. */
export const shownOutcomes = (deliveryReported: boolean): EmailOutcome[] =>
  outcomes.filter(({ figure }) => figure !== (deliveryReported ? 'accepted' : 'delivered'));

/** What a figure with its rate counts, for readers. */
export const outcomeInWords = ({ figure, rate }: EmailOutcome): string =>
  `${emailFigures[figure].counts} ${rateInWords(rate)}`;

/** The counters of a campaign as the figures of its emails. */
export const countsOfCampaign = (
  counters: {
    [Figure in keyof EmailCounts as `${Figure}Count`]: number;
  },
): EmailCounts => ({
  sent: counters.sentCount,
  delivered: counters.deliveredCount,
  opened: counters.openedCount,
  clicked: counters.clickedCount,
  bounced: counters.bouncedCount,
  refused: counters.refusedCount,
  complained: counters.complainedCount,
  unsubscribed: counters.unsubscribedCount,
});
