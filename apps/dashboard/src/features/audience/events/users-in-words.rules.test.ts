import { expect, it } from 'vitest';
import { usersInWords } from './users-in-words.rules.ts';

const nobody = { usedInWorkflows: [], usedInSegments: [], usedInCampaigns: [], usedInGoals: [] };

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
      usedInGoals: [{ id: '4', name: 'Purchase' }],
    }),
  ).toBe('the workflow “Welcome”, the segment “Buyers”, the campaign “News”, and the goal “Purchase”');
});
