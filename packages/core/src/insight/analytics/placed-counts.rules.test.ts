import { expect, it } from 'vitest';
import { noSums } from './figures.store.ts';
import { placedCounts } from './placed-counts.rules.ts';

const row = (key: string, counts: object) => ({ ...noSums, key, ...counts });

it('what happened to an email without an address counts for the provider with most emails', () => {
  const rows = [
    row('other', { bounced: 1 }),
    row('google', { sent: 2, opened: 2 }),
    row('firm', { sent: 3 }),
  ];
  expect(placedCounts(rows)).toEqual([
    row('firm', { sent: 3, bounced: 1 }),
    row('google', { sent: 2, opened: 2 }),
    row('other', {}),
  ]);
});

it('a provider gets no more than its emails, and what was taken back is taken from those that had it', () => {
  const rows = [
    row('other', { opened: 1, refused: -1 }),
    row('google', { sent: 1, refused: 1, opened: 1 }),
    row('firm', { sent: 2, opened: 1 }),
  ];
  const placed = placedCounts(rows);
  expect(placed.map(({ key, sent, refused, opened }) => [key, sent, refused, opened])).toEqual([
    ['firm', 2, 0, 2],
    ['google', 1, 0, 1],
    ['other', 0, 0, 0],
  ]);
});

it('what is in order stays as it is', () => {
  const rows = [
    row('google', { sent: 5, delivered: 4, bounced: 1 }),
    row('firm', { refused: 1, bounced: 1 }),
  ];
  expect(placedCounts(rows)).toEqual(rows);
});
