import { describe, expect, it } from 'vitest';
import { matchingCommands, recordGroups } from './commands.rules.ts';

const item = (label: string, words?: string) => ({ id: label, label, icon: 'mail' as const, words });
const labels = (text: string) =>
  matchingCommands([item('New campaign', 'newsletter'), item('Campaigns'), item('Emails')], text).map(
    ({ label }) => label,
  );

describe('the entries of the command palette', () => {
  it('match when each word is in their label or their other words', () => {
    expect(labels('NEWS')).toEqual(['New campaign']);
    expect(labels('campaign new')).toEqual(['New campaign']);
    expect(labels('contacts')).toEqual([]);
  });

  it('come first when their label begins with the text', () => {
    expect(labels('camp')).toEqual(['Campaigns', 'New campaign']);
  });

  it('are all there without a text', () => {
    expect(labels(' ')).toHaveLength(3);
  });

  it('that a search found are grouped by type and lead to their pages', () => {
    const groups = recordGroups(
      [
        { type: 'contact', id: '1', title: 'ann@shop.test', detail: null },
        { type: 'campaign', id: '2', title: 'Spring', detail: 'DRAFT' },
        { type: 'campaign', id: '3', title: 'Spring 2', detail: 'SENT' },
        { type: 'template', id: '4', title: 'Welcome', detail: 'Hi {{firstName ?? there}}' },
      ],
      (page) => `/p/x/${page}`,
    );
    expect(groups.map(({ label, items }) => [label, items.map(({ to, detail }) => [to, detail])])).toEqual([
      ['Contacts', [['/p/x/contacts/1', undefined]]],
      [
        'Campaigns',
        [
          ['/p/x/campaigns/2', 'draft'],
          ['/p/x/campaigns/3', 'sent'],
        ],
      ],
      ['Templates', [['/p/x/templates/4', 'Hi there']]],
    ]);
  });
});
