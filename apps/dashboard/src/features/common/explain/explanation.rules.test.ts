import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../lib/api.ts';
import { buttonOf, pageOf, pathOf, stepsOf } from './explanation.rules.ts';

const about = (ref: Explanation['chain'][number]['ref']) =>
  ({ at: null, check: 'x', outcome: 'passed', text: '', facts: {}, actor: null, ref }) as const;
const question = {
  email: null,
  contact: null,
  address: null,
  campaign: null,
  workflow: null,
  execution: null,
  segment: null,
};

describe('an explanation', () => {
  it('has a button for each action, named by what it opens', () => {
    expect(buttonOf('contacts.deleteSuppression')).toBe('Open suppressions');
    expect(buttonOf('campaigns.anything')).toBe('Open the campaign');
    expect(buttonOf('newer.action')).toBe('Open the page');
  });

  it('offers no button to the page that the reader is on, and says what to do there', () => {
    const next = (action: string, page: string) => ({
      ...{ action, text: 'Correct it', input: null, url: `https://mail.example.com/p/1/${page}` },
    });
    const all = [
      next('contacts.update', 'contacts/7'),
      next('campaigns.get', 'contacts/7'),
      next('contacts.deleteSuppression', 'contacts/suppressions'),
      { action: 'none', text: 'Wait', input: null, url: null },
    ];
    expect(stepsOf(all, '/p/1/contacts/7/')).toEqual([
      { text: 'Correct it. Under “Address and data” on this page.', button: null },
      { text: 'Correct it', button: { path: '/p/1/contacts/suppressions', label: 'Open suppressions' } },
      { text: 'Wait', button: null },
    ]);
    expect(stepsOf(all, '/p/1/emails/7')[0]).toEqual({
      ...{ text: 'Correct it', button: { path: '/p/1/contacts/7', label: 'Open the contact' } },
    });
  });

  it('stays in this dashboard', () => {
    expect(pathOf('https://mail.example.com/p/1/contacts/suppressions')).toBe('/p/1/contacts/suppressions');
  });

  it('links the records of its chain; an execution only with its workflow', () => {
    expect(pageOf(about({ type: 'email', id: '7' }), question)).toBe('emails/7');
    expect(pageOf(about({ type: 'execution', id: '7' }), question)).toBeNull();
    expect(pageOf(about({ type: 'execution', id: '7' }), { ...question, workflow: '3' })).toBe(
      'workflows/3/executions/7',
    );
    expect(pageOf(about(null), question)).toBeNull();
  });
});
