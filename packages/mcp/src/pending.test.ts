import { expect, it } from 'vitest';
import { PendingSends } from './pending.ts';
import { offeredTools } from './tool.ts';

const [tool] = offeredTools({ allowWrites: true, groups: ['sending'] });
if (!tool) throw new Error('there are no tools');

it('a token confirms its own send, once, and for 5 minutes', () => {
  let now = 0;
  const pending = new PendingSends(() => now);
  const [first, second, third] = ['a', 'b', 'c'].map((to) => pending.add({ tool, input: { to } }));
  expect(pending.take('another')).toBeUndefined();
  expect(pending.take(second ?? '')?.input).toEqual({ to: 'b' });
  expect(pending.take(second ?? '')).toBeUndefined();
  now = 5 * 60_000 - 1;
  expect(pending.take(first ?? '')?.input).toEqual({ to: 'a' });
  now += 1;
  expect(pending.take(third ?? '')).toBeUndefined();
});

it('keeps a bounded number of sends', () => {
  const pending = new PendingSends();
  const tokens = Array.from({ length: 101 }, () => pending.add({ tool, input: {} }));
  expect(tokens.map((token) => pending.take(token) !== undefined)).toEqual([false, ...Array(100).fill(true)]);
});
