import { expect, it } from 'vitest';
import { aboutAll, isCounted, joined, needsMore } from './groups.rules.ts';

const group = (key: string, count: number, first: string, last: string) => ({
  ...{ key, count, first, last },
  type: 'email.sent',
  day: '2026-03-01',
});

it('a group that goes on over the end of a page is one group', () => {
  const pages = [
    [group('a', 2, '11:00', '12:00'), group('b', 1, '11:30', '11:30')],
    [group('b', 4, '10:00', '11:29'), group('c', 1, '09:00', '09:00')],
  ];
  expect(joined(pages)).toEqual([
    group('a', 2, '11:00', '12:00'),
    group('b', 5, '10:00', '11:30'),
    group('c', 1, '09:00', '09:00'),
  ]);
});

it('a group is counted when nothing older is left, or something of an earlier day was read', () => {
  const days = ['2026-03-02', '2026-03-01'].map((day) => ({ day }));
  expect(days.map((each) => isCounted(each, days, false))).toEqual([true, false]);
  expect(days.map((each) => isCounted(each, days, true))).toEqual([true, true]);
});

it('a flood is read on until there is something to see, but not without end', () => {
  expect([needsMore(0, 0), needsMore(2, 1), needsMore(2, 6), needsMore(15, 1)]).toEqual([
    ...[false, true, false, false],
  ]);
});

it.each([
  [
    'email.skipped',
    { emailId: 'e', subject: 'Hello Ann', campaignId: 'c', campaignName: 'Spring' },
    'Spring',
    'campaigns/c',
  ],
  [
    'email.sent',
    { emailId: 'e', subject: 'Hi', workflowId: 'w', workflowName: 'Welcome' },
    'Welcome',
    'workflows/w',
  ],
  ['email.sent', { emailId: 'e', subject: 'Your invoice' }, 'Your invoice', null],
  ['email.skipped', { emailId: 'e', subject: 'Hi {{firstName ?? there}}' }, 'Hi there', null],
  ['event.triggered', { eventId: 'e', eventName: 'bought' }, 'bought', 'events/of?name=bought'],
  ['contact.subscribed', { reason: 'import' }, 'by an import', null],
])('a group of %s is about what its items have in common', (type, metadata, words, path) => {
  expect(aboutAll({ type, metadata })).toEqual({ words, path });
});
