import { feedTypes } from '@postrider/core/base/event-types/contract';
import { expect, it } from 'vitest';
import { pathOf, subjectOf, typeInWords } from './item-in-words.rules.ts';

it('every type of the feed has words', () => {
  const wordless = feedTypes.filter((type) => typeInWords(type) === type);
  expect(wordless).toEqual([]);
});

it.each([
  ['email.opened', { emailId: 'e', subject: 'Hello', campaignId: 'c', totalOpens: 2 }, 'Hello', 'emails/e'],
  [
    'email.failed',
    { emailId: 'e', subject: 'Hello', error: '550 unknown' },
    'Hello · 550 unknown',
    'emails/e',
  ],
  ['email.skipped', { emailId: 'e', subject: 'Hi {{firstName ?? there}}' }, 'Hi there', 'emails/e'],
  ['event.triggered', { eventName: 'a b', eventData: null }, 'a b', 'events/of?name=a%20b'],
  ['contact.unsubscribed', { reason: 'bounce' }, 'because an email bounced', null],
  ['contact.unsubscribed', { reason: 'a newer one' }, 'a newer one', null],
  [
    'email.skipped',
    { emailId: 'e', subject: 'Hello', reason: 'unsubscribed' },
    'Hello · the contact is not subscribed',
    'emails/e',
  ],
  ['campaign.paused', { campaignId: 'c', campaignName: 'Spring', reason: 'user' }, 'Spring', 'campaigns/c'],
  [
    'campaign.paused',
    { campaignId: 'c', campaignName: 'Spring', reason: 'guard_bounces' },
    'Spring · too many bounces',
    'campaigns/c',
  ],
  [
    'campaign.test_decided',
    { campaignId: 'c', campaignName: 'Spring', winner: 'B', decidedBy: 'END', proven: true },
    'Spring · variant B',
    'campaigns/c',
  ],
  ['campaign.sent', { campaignId: 'c', campaignName: 'Spring' }, 'Spring', 'campaigns/c'],
  [
    'workflow.completed',
    { workflowId: 'w', workflowName: 'Welcome', executionId: 'x', exitReason: 'Cancelled' },
    'Welcome · Cancelled',
    'workflows/w/executions/x',
  ],
  [
    'execution.failed',
    { workflowId: 'w', workflowName: 'Welcome', executionId: 'x', error: 'The answer was 500' },
    'Welcome · The answer was 500',
    'workflows/w/executions/x',
  ],
  [
    'workflow.disabled',
    { workflowId: 'w', workflowName: 'Welcome', reason: 'errors' },
    'Welcome · errors',
    'workflows/w',
  ],
])('%s shows what it is about and links to it', (type, metadata, words, path) => {
  expect(subjectOf({ type, metadata })).toBe(words);
  expect(pathOf({ type, metadata })).toBe(path);
});
