import { expect, it } from 'vitest';
import { firstSteps } from './first-steps.rules.ts';

const empty = {
  domains: { total: 0, verified: 0 },
  contacts: { total: 0, subscribed: 0 },
  firstMailSent: false,
  hasTemplate: false,
  hasCampaign: false,
};
const unproven = { role: 'OWNER', sandbox: { proven: false, sentToday: 0, limit: 5 } } as const;
const done = (facts: Partial<typeof empty>) =>
  firstSteps({ ...empty, ...facts }, unproven).flatMap((step) => (step.done ? [step.name] : []));

it('nothing is done in an empty project, and the first mail comes before everything that needs a domain', () => {
  expect(done({})).toEqual([]);
  expect(firstSteps(empty, unproven).map(({ name }) => name)).toEqual([
    'email',
    'address',
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

it('owners confirm their address, which says what the sandbox sends until then; other members cannot', () => {
  const [, address] = firstSteps(empty, unproven);
  expect(address).toMatchObject({
    name: 'address',
    done: false,
    text: expect.stringContaining('5 marked test emails'),
  });
  const proven = { role: 'OWNER', sandbox: { proven: true, sentToday: 0, limit: null } } as const;
  expect(firstSteps(empty, proven)[1]).toMatchObject({ name: 'address', done: true });
  const names = firstSteps(empty, { ...unproven, role: 'MEMBER' }).map(({ name }) => name);
  expect(names).not.toContain('address');
});
