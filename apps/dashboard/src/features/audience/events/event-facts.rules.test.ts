import { expect, it } from 'vitest';
import { factsOf } from './event-facts.rules.ts';

it('the ids of an event of an email are links with the names of what they stand for', () => {
  expect(
    factsOf({
      name: 'email.open',
      data: {
        emailId: 'e1',
        subject: 'Welcome',
        campaignId: null,
        templateId: 't1',
        openedAt: '2026-05-01T10:00:00.000Z',
        opens: 2,
        isFirstOpen: false,
      },
    }),
  ).toEqual([
    { name: 'Email', value: 'Welcome', path: 'emails/e1' },
    { name: 'Template', value: 'View template', path: 'templates/t1' },
    { name: 'Opened', value: '2026-05-01T10:00:00.000Z', isTime: true },
    { name: 'Opens', value: '2' },
    { name: 'First open', value: 'no' },
  ]);
});

it('an event of a segment leads to the segment by its name', () => {
  expect(factsOf({ name: 'segment.buyers.entry', data: { segmentId: 's1', segmentName: 'Buyers' } })).toEqual(
    [{ name: 'Segment', value: 'Buyers', path: 'segments/s1' }],
  );
});

it('what a product sent keeps its names, is never a link, and nothing of it is left out', () => {
  expect(
    factsOf({
      name: 'purchase',
      data: {
        campaignId: 'summer',
        orderNo: 17,
        gift: null,
        items: [{ sku: 'A' }],
        at: '2026-02-31T10:00:00Z',
      },
    }),
  ).toEqual([
    { name: 'campaignId', value: 'summer' },
    { name: 'orderNo', value: '17' },
    { name: 'gift', value: 'none' },
    { name: 'items', value: '[\n  {\n    "sku": "A"\n  }\n]', isJson: true },
    { name: 'at', value: '2026-02-31T10:00:00Z' },
  ]);
});
