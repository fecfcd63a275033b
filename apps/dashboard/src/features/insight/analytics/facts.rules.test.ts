import { expect, it } from 'vitest';
import { type Bucket, countOf, factsOf, figureOf, totalOf } from './facts.rules.ts';

const bucket = (counts: Partial<Bucket>): Bucket => ({
  bucket: '2026-03-01',
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  refused: 0,
  complained: 0,
  ...counts,
});

/** Of 96 emails that were sent one day, 6 bounced on the next; 4 others were refused. */
const days = [bucket({ sent: 96, bounced: 4, refused: 4, opened: 48 }), bucket({ bounced: 6 })];

it('accepted emails are shown where no delivery is reported', () => {
  expect(factsOf(days).map(({ label }) => label)).toEqual([
    ...['Sent', 'Accepted', 'Opened', 'Clicked', 'Bounced', 'Complained'],
  ]);
  expect(factsOf([...days, bucket({ delivered: 1 })]).map(({ label }) => label)).toContain('Delivered');
});

it('rates have the bases of their definition', () => {
  expect(figureOf(days, 'sent')).toBe(96);
  expect(figureOf(days, 'opened')).toBe(50);
  expect(figureOf(days, 'bounced')).toBe(10);
  expect(figureOf(days, 'accepted')).toBe(90);
  expect(figureOf([bucket({})], 'opened')).toBe(null);
  expect(figureOf(days, 'delivered')).toBe(null);
});

it('a day on which only emails of an earlier one bounce has accepted none', () => {
  expect(days.map((day) => countOf(day, 'accepted'))).toEqual([96, 0]);
  expect(totalOf(days, 'accepted')).toBe(90);
});
