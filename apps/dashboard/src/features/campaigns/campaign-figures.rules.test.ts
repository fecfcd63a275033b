import { expect, it } from 'vitest';
import {
  campaignFigures,
  convertedOf,
  figureOf,
  figuresInBrief,
  listedFigures,
  sentInWords,
} from './campaign-figures.rules.ts';

const campaign = {
  type: 'MARKETING',
  totalRecipients: 4_982,
  sentCount: 500,
  acceptedCount: 495,
  refusedCount: 5,
  deliveredCount: 0,
  openedCount: 123,
  clickedCount: 15,
  bouncedCount: 10,
  complainedCount: 0,
  unsubscribedCount: 2,
} as const;

const all = (
  change: object,
  tracking: 'ENABLED' | 'DISABLED' = 'ENABLED',
  deliveryReported: boolean = false,
) =>
  Object.fromEntries(
    campaignFigures(deliveryReported).map((figure) => [
      figure.name,
      figureOf(figure, { ...campaign, ...change }, tracking),
    ]),
  );

it('rates are percent of the emails sent, those of accepted and bounced emails of those sent or refused', () => {
  const { opened, clicked, unsubscribed, bounced, accepted } = all({});
  expect(opened).toEqual({ percent: 24.6, rate: '24.6%', count: '123', unknown: null });
  expect(clicked).toEqual({ percent: 3, rate: '3%', count: '15', unknown: null });
  expect(unsubscribed).toEqual({ percent: 0.4, rate: '0.4%', count: '2', unknown: null });
  expect(bounced).toEqual({ percent: 1.98, rate: '1.98%', count: '10', unknown: null });
  expect(accepted).toEqual({ percent: 98.02, rate: '98.02%', count: '495', unknown: null });
});

it('accepted emails are shown in the place of delivered ones where nothing reports deliveries', () => {
  expect(campaignFigures(false).map(({ label }) => label)).toEqual([
    ...['Accepted', 'Opened', 'Clicked', 'Bounced', 'Complained', 'Unsubscribed'],
  ]);
  expect(campaignFigures(true).map(({ label }) => label)).toEqual([
    ...['Delivered', 'Opened', 'Clicked', 'Bounced', 'Complained', 'Unsubscribed'],
  ]);
  expect(all({ deliveredCount: 490 }, 'ENABLED', true).delivered).toMatchObject({ rate: '98%' });
});

it('each figure is explained', () => {
  expect(campaignFigures(false).find(({ name }) => name === 'bounced')?.explanation).toBe(
    'Emails that bounced for good, the refused ones included. Bounced, in percent of the emails that were sent or refused.',
  );
});

it('what is not known is a dash and never 0%', () => {
  const untracked = all({ openedCount: 0, clickedCount: 0 }, 'DISABLED');
  expect(untracked).toMatchObject({
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

it('a campaign with a goal shows who reached it, and for which sum', () => {
  const counted = { convertedCount: 20, convertedValue: 1_240.5, sentCount: 500 };
  expect(convertedOf(counted, 'EUR')).toEqual({ rate: '4%', count: '20, €1,240.50' });
  expect(convertedOf({ ...counted, convertedValue: null }, null)).toEqual({ rate: '4%', count: '20' });
  expect(convertedOf({ ...counted, convertedCount: null }, null)).toBeNull();
});

it('a campaign that was not sent to all names both numbers', () => {
  expect(sentInWords(campaign)).toBe('500 of 4,982');
  expect(sentInWords({ sentCount: 4_982, totalRecipients: 4_982 })).toBe('4,982');
});
