import { expect, it } from 'vitest';
import { readHappenings } from './happenings.rules.ts';

const startAt = new Date('2026-03-01T09:00:00.000Z');
const row = (n: number, eventName: string, after: string, unit: string, data = '') => ({
  [`events.${n}.eventName`]: eventName,
  [`events.${n}.after`]: after,
  [`events.${n}.unit`]: unit,
  [`events.${n}.data`]: data,
});

it('events of a trial have their time, and their data with its types', () => {
  const values = {
    ...row(0, 'order.paid', '2', 'days', 'total: 120\nplan: pro'),
    ...row(1, 'seen', '30', 'minutes'),
  };
  expect(readHappenings(values, startAt)).toEqual([
    { eventName: 'order.paid', at: '2026-03-03T09:00:00.000Z', data: { total: 120, plan: 'pro' } },
    { eventName: 'seen', at: '2026-03-01T09:30:00.000Z' },
  ]);
});

it('data that cannot be read is told at its field', () => {
  const values = { ...row(0, 'seen', '1', 'hours'), ...row(1, 'order.paid', '1', 'hours', 'no colon') };
  expect(() => readHappenings(values, startAt)).toThrow(expect.objectContaining({ field: 'events.1.data' }));
});
