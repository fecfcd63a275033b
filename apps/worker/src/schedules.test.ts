import { ScheduleNotFoundError } from '@temporalio/client';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureSchedules, permanentSchedules } from './schedules.ts';
import { createServerEnvironment, type ServerEnvironment } from './testing/time-skipping.ts';

let environment: ServerEnvironment;
let lost = 0;

beforeAll(async () => {
  environment = await createServerEnvironment();
}, 300_000);
afterAll(() => environment.teardown());

const ensure = (looksAtAll: boolean) =>
  ensureSchedules(
    environment.client,
    60,
    async () => {
      lost += 1;
    },
    pino({ level: 'silent' }),
    looksAtAll,
  );
const handleOf = (id: string) => environment.client.schedule.getHandle(id);
const missing = async () => {
  const ids: string[] = [];
  for (const id of permanentSchedules)
    await handleOf(id)
      .describe()
      .catch((error: unknown) => {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
        ids.push(id);
      });
  return ids;
};

it('permanent schedules are made again when the store lost them, and one that was removed with the next look at all', async () => {
  await ensure(false);
  expect(await missing()).toEqual([]);
  expect(lost).toBe(1);
  await handleOf('sweep').delete();
  await ensure(false);
  expect(await missing()).toEqual(['sweep']);
  await ensure(true);
  expect(await missing()).toEqual([]);
  expect(lost).toBe(1);
  // The store was wiped: the most important one is gone, and so may be the others.
  for (const id of ['reconcile', 'fold-figures']) await handleOf(id).delete();
  await ensure(false);
  expect(await missing()).toEqual([]);
  expect(lost).toBe(2);
});
