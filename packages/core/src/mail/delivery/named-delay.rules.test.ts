import { expect, it } from 'vitest';
import { namedDelayMs } from './named-delay.rules.ts';

it.each([
  ['450 4.2.0 Greylisted, please try again in 300 seconds', 300_000],
  ['451 4.7.1 Greylisting in action, please come back in 00:04:32', 272_000],
  ['450 4.7.1 <a@b.example>: try again in 5 minutes', 300_000],
  ['451 Temporarily deferred. Retry after 10 min', 600_000],
  ['421 4.7.0 wait at least 90s', 90_000],
  ['451 come back in 3 hours', 3_600_000],
  ['450 greylisted for 60 seconds', 60_000],
])('%s', (text, ms) => {
  expect(namedDelayMs(text)).toBe(ms);
});

it.each([
  '451 4.3.0 try again later',
  '452 4.2.2 The mailbox is over quota by 300 messages',
  '450 4.1.2 no answer for mail2.example in DNS',
  '421 10.0.0.5 is limited to 20 messages per hour',
])('%s names no time', (text) => {
  expect(namedDelayMs(text)).toBeNull();
});

it('takes time in proportion to the length of what a server says', () => {
  expect(namedDelayMs(`451 ${'in 1 in 12345 '.repeat(10_000)}`)).toBeNull();
});
