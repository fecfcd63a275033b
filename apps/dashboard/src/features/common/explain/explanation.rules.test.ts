import { describe, expect, it } from 'vitest';
import type { Explanation } from '../../../lib/api.ts';
import { buttonOf, pageOf, pathOf } from './explanation.rules.ts';

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
