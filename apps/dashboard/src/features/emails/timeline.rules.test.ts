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
  recipientType: 'TO',
  sharedMessageId: null,
  from: 'hello@example.com',
  fromName: null,
  replyTo: null,
  subject: 'News',
  type: 'TRANSACTIONAL',
  topic: null,
  sourceType: 'TRANSACTIONAL',
  templateId: null,
  campaignId: null,
  variant: null,
  workflowExecutionId: null,
  workflowStepExecutionId: null,
  tags: [],
  metadata: {},
  status: 'SENT',
  reason: null,
  error: null,
  diagnosis: null,
  messageId: null,
  attempts: 1,
  nextAttemptAt: null,
  scheduledAt: null,
  heldBy: null,
  estimatedSendAt: null,
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
      { type: 'click' as const, at: at(9), link: 'https://example.com/', detail: null, bot: false },
      { type: 'open' as const, at: at(5), link: null, detail: null, bot: false },
      { type: 'open' as const, at: at(2), link: null, detail: null, bot: true },
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

  it('ends with the time at which a scheduled email is to be sent', () => {
    const entries = timelineOf(email({ status: 'SCHEDULED', nextAttemptAt: at(30), scheduledAt: at(30) }));
    expect(entries.map(({ title, at: time }) => [title, time])).toEqual([
      ['Queued', at(0)],
      ['Scheduled', at(30)],
    ]);
  });

  it('names bounces, complaints and replies with their text, the final ones once', () => {
    const report = (type: EmailDetail['interactions'][number]['type'], minute: number, detail: string) => ({
      type,
      at: at(minute),
      link: null,
      detail,
      bot: false,
    });
    const interactions = [
      report('complaint', 6, 'abuse'),
      report('bounce', 5, '550 no such user'),
      report('bounce', 4, '452 mailbox full'),
      report('auto_reply', 3, 'Out of office'),
      report('delay', 2, 'still trying'),
    ];
    const entries = timelineOf(
      email({ status: 'COMPLAINED', sentAt: at(1), bouncedAt: at(5), complainedAt: at(6), interactions }),
    );
    expect(entries.slice(2).map(({ title, text }) => [title, text])).toEqual([
      ['Delayed by the recipient’s mail server', 'still trying'],
      ['Automatic reply', 'Out of office'],
      ['Delivery failed', '452 mailbox full'],
      ['Bounced', '550 no such user'],
      ['Marked as spam', 'abuse'],
    ]);
  });

  it("shows a rejection with the server's own text", () => {
    const entries = timelineOf(email({ status: 'FAILED', error: '550 no such user', updatedAt: at(1) }));
    expect(entries.at(-1)).toMatchObject({ title: 'Failed', text: '550 no such user', tone: 'bad' });
  });
});
