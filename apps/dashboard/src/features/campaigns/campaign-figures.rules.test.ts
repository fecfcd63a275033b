import { expect, it } from 'vitest';
import {
  campaignFigures,
  figureOf,
  figuresInBrief,
  listedFigures,
  sentInWords,
} from './campaign-figures.rules.ts';

const campaign = {
  status: 'CANCELLED',
  type: 'MARKETING',
  totalRecipients: 4_982,
  sentCount: 500,
  deliveredCount: 0,
  openedCount: 123,
  clickedCount: 15,
  bouncedCount: 10,
  complainedCount: 0,
  unsubscribedCount: 2,
} as const;

const all = (change: object, tracking: 'ENABLED' | 'DISABLED' = 'ENABLED') =>
  Object.fromEntries(
    campaignFigures.map((figure) => [figure.name, figureOf(figure, { ...campaign, ...change }, tracking)]),
  );

it('rates are percent of the emails sent, that of bounces is the one of the statistics', () => {
  const { opened, clicked, unsubscribed, bounced } = all({ bounceRate: 1.79 });
  expect(opened).toEqual({ percent: 24.6, rate: '24.6%', count: '123', unknown: null });
  expect(clicked).toEqual({ percent: 3, rate: '3%', count: '15', unknown: null });
  expect(unsubscribed).toEqual({ percent: 0.4, rate: '0.4%', count: '2', unknown: null });
  expect(bounced).toEqual({ percent: 1.79, rate: '1.79%', count: '10', unknown: null });
});

it('what is not known is a dash and never 0%', () => {
  expect(all({}).bounced).toEqual({ percent: null, rate: '–', count: '', unknown: null });
  const untracked = all({ openedCount: 0, clickedCount: 0, bouncedCount: 0 }, 'DISABLED');
  expect(untracked).toMatchObject({
    delivered: { rate: '–', unknown: 'No delivery reports on this route' },
    opened: { rate: '–', unknown: 'Tracking is off' },
    clicked: { rate: '–', unknown: 'Tracking is off' },
    unsubscribed: { rate: '0.4%', unknown: null },
  });
});

it('the list shows opens, clicks and opt-outs', () => {
  expect(listedFigures.map(({ name }) => name)).toEqual(['opened', 'clicked', 'unsubscribed']);
  expect(figuresInBrief(campaign, 'ENABLED')).toBe(
    '500 of 4,982 sent · 24.6% opened · 3% clicked · 0.4% unsubscribed',
  );
  const unread = { ...campaign, sentCount: 4_982, openedCount: 0, clickedCount: 0, unsubscribedCount: 0 };
  expect(figuresInBrief(unread, 'DISABLED')).toBe('4,982 sent · 0% unsubscribed');
});

it('a campaign that was not sent to all names both numbers', () => {
  expect(sentInWords(campaign)).toBe('500 of 4,982');
  expect(sentInWords({ sentCount: 4_982, totalRecipients: 4_982 })).toBe('4,982');
});
