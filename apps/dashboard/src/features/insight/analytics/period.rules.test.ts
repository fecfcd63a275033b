import { describe, expect, it } from 'vitest';
import { browserZone, choiceOf, periodOf } from './period.rules.ts';

const now = new Date('2026-03-31T09:41:12Z');
const choice = (query: string) => choiceOf(new URLSearchParams(query), now);
const period = (query: string) => periodOf(choice(query), now);

describe('the period', () => {
  it('of some days starts and ends with whole days of the zone, and the one before is as long', () => {
    expect(period('period=7&tz=America/New_York')).toEqual({
      tz: 'America/New_York',
      granularity: 'day',
      present: { from: '2026-03-25T04:00:00.000Z', to: '2026-04-01T04:00:00.000Z' },
      previous: { from: '2026-03-18T04:00:00.000Z', to: '2026-03-25T04:00:00.000Z' },
    });
  });

  it('of 24 hours ends with the current hour', () => {
    expect(period('period=1&tz=UTC')).toEqual({
      tz: 'UTC',
      granularity: 'hour',
      present: { from: '2026-03-30T10:00:00.000Z', to: '2026-03-31T10:00:00.000Z' },
      previous: { from: '2026-03-29T10:00:00.000Z', to: '2026-03-30T10:00:00.000Z' },
    });
  });

  it('of its own includes both days, and at most 90', () => {
    expect(period('period=own&from=2026-02-01&to=2026-02-02&tz=UTC')).toMatchObject({
      granularity: 'hour',
      present: { from: '2026-02-01T00:00:00.000Z', to: '2026-02-03T00:00:00.000Z' },
      previous: { from: '2026-01-30T00:00:00.000Z' },
    });
    expect(period('period=own&from=2025-01-01&to=2026-03-31&tz=UTC').present.from).toBe(
      '2026-01-01T00:00:00.000Z',
    );
  });

  it.each(['Europe/Berlin', 'America/New_York', 'Pacific/Chatham', 'UTC'])(
    'is never longer than 90 days, also where the clocks change: %s',
    (tz) => {
      for (const day of ['2026-04-01', '2026-06-20', '2026-11-20', '2026-12-31']) {
        const { present, previous } = period(`period=own&from=2025-01-01&to=${day}&tz=${tz}`);
        for (const { from, to } of [present, previous])
          expect(Date.parse(to) - Date.parse(from)).toBeLessThanOrEqual(90 * 86_400_000);
      }
    },
  );
});

it.each([
  '',
  'period=12',
  'period=own&from=x&to=2026-03-01',
  'tz=Mars/Olympus',
  'period=own&from=2026-03-02&to=2026-03-01',
])('an address that is not understood shows 30 days in the zone of the browser: "%s"', (query) => {
  const { tz, days } = choice(query);
  expect(tz).toBe(browserZone());
  expect(Date.parse(days.to) - Date.parse(days.from)).toBe(29 * 86_400_000);
});
