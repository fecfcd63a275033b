import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { sweepOwnerDays } from './owner-days.store.ts';
import { OwnerDays } from './owner-days.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

it('add up what several processes see, and keep the most streams', async () => {
  const { id, ownerId } = await createTestProject(test.services);
  const { database, log } = test.services;
  const processes = [new OwnerDays(database, log), new OwnerDays(database, log)];
  for (const [index, days] of processes.entries()) {
    days.slowMinute(ownerId);
    days.taskLimit(ownerId);
    for (const open of [3, 8 + index, 7]) days.streams(ownerId, open);
    // Neither an owner nor a project's own turn: there is nobody to name.
    days.slowMinute('reports');
    days.slowMinute(id);
  }
  await Promise.all(processes.map((days) => days.close()));
  const rows = await database.prisma.ownerDay.findMany();
  expect(rows).toEqual([
    { userId: ownerId, day: expect.any(Date), slowMinutes: 2, taskLimits: 2, mostStreams: 9 },
  ]);
});

it('are removed after a month', async () => {
  const { ownerId: userId } = await createTestProject(test.services);
  const { prisma } = test.services.database;
  const now = new Date();
  const daysAgo = (days: number) => ({ userId, day: new Date(now.getTime() - days * 86_400_000) });
  await prisma.ownerDay.createMany({ data: [daysAgo(30), daysAgo(31), daysAgo(32)] });
  expect(await sweepOwnerDays(test.services, now, 1)).toBe(1);
  expect(await sweepOwnerDays(test.services, now, 10)).toBe(1);
  expect(await prisma.ownerDay.count({ where: { userId } })).toBe(1);
});
