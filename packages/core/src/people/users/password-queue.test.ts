import { expect, it } from 'vitest';
import { inPasswordQueue } from './password-queue.ts';

/** Work that lasts until `finish` is called. */
function started(order: number[], number: number) {
  const end = Promise.withResolvers<void>();
  const start = Promise.withResolvers<void>();
  const done = inPasswordQueue(async () => {
    order.push(number);
    start.resolve();
    await end.promise;
  });
  return { done, begun: start.promise, finish: end.resolve };
}

it('runs two hashes at a time, in the order in which they came', async () => {
  const order: number[] = [];
  const jobs = [1, 2, 3, 4].map((number) => started(order, number));
  expect(order).toEqual([1, 2]);
  jobs[1]?.finish();
  await jobs[2]?.begun;
  expect(order).toEqual([1, 2, 3]);
  for (const { finish } of jobs) finish();
  await Promise.all(jobs.map(({ done }) => done));
  expect(order).toEqual([1, 2, 3, 4]);
});

it('refuses what exceeds the queue, and accepts again when it is empty', async () => {
  const jobs = Array.from({ length: 202 }, (_, number) => started([], number));
  await expect(inPasswordQueue(async () => 'late')).rejects.toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    details: { retryAfter: 5 },
  });
  for (const { finish } of jobs) finish();
  await Promise.all(jobs.map(({ done }) => done));
  await expect(inPasswordQueue(async () => 'now')).resolves.toBe('now');
});
