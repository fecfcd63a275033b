import { expect, it } from 'vitest';
import {
  acceptedOf,
  conversionRateOf,
  isDeliveryReported,
  outcomeInWords,
  rateInWords,
  ratesOf,
  shownOutcomes,
} from './email-figures.rules.ts';

const none = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  refused: 0,
  complained: 0,
  unsubscribed: 0,
};

it.each([
  [{ sent: 1, bounced: 6, refused: 6 }, 85.71, 14.29],
  [{ sent: 0, bounced: 6, refused: 6 }, 100, 0],
  [{ sent: 100, bounced: 5, refused: 0 }, 5, 95],
  [{ sent: 95, bounced: 5, refused: 5 }, 5, 95],
  [{ sent: 2, bounced: 5, refused: 0 }, 100, 0],
  [{ sent: 0, bounced: 0, refused: 0 }, 0, 0],
])('of %o, %d %% bounced and %d %% were accepted', (counts, bounceRate, acceptRate) => {
  expect(ratesOf({ ...none, ...counts })).toMatchObject({ bounceRate, acceptRate });
});

it('no rate is above 100, and accepted is never below 0', () => {
  const late = {
    ...none,
    sent: 1,
    opened: 3,
    clicked: 4,
    delivered: 2,
    complained: 2,
    unsubscribed: 2,
    bounced: 9,
  };
  for (const rate of Object.values(ratesOf(late))) expect(rate).toBeLessThanOrEqual(100);
  expect(acceptedOf(late)).toBe(0);
});

it('rates have their bases', () => {
  const counts = {
    ...none,
    sent: 200,
    opened: 50,
    clicked: 10,
    delivered: 150,
    complained: 1,
    unsubscribed: 4,
  };
  expect(ratesOf(counts)).toEqual({
    ...{ openRate: 25, clickRate: 5, clickToOpenRate: 20, bounceRate: 0, acceptRate: 100, deliveryRate: 75 },
    ...{ complaintRate: 0.5, unsubscribeRate: 2 },
  });
  expect([conversionRateOf(3, 200), conversionRateOf(null, 200), conversionRateOf(0, 0)]).toEqual([
    1.5,
    null,
    0,
  ]);
});

it('only a report shows that deliveries are reported; without one, what was accepted is shown', () => {
  expect([isDeliveryReported({ delivered: 0 }), isDeliveryReported({ delivered: 1 })]).toEqual([false, true]);
  const names = (deliveryReported: boolean) => shownOutcomes(deliveryReported).map(({ figure }) => figure);
  expect(names(false)[0]).toBe('accepted');
  expect(names(true)[0]).toBe('delivered');
  expect(names(true)).not.toContain('accepted');
});

it('figures are explained by what they count', () => {
  expect(rateInWords('acceptRate')).toBe('Accepted, in percent of the emails that were sent or refused.');
  const [accepted] = shownOutcomes(false);
  expect(accepted && outcomeInWords(accepted)).toBe(
    'Emails that were sent and have not bounced. Accepted, in percent of the emails that were sent or refused.',
  );
});
