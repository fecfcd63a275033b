import { expect, it } from 'vitest';
import { delayInWords, kindOfDelay, readDelay } from './delay.rules.ts';

it.each([
  [{ amount: 2, unit: 'days' }, '2 days'],
  [{ until: { field: 'data.ends', otherwise: 'CONTINUE', at: '09:00' } }, 'until data.ends at 09:00'],
  [
    { until: { field: 'data.ends', otherwise: 'EXIT', offset: { amount: -1, unit: 'days' } } },
    'until 1 day before data.ends',
  ],
  [{ windows: [{ from: '22:00', to: '06:00' }] }, 'every day 22:00–06:00'],
  [
    {
      amount: 1,
      unit: 'hours',
      windows: [
        { days: ['MON', 'TUE', 'WED', 'FRI'], from: '09:00', to: '17:00' },
        { days: ['SAT', 'SUN'], from: '10:00', to: '12:00' },
      ],
    },
    '1 hour, then Mon–Wed, Fri 09:00–17:00 and 1 other time',
  ],
] as const)('says what %j waits for', (config, words) => {
  expect(delayInWords(config as unknown as Parameters<typeof delayInWords>[0])).toBe(words);
});

it('reads a duration, with windows and days off', () => {
  const read = readDelay({
    kind: 'amount',
    'config.amount': '3',
    'config.unit': 'hours',
    'config.windows.0.from': '09:00',
    'config.windows.0.to': '17:00',
    'config.windows.0.MON': 'on',
    'config.windows.0.TUE': 'on',
    except: '2026-12-25, 2026-12-26',
    zone: 'PROJECT',
  });
  expect(read).toEqual({
    amount: 3,
    unit: 'hours',
    windows: [{ days: ['MON', 'TUE'], from: '09:00', to: '17:00' }],
    except: ['2026-12-25', '2026-12-26'],
    zone: 'PROJECT',
  });
});

it('reads a date with its offset, and nothing of the duration that was there before', () => {
  const read = readDelay({
    kind: 'until',
    'config.amount': '3',
    'config.until.field': 'data.trialEndsAt',
    'config.until.at': '',
    'config.until.otherwise': 'EXIT',
    offset: '2',
    offsetUnit: 'days',
    side: 'before',
    except: '',
  });
  expect(read).toEqual({
    until: { field: 'data.trialEndsAt', offset: { amount: -2, unit: 'days' }, otherwise: 'EXIT' },
  });
  expect(kindOfDelay({ until: { field: 'data.a', otherwise: 'CONTINUE' } })).toBe('until');
});
