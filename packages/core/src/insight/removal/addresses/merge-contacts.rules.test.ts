import { expect, it } from 'vitest';
import { type MergedRow, mergedState } from './merge-contacts.rules.ts';

const row = (id: string, externalId: string | null, day: number): MergedRow => ({
  id,
  email: `${id}@people.test`,
  externalId,
  subscribed: true,
  snoozedUntil: null,
  pendingUntil: null,
  stated: true,
  byRecipient: false,
  topicsOn: [],
  topicsOff: [],
  topicDefaults: true,
  consentBasis: null,
  consentedAt: null,
  data: {},
  createdAt: new Date(Date.UTC(2026, 0, day)),
  updatedAt: new Date(Date.UTC(2026, 0, day)),
});

it('contacts that become one keep the external id of the oldest that has one', () => {
  expect(mergedState([row('b', 'second', 2), row('c', 'third', 3), row('a', null, 1)], null).externalId).toBe(
    'second',
  );
  expect(mergedState([row('a', null, 1), row('b', null, 2)], null).externalId).toBeNull();
});
