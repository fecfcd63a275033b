import { expect, it } from 'vitest';
import { whyUnknown } from './unknown-rates.rules.ts';

const figures = { type: 'MARKETING', openedCount: 0, clickedCount: 0 } as const;

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
