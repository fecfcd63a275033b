import { expect, it } from 'vitest';
import { offersOf, reachedInWords, restOf } from './sequels.rules.ts';

const stats = {
  audienceComplete: true,
  sentCount: 500,
  openedCount: 200,
  clickedCount: 1,
  skippedReasons: { cancelled: 4_480, suppressed: 2 },
};

it('a cancelled campaign offers the rest first, with its number', () => {
  expect(restOf(stats)).toBe(4_480);
  expect(reachedInWords({ totalRecipients: 4_982 }, stats)).toBe('500 of 4,982 contacts got it.');
  expect(offersOf({ status: 'CANCELLED' }, stats, true).map(({ kind, whom }) => [kind, whom])).toEqual([
    ['REST', '4,480 contacts did not get it'],
    ['NOT_OPENED', '300 contacts got it and did not open it'],
    ['NOT_CLICKED', '499 contacts got it and did not click'],
    ['CLICKED', '1 contact clicked in it'],
    ['NEW', 'Contacts who have joined its audience since'],
  ]);
});

it('a campaign that was cancelled before its whole audience was written down offers to reach all others', () => {
  const offers = offersOf({ status: 'CANCELLED' }, { ...stats, audienceComplete: false }, true);
  expect(offers.at(-1)).toEqual({ kind: 'NEW', whom: 'All contacts of its audience who did not get it' });
});

it('what no contact would get, and what is not known, is not offered', () => {
  const kinds = (status: 'SENT' | 'CANCELLED', given: Partial<typeof stats>, isRead: boolean) =>
    offersOf({ status }, { ...stats, ...given }, isRead).map(({ kind }) => kind);
  expect(kinds('SENT', {}, true)).not.toContain('REST');
  expect(kinds('CANCELLED', { skippedReasons: {} as never }, false)).toEqual(['NEW']);
  expect(kinds('SENT', { openedCount: 500, clickedCount: 0 }, true)).toEqual(['NOT_CLICKED', 'NEW']);
});
