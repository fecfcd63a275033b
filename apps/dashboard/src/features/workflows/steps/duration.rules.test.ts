import { expect, it } from 'vitest';
import { durationUnits, durationWords, splitDuration } from './duration.rules.ts';

it.each([
  [1, '1 second'],
  [90, '90 seconds'],
  [3_600, '1 hour'],
  [5_400, '90 minutes'],
  [259_200, '3 days'],
])('%i seconds are %s', (seconds, words) => {
  expect(durationWords(seconds)).toBe(words);
  const { amount, unit } = splitDuration(seconds);
  expect(amount * durationUnits[unit]).toBe(seconds);
});
