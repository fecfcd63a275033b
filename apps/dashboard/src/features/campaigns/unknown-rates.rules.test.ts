import { expect, it } from 'vitest';
import { whyUnknown } from './unknown-rates.rules.ts';

const figures = {
  status: 'SENT',
  type: 'MARKETING',
  deliveredCount: 0,
  openedCount: 0,
  clickedCount: 0,
  bouncedCount: 0,
} as const;

it('no delivery is not 0% until one report of the route is there', () => {
  const why = (change: object) => whyUnknown('deliveredCount', { ...figures, ...change }, 'ENABLED');
  expect(why({})).toBe('No delivery reports on this route');
  expect(why({ status: 'SENDING' })).toBe('No delivery reports yet');
  expect(why({ bouncedCount: 1 })).toBe(null);
  expect(why({ deliveredCount: 1 })).toBe(null);
});

it('no opens and clicks are not 0% when they are not tracked', () => {
  expect(whyUnknown('openedCount', figures, 'DISABLED')).toBe('Tracking is off');
  expect(whyUnknown('clickedCount', { ...figures, type: 'TRANSACTIONAL' }, 'MARKETING_ONLY')).toBe(
    'Tracking is off',
  );
  expect(whyUnknown('openedCount', figures, 'MARKETING_ONLY')).toBe(null);
  // Tracking was switched off after the campaign.
  expect(whyUnknown('clickedCount', { ...figures, openedCount: 2 }, 'DISABLED')).toBe(null);
  expect(whyUnknown('bouncedCount', figures, 'DISABLED')).toBe(null);
});
