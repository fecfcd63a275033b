import { expect, it } from 'vitest';
import { bounceRateOf } from './campaigns.rules.ts';

it.each([
  [{ sent: 1, bounced: 6, refused: 6 }, 85.71],
  [{ sent: 0, bounced: 6, refused: 6 }, 100],
  [{ sent: 100, bounced: 5, refused: 0 }, 5],
  [{ sent: 95, bounced: 5, refused: 5 }, 5],
  [{ sent: 2, bounced: 5, refused: 0 }, 100],
  [{ sent: 0, bounced: 0, refused: 0 }, 0],
])('the bounce rate of %o is %d %', (figures, rate) => {
  expect(bounceRateOf(figures)).toBe(rate);
});
