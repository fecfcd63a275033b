import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { computeWanted, figuresOf, type WantedFigures } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const figure = figuresOf({
  prefix: 'things',
  largeAbove: 10,
  maxAgeSeconds: 300,
  hasMoreThan: async () => true,
});
const never = () => Promise.reject(new Error('computed within a request'));
const computing = (value: number): WantedFigures => ({ prefix: 'things', compute: async () => value });

it('a figure of a large project is estimated, then computed in the background, and estimated again when it is too old', async () => {
  const { prisma } = test.services.database;
  const { id: projectId } = await createTestProject(test.services);
  const estimates: (number | null)[] = [];
  const read = () =>
    figure<number>(prisma, projectId, 'a.b', never, async (last) => {
      estimates.push(last);
      return 90;
    });

  expect(await read()).toBe(90);
  expect(await read()).toBe(90);
  expect(estimates).toEqual([null]);

  const keys: string[] = [];
  const compute = async (_db: unknown, ofProject: string, key: string) => {
    keys.push(`${ofProject} ${key}`);
    return 100;
  };
  expect(await computeWanted(test.services, projectId, [{ prefix: 'things', compute }])).toBe(1);
  expect(keys).toEqual([`${projectId} a.b`]);
  expect(await computeWanted(test.services, projectId, [computing(1)])).toBe(0);
  expect(await read()).toBe(100);

  const tooOld = new Date(Date.now() - 301_000);
  await prisma.cachedFigure.updateMany({
    where: { projectId, key: 'things.a.b' },
    data: { computedAt: tooOld },
  });
  expect(await read()).toBe(90);
  expect(estimates).toEqual([null, 100]);
  expect(await computeWanted(test.services, projectId, [computing(110)])).toBe(1);
  expect(await read()).toBe(110);
});

it('a figure that fails to be computed holds up no other', async () => {
  const { prisma } = test.services.database;
  const { id: projectId } = await createTestProject(test.services);
  for (const key of ['good', 'bad']) await figure<number>(prisma, projectId, key, never, async () => 1);
  await prisma.cachedFigure.update({
    where: { projectId_key: { projectId, key: 'things.good' } },
    data: { wantedAt: new Date(Date.now() - 1_000) },
  });
  const compute = async (_db: unknown, _project: string, key: string) => {
    if (key === 'bad') throw new Error('cannot be computed');
    return 2;
  };
  await expect(computeWanted(test.services, projectId, [{ prefix: 'things', compute }])).rejects.toThrow(
    'cannot',
  );
  expect(await computeWanted(test.services, projectId, [{ prefix: 'things', compute }])).toBe(1);
  expect(await figure<number>(prisma, projectId, 'good', never, never)).toBe(2);
});

it('a figure that was discarded while it was computed is not stored', async () => {
  const { prisma } = test.services.database;
  const { id: projectId } = await createTestProject(test.services);
  await figure<number>(prisma, projectId, 'gone', never, async () => 1);
  const compute = async () => {
    await prisma.cachedFigure.deleteMany({ where: { projectId, key: 'things.gone' } });
    return 2;
  };
  await computeWanted(test.services, projectId, [{ prefix: 'things', compute }]);
  expect(await prisma.cachedFigure.count({ where: { projectId, key: 'things.gone' } })).toBe(0);
});

it('the figure that was wanted last is computed first, and its age counts from its end', async () => {
  const { prisma } = test.services.database;
  const { id: projectId } = await createTestProject(test.services);
  for (const key of ['first', 'last']) await figure<number>(prisma, projectId, key, never, async () => 1);
  await prisma.cachedFigure.update({
    where: { projectId_key: { projectId, key: 'things.first' } },
    data: { wantedAt: new Date(Date.now() - 60_000) },
  });
  const computed: string[] = [];
  let doneAt = 0;
  const compute = async (_db: unknown, _project: string, key: string) => {
    computed.push(key);
    doneAt = Date.now();
    return 2;
  };
  await computeWanted(test.services, projectId, [{ prefix: 'things', compute }]);
  expect(computed).toEqual(['last', 'first']);
  const { computedAt } = await prisma.cachedFigure.findFirstOrThrow({
    where: { projectId, key: 'things.first' },
  });
  expect(computedAt.getTime()).toBeGreaterThanOrEqual(doneAt);
});

it('a figure whose computation was interrupted is still wanted, in its place', async () => {
  const { prisma } = test.services.database;
  const { id: projectId } = await createTestProject(test.services);
  await figure<number>(prisma, projectId, 'a', never, async () => 1);
  const wanted = () => prisma.cachedFigure.findFirstOrThrow({ where: { projectId, key: 'things.a' } });
  const { wantedAt } = await wanted();
  const compute = async () => {
    // As a process that is killed here would leave it.
    expect((await wanted()).wantedAt).toEqual(wantedAt);
    return 2;
  };
  await prisma.cachedFigure.updateMany({
    where: { projectId, key: 'things.a' },
    data: { estimatedAt: new Date(Date.now() - 301_000) },
  });
  expect(await figure<number>(prisma, projectId, 'a', never, async () => 1)).toBe(1);
  expect((await wanted()).wantedAt).toEqual(wantedAt);
  expect(await computeWanted(test.services, projectId, [{ prefix: 'things', compute }])).toBe(1);
});
