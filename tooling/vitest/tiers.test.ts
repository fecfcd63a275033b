import { describe, expect, it } from 'vitest';
import { groupOf } from './tiers.ts';

describe('the group of a test file', () => {
  it.each([
    ['rules', 'packages/core/src/mail/ledger/ledger.rules.test.ts'],
    ['rules', 'tooling/local/src/checks/lock-holes.test.ts'],
    ['heavy', 'tooling/local/src/planted.process.test.ts'],
    ['heavy', 'packages/core/src/content/templates/language/limits.test.ts'],
    ['heavy', 'packages/core/src/adapters/smtp/smtp-transport.test.ts'],
    ['rules', 'packages/core/src/base/lib/text-limits.test.ts'],
    ['db', 'packages/core/src/audience/contacts/upsert-contact.test.ts'],
    ['db', 'packages/core/src/base/db/drift.test.ts'],
    ['db', 'apps/api/test/graphql.test.ts'],
    ['temporal', 'apps/worker/src/campaigns/deliver-campaign.test.ts'],
    ['temporal', 'tooling/local/src/stack.test.ts'],
    ['e2e', 'apps/dashboard/e2e/journeys.test.ts'],
    ['e2e-long', 'apps/dashboard/e2e/public-pages.long.test.ts'],
    ['temporal-long', 'tooling/chaos/src/scenarios/wheel-small.long.test.ts'],
  ])('is %s for %s', (tier, file) => {
    expect(groupOf(file)).toBe(tier);
  });
});
