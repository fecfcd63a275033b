import { expect, it } from 'vitest';
import { firstSteps } from './first-steps.rules.ts';

const empty = {
  domains: { total: 0, verified: 0 },
  contacts: { total: 0, subscribed: 0 },
  firstMailSent: false,
  hasTemplate: false,
  hasCampaign: false,
};
const done = (facts: Partial<typeof empty>) =>
  firstSteps({ ...empty, ...facts }).flatMap((step) => (step.done ? [step.name] : []));

it('nothing is done in an empty project, and the first mail comes before everything that needs a domain', () => {
  expect(done({})).toEqual([]);
  expect(firstSteps(empty).map(({ name }) => name)).toEqual([
    'email',
    'template',
    'campaign',
    'contacts',
    'domain',
  ]);
});

it('the recipient of the first mail alone does not count as imported contacts', () => {
  expect(done({ firstMailSent: true, contacts: { total: 1, subscribed: 1 } })).toEqual(['email']);
  expect(done({ contacts: { total: 2, subscribed: 2 } })).toEqual(['contacts']);
});

it('a domain counts once it is verified', () => {
  expect(done({ domains: { total: 1, verified: 0 } })).toEqual([]);
  expect(done({ domains: { total: 1, verified: 1 } })).toEqual(['domain']);
});
