import { diagnosisClass } from '@postrider/core/base/kernel/contract';
import { expect, it } from 'vitest';
import { diagnosisWords, notDelivered } from './diagnosis-words.ts';

it('every class has a label of its own and a sentence', () => {
  const labels = diagnosisClass.options.map((each) => diagnosisWords[each].label);
  expect(new Set(labels).size).toBe(diagnosisClass.options.length);
  expect(notDelivered('blocked')).toBe(
    "Not delivered: blocked by the receiving server because of the sender's reputation",
  );
});
