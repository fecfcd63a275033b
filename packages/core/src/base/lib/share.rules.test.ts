import { expect, it } from 'vitest';
import { dividedAmong, whole } from './share.rules.ts';

it('a limit is divided among the processes that there are, and each has at least 1', () => {
  let processes = 1;
  const share = dividedAmong(() => processes);
  expect(share(10)).toBe(10);
  processes = 3;
  expect(share(10)).toBe(3);
  processes = 100;
  expect(share(10)).toBe(1);
  processes = 0;
  expect(share(10)).toBe(whole(10));
});
