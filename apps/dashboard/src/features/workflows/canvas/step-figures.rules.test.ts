import { expect, it } from 'vitest';
import { marksOf, waysOf } from './step-figures.rules.ts';

const words = (...given: Parameters<typeof marksOf>) => marksOf(...given).map(({ text }) => text);
const none = { entered: 0, here: 0, failed: 0 };

it('a step is marked with who is there, who came and who failed, and without figures with nothing', () => {
  expect(words({ ...none, entered: 12, here: 3, failed: 1 })).toEqual(['3 here', '12 entered', '1 failed']);
  expect(words(none)).toEqual([]);
});

it('a step that sent email is marked with what became of it', () => {
  const email = {
    ...{ sent: 9, delivered: 9, opened: 4, clicked: 0, bounced: 0, complained: 0, unsubscribed: 0 },
    ...{ accepted: 9, refused: 0, deliveryReported: true, clickToOpenRate: 0, acceptRate: 100 },
    ...{
      deliveryRate: 100,
      openRate: 44.44,
      clickRate: 0,
      bounceRate: 0,
      complaintRate: 0,
      unsubscribeRate: 0,
    },
  };
  expect(words({ ...none, entered: 12, email })).toEqual(['9 sent', '4 opened']);
});

it('branches are ways by branch, those of a wait by outcome', () => {
  const branch = (name: string) => ({ branch: name, taken: 3, share: 75, converted: 0, value: 0 });
  expect(waysOf({ id: 'a', type: 'SPLIT' }, { branches: [branch('TIMEOUT')] })).toEqual([
    { stepId: 'a', branch: 'TIMEOUT', waitOutcome: null, taken: 3, share: 75 },
  ]);
  expect(waysOf({ id: 'b', type: 'WAIT_FOR_EVENT' }, { branches: [branch('TIMEOUT')] })).toEqual([
    { stepId: 'b', branch: null, waitOutcome: 'TIMEOUT', taken: 3, share: 75 },
  ]);
});
