import { describe, expect, it } from 'vitest';
import type { EmailDetail } from '../../lib/api.ts';
import { timelineOf } from './timeline.rules.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();

const email = (change: Partial<EmailDetail>): EmailDetail => ({
  id: 'email',
  projectId: 'project',
  contactId: null,
  to: 'reader@example.com',
  toName: null,
  from: 'hello@example.com',
  fromName: null,
  replyTo: null,
  subject: 'News',
  type: 'TRANSACTIONAL',
  sourceType: 'TRANSACTIONAL',
  templateId: null,
  campaignId: null,
  workflowExecutionId: null,
  workflowStepExecutionId: null,
  status: 'SENT',
  reason: null,
  error: null,
  messageId: null,
  attempts: 1,
  nextAttemptAt: null,
  opens: 0,
  clicks: 0,
  sentAt: null,
  deliveredAt: null,
  openedAt: null,
  clickedAt: null,
  bouncedAt: null,
  complainedAt: null,
  createdAt: at(0),
  updatedAt: at(0),
  interactions: [],
  ...change,
});

const titles = (change: Partial<EmailDetail>) => timelineOf(email(change)).map(({ title }) => title);

describe('the history of an email', () => {
  it('is sorted by time, whatever the order of the interactions', () => {
    const interactions = [
      { type: 'click' as const, at: at(9), link: 'https://example.com/', bot: false },
      { type: 'open' as const, at: at(5), link: null, bot: false },
      { type: 'open' as const, at: at(2), link: null, bot: true },
    ];
    expect(titles({ sentAt: at(1), interactions })).toEqual([
      'Queued',
      'Sent',
      'Opened by a bot',
      'Opened',
      'Clicked',
    ]);
  });

  it('ends with the next attempt while one is scheduled, even if it is overdue', () => {
    const entries = timelineOf(email({ status: 'PENDING', nextAttemptAt: at(3), error: '451 try later' }));
    expect(entries.at(-1)).toMatchObject({ title: 'Next attempt', text: '451 try later', at: at(3) });
  });

  it("shows a rejection with the server's own text", () => {
    const entries = timelineOf(email({ status: 'FAILED', error: '550 no such user', updatedAt: at(1) }));
    expect(entries.at(-1)).toMatchObject({ title: 'Failed', text: '550 no such user', tone: 'bad' });
  });
});
