import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/kernel/errors.ts';
import { parseRequest } from '../../base/kernel/validation.ts';
import { readSendTime } from './schedule.rules.ts';
import { sendInput } from './sending.schema.ts';

const now = new Date('2030-01-01T12:00:00.000Z');
const shifted = (ms: number): string => new Date(now.getTime() + ms).toISOString();
const day = 86_400_000;

describe('the time of a scheduled email', () => {
  it.each([
    ['an instant in UTC', '2030-01-01T13:00:00Z', '2030-01-01T13:00:00.000Z'],
    ['an instant with an offset', '2030-01-01T13:00:00+02:00', null],
    ['an instant with an offset that is ahead', '2030-01-01T15:30:00+02:00', '2030-01-01T13:30:00.000Z'],
    ['blanks around it', ' 2030-01-01T13:00:00Z ', '2030-01-01T13:00:00.000Z'],
    ['epoch milliseconds', now.getTime() + 5, '2030-01-01T12:00:00.005Z'],
    ['now', shifted(0), shifted(0)],
    ['a minute ago', shifted(-60_000), shifted(-60_000)],
    ['365 days ahead', shifted(365 * day), shifted(365 * day)],
  ])('%s', (_what, given, expected) => {
    const read = readSendTime(given, now);
    expect(read instanceof Date ? read.toISOString() : read).toBe(expected ?? 'invalid_range');
  });

  it.each([
    '9:00',
    'tomorrow',
    '',
    '2030-01-02',
    '2030-01-02T09:00',
    '2030-01-02T09:00:00',
    '2030-02-30T09:00:00Z',
    '1893502800000',
    1.5,
    Number.NaN,
  ])('is not %j, which is no instant', (given) => {
    expect(readSendTime(given, now)).toBe('invalid_date');
  });

  it('is no text of any length', () => {
    expect(readSendTime('2030-01-02T09:00:00'.repeat(100_000), now)).toBe('invalid_date');
  });

  it.each([shifted(-60_001), shifted(365 * day + 1), 0, '9999-12-31T23:59:59Z'])(
    'is not %j, which is out of range',
    (given) => {
      expect(readSendTime(given, now)).toBe('invalid_range');
    },
  );
});

const errorsOf = (times: object) => {
  try {
    const { scheduledAt, scheduledFor } = parseRequest(sendInput, {
      to: 'a@people.test',
      from: 'a@shop.test',
      subject: 'S',
      body: 'B',
      ...times,
    });
    return [scheduledAt, scheduledFor].map((at) => at?.toISOString());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.errors?.map(({ field, code }) => `${field} ${code}`);
  }
};

describe('a request with a time', () => {
  const soon = new Date(Date.now() + day).toISOString();
  const later = new Date(Date.now() + 2 * day).toISOString();

  it.each([
    ['neither name', {}, [undefined, undefined]],
    ['null for both', { scheduledAt: null, scheduledFor: null }, [undefined, undefined]],
    ['either name', { scheduledFor: soon }, [undefined, soon]],
    ['the same time under both', { scheduledAt: soon, scheduledFor: Date.parse(soon) }, [soon, soon]],
    ['two times', { scheduledAt: soon, scheduledFor: later }, ['scheduledAt custom']],
    ['no date', { scheduledAt: '9:00' }, ['scheduledAt invalid_date']],
    [
      'another type',
      { scheduledAt: true, scheduledFor: {} },
      ['scheduledAt invalid_date', 'scheduledFor invalid_date'],
    ],
    ['a list', { scheduledAt: [soon] }, ['scheduledAt invalid_date']],
    ['a time in the past', { scheduledAt: '2001-01-01T00:00:00Z' }, ['scheduledAt invalid_range']],
  ])('%s', (_what, times, expected) => {
    expect(errorsOf(times)).toEqual(expected);
  });
});
