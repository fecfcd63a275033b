import { expect, it } from 'vitest';
import { eventDataHint } from './event-data.rules.ts';

it('the hint of event data names the fields that events of the name had', () => {
  expect(
    eventDataHint(['contact.email', 'data.plan', 'event.total', 'event.coupon'], 'order.paid'),
  ).toContain('Seen in order.paid: total, coupon.');
  expect(eventDataHint(['contact.email', 'data.plan'], 'order.paid')).not.toContain('Seen');
  expect(
    eventDataHint(
      Array.from({ length: 12 }, (_, index) => `event.key${index}`),
      undefined,
    ),
  ).toContain('Seen in events: key0, key1, key2, key3, key4, key5, key6, key7, ….');
});
