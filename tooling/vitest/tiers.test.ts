import { describe, expect, it } from 'vitest';
import { tierOf } from './tiers.ts';

describe('the tier of a test file', () => {
  it.each([
    ['rules', 'packages/core/src/sending/sending.rules.test.ts'],
    ['rules', 'tooling/local/src/checks/lock-holes.test.ts'],
    ['heavy', 'tooling/local/src/planted.process.test.ts'],
    ['heavy', 'packages/core/src/templates/language/limits.test.ts'],
    ['heavy', 'packages/core/src/adapters/smtp/smtp-transport.test.ts'],
    ['rules', 'packages/core/src/kernel/text-limits.test.ts'],
    ['db', 'packages/core/src/contacts/upsert-contact.test.ts'],
    ['db', 'packages/core/src/db/drift.test.ts'],
    ['db', 'apps/api/test/graphql.test.ts'],
    ['temporal', 'apps/worker/src/campaigns/deliver-campaign.test.ts'],
    ['temporal', 'tooling/local/src/stack.test.ts'],
    ['e2e', 'apps/dashboard/e2e/journeys.test.ts'],
  ])('is %s for %s', (tier, file) => {
    expect(tierOf(file)).toBe(tier);
  });
});
