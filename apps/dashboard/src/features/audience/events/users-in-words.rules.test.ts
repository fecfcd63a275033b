import { expect, it } from 'vitest';
import { usersInWords } from './users-in-words.rules.ts';

const nobody = { usedInWorkflows: [], usedInSegments: [], usedInCampaigns: [] };

it('names everything that uses an event', () => {
  expect(usersInWords(nobody)).toBe('');
  expect(usersInWords({ ...nobody, usedInWorkflows: [{ id: '1', name: 'Welcome' }] })).toBe(
    'the workflow “Welcome”',
  );
  expect(
    usersInWords({
      usedInWorkflows: [{ id: '1', name: 'Welcome' }],
      usedInSegments: [{ id: '2', name: 'Buyers' }],
      usedInCampaigns: [{ id: '3', name: 'News' }],
    }),
  ).toBe('the workflow “Welcome”, the segment “Buyers”, and the campaign “News”');
});
