import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { unconfirmedLimit } from './submissions.store.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

/** @returns how many of so many requests are refused */
const ask = async (count: number): Promise<number> => {
  const [row] = await test.services.database.prisma.$queryRaw<{ refused: number }[]>`
    SELECT (count(*) FILTER (WHERE NOT take_request(${project.id}::uuid, ${unconfirmedLimit.least}::int, ${unconfirmedLimit.perConfirmed}::int)))::int AS "refused"
    FROM generate_series(1, ${count}::int)`;
  return row?.refused ?? -1;
};
const became = (what: 'confirmed' | 'none', count: number) => test.services.database.prisma.$executeRaw`
  SELECT count(count_request(${project.id}::uuid, ${what})) FROM generate_series(1, ${count}::int)`;

it('500 unconfirmed requests of a day, and no more', async () => {
  expect(await ask(510)).toBe(10);
});

it('four times the confirmed ones, once that is more', async () => {
  await ask(500);
  await became('confirmed', 200);
  // 300 are unconfirmed, and 800 may be.
  expect(await ask(510)).toBe(10);
});

it('what led to no request does not count', async () => {
  await ask(500);
  await became('none', 20);
  expect(await ask(30)).toBe(10);
});

it('those of yesterday do not count', async () => {
  await ask(500);
  await test.services.database.prisma.publicAttempt.updateMany({
    where: { projectId: project.id },
    data: { startsAt: new Date(Date.now() - 25 * 3_600_000) },
  });
  expect(await ask(10)).toBe(0);
});

it('5,000 visitors an hour, of whom half confirm within five minutes, are never limited', async () => {
  const aMinute = 83;
  for (let minute = 0; minute < 60; minute += 1) {
    expect(await ask(aMinute)).toBe(0);
    // Evenly in the five minutes after they were asked.
    await became('confirmed', Math.floor(((aMinute / 2) * Math.min(minute, 5)) / 5));
  }
});

it('requests at the same moment are counted one after the other', async () => {
  await ask(495);
  const refused = await Promise.all(Array.from({ length: 20 }, () => ask(1)));
  expect(refused.filter((count) => count === 0)).toHaveLength(5);
});
