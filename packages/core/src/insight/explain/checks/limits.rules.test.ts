import { expect, it } from 'vitest';
import type { EmailFacts } from './facts.rules.ts';
import { skipChecks } from './skipped.rules.ts';
import { heldByChecks } from './waiting.rules.ts';

const at = new Date('2026-03-01T08:00:00.000Z');

const factsOf = (email: Partial<EmailFacts['email']>): EmailFacts =>
  ({
    email: { contactId: 'c1', campaignId: null, templateId: null, updatedAt: at, ...email },
    estimatedSendAt: at,
  }) as EmailFacts;

it.each([
  [heldByChecks.cap, 'cap', 'its turn is expected at 2026-03-01 08:00 UTC'],
  [heldByChecks.quiet_hours, 'quiet_hours', 'end at 2026-03-01 08:00 UTC'],
  [skipChecks.capped, 'capped', 'until it had waited for too long'],
])('says what the limits per contact did, and what would change it: %#', (check, cause, words) => {
  const found = check(factsOf({ templateId: 't1' }));
  expect(found.cause).toBe(cause);
  expect(found.headline).toContain(words);
  expect(found.links[0]?.ref).toEqual({ type: 'contact', id: 'c1' });
  expect(found.next.map(({ action, input }) => [action, input])).toEqual([
    ['projects.update', null],
    ['templates.update', { id: 't1' }],
  ]);
  expect(check(factsOf({ campaignId: 'n1' })).next[1]).toMatchObject({
    action: 'campaigns.update',
    page: 'campaigns/n1',
  });
});
