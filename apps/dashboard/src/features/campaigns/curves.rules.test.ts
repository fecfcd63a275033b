import { expect, it } from 'vitest';
import { ratesByHour } from './curves.rules.ts';

type Compared = Parameters<typeof ratesByHour>[0][number];
const compared = (sent: number, opened: number[]): Compared =>
  ({ sent, curve: opened.map((count, hour) => ({ hour, opened: count, clicked: 0 })) }) as Compared;

it('rates grow by what is opened in each hour, and end with the present', () => {
  expect(ratesByHour([compared(200, [50, 0, 30]), compared(10, [1])], 'opened')).toEqual([
    { hour: 0, rates: [25, 10] },
    { hour: 1, rates: [25, null] },
    { hour: 2, rates: [40, null] },
  ]);
});

it('a campaign that was not sent has none', () => {
  expect(ratesByHour([compared(0, []), compared(0, [0])], 'clicked')).toEqual([
    { hour: 0, rates: [null, 0] },
  ]);
});
