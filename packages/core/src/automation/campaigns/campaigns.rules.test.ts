import { describe, expect, it } from 'vitest';
import { firstPart, nextPart, readSchedule } from './campaigns.rules.ts';

it('an audience is frozen in parts that grow up to a million contacts, and no further', () => {
  const parts = [firstPart];
  while (parts.length < 7) parts.push(nextPart(parts.at(-1) ?? 0));
  expect(parts).toEqual([2_000, 8_000, 32_000, 128_000, 512_000, 1_000_000, 1_000_000]);
});

describe('the start of a campaign', () => {
  const now = new Date('2030-01-01T00:00:00.000Z');
  const [one, other] = ['2030-02-01T00:00:00.000Z', '2030-03-01T00:00:00.000Z'];

  it.each([
    ['at once', {}, undefined],
    ['at once, by null', { scheduledFor: null, scheduledAt: null }, undefined],
    ['by its name', { scheduledFor: one }, one],
    ['by that of single emails', { scheduledAt: one }, one],
    ['by both', { scheduledFor: one, scheduledAt: Date.parse(one) }, one],
  ])('is %s', (_what, given, expected) => {
    expect(readSchedule(given, now)?.toISOString()).toBe(expected);
  });

  it('is refused at the second name when both differ', () => {
    expect(() => readSchedule({ scheduledFor: one, scheduledAt: other }, now)).toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ field: 'scheduledAt', code: 'custom' })],
      }),
    );
  });

  it.each(['tomorrow', '2029-01-01T00:00:00Z'])(
    'is a bad request when %s is given by either name',
    (given) => {
      for (const times of [{ scheduledFor: given }, { scheduledAt: given }])
        expect(() => readSchedule(times, now)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
    },
  );
});
