import { expect, it } from 'vitest';
import { aboutAll, joined } from './groups.rules.ts';

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
