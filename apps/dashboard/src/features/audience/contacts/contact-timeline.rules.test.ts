import { feedTypes } from '@postrider/core/base/event-types/contract';
import { expect, it } from 'vitest';
import {
  byDay,
  dataOfItem,
  inWords,
  lookOf,
  runsOf,
  timelineKinds,
  unsentEmail,
} from './contact-timeline.rules.ts';

const item = (
  type: string,
  metadata: Record<string, unknown> = {},
  timestamp = '2026-03-01T10:00:00.000Z',
) => ({
  type,
  metadata,
  timestamp,
});

it.each([
  ['email.opened', { subject: 'Hello', emailId: 'e' }, 'Email opened', 'Hello'],
  ['email.bounced', { subject: 'Hello', error: '550 unknown' }, 'Email bounced', 'Hello · 550 unknown'],
  ['event.triggered', { eventName: 'order.paid' }, 'Event', 'order.paid'],
  [
    'event.triggered',
    { eventName: 'segment.trial-users.entry', eventData: { segmentId: 's', segmentName: 'Trial users' } },
    'Entered segment',
    'Trial users',
  ],
  [
    'event.triggered',
    { eventName: 'segment.trial-users.exit', eventData: { segmentId: 's', segmentName: 'Trial users' } },
    'Left segment',
    'Trial users',
  ],
  ['contact.unsubscribed', { reason: 'bounce' }, 'Unsubscribed', 'because an email bounced'],
  ['contact.unsubscribed', { reason: 'snooze' }, 'Paused', 'for a while, on the preference page'],
  ['contact.subscribed', { reason: 'snooze_ended' }, 'Resumed', 'as the pause ended'],
  ['workflow.started', { workflowName: 'Welcome' }, 'Workflow started', 'Welcome'],
])('%s %j reads %s %s', (type, metadata, what, about) => {
  expect(inWords(item(type, metadata))).toMatchObject({ what, about });
});

it("every kind of a contact's history can be shown alone and has an icon", () => {
  const shown = Object.values(timelineKinds).flatMap(({ types }): readonly string[] => types);
  const never = [
    'email.received',
    'campaign.sent',
    'email.scheduled',
    'campaign.paused',
    'campaign.resumed',
    'campaign.approval_requested',
    'campaign.approved',
    'campaign.declined',
    'campaign.test_decided',
    'campaign.scheduled',
    'workflow.email.scheduled',
    'workflow.published',
    'workflow.disabled',
  ];
  expect([...shown, ...never].toSorted()).toEqual([...feedTypes].toSorted());
  expect(shown.filter((type) => lookOf(type)[0] === 'activity')).toEqual([]);
});

it('items are grouped by day in their order', () => {
  const items = ['03-02', '03-02', '03-01'].map((day) => item('email.sent', {}, `2026-${day}T10:00:00.000Z`));
  const days = byDay(items, (timestamp) => timestamp.slice(5, 10));
  expect(days.map(({ day, items: { length } }) => [day, length])).toEqual([
    ['03-02', 2],
    ['03-01', 1],
  ]);
});

it('an email that did not arrive can be asked about', () => {
  expect(unsentEmail(item('email.skipped', { emailId: 'e' }))).toBe('e');
  expect(unsentEmail(item('email.sent', { emailId: 'e' }))).toBeNull();
  expect(unsentEmail(item('event.triggered', { eventName: 'a' }))).toBeNull();
});

it('the same thing three times and more in a row is one run, twice is two items', () => {
  const viewed = item('event.triggered', { eventName: 'page.viewed' });
  const paid = item('event.triggered', { eventName: 'order.paid' });
  const lengths = (items: (typeof viewed)[]) => runsOf(items).map(({ length }) => length);
  expect(lengths([viewed, viewed, viewed, paid, viewed])).toEqual([3, 1, 1]);
  expect(lengths([paid, paid])).toEqual([1, 1]);
  expect(lengths([])).toEqual([]);
});

it('only data that an event has is shown', () => {
  expect(dataOfItem(item('event.triggered', { eventData: { a: 1 } }))).toEqual({ a: 1 });
  expect(dataOfItem(item('event.triggered', { eventData: {} }))).toBeNull();
  expect(dataOfItem(item('event.triggered', { eventData: null }))).toBeNull();
});
