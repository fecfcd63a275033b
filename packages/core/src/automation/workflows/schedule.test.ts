import { describe, expect, it } from 'vitest';
import { readSchedule } from './schedule.ts';

const refused = (errors: object[]) =>
  expect.objectContaining({ errors: errors.map((error) => expect.objectContaining(error)) });

describe('a schedule', () => {
  it.each([
    ['* * * * *', 'UTC'],
    ['*/15 8-18 * * 1-5', 'Europe/Berlin'],
    ['0 9 1,15 JAN-MAR MON', 'America/New_York'],
  ])('%s in %s is kept', (cron, timezone) => {
    expect(readSchedule({ cron, timezone })).toEqual({ timezone });
  });

  it.each([
    'not a cron',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '@daily',
    '0 0 30 2 *',
    '0 0 L * *x',
  ])('%s is no cron of 5 fields that ever fires', (cron) => {
    expect(() => readSchedule({ cron, timezone: 'UTC' })).toThrow(refused([{ field: 'triggerConfig.cron' }]));
  });

  it.each([
    ['utc', 'UTC'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['US/Pacific', 'US/Pacific'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
  ])('the time zone %s is kept as %s', (timezone, kept) => {
    expect(readSchedule({ cron: '* * * * *', timezone })).toMatchObject({ timezone: kept });
  });

  it.each(['Mars/Olympus', '+02:00', '', 'Europe'])('%j is not a time zone', (timezone) => {
    expect(() => readSchedule({ cron: '* * * * *', timezone })).toThrow(
      refused([{ field: 'triggerConfig.timezone', code: 'invalid_timezone' }]),
    );
  });
});
