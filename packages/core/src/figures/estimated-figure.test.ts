import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestProject, createTestServices, type TestServices } from '../testing/index.ts';
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
  expect(await computeWanted(test.services, [{ prefix: 'things', compute }])).toBe(1);
  expect(keys).toEqual([`${projectId} a.b`]);
  expect(await computeWanted(test.services, [computing(1)])).toBe(0);
  expect(await read()).toBe(100);

  const tooOld = new Date(Date.now() - 301_000);
  await prisma.cachedFigure.updateMany({
    where: { projectId, key: 'things.a.b' },
    data: { computedAt: tooOld },
  });
  expect(await read()).toBe(90);
  expect(estimates).toEqual([null, 100]);
  expect(await computeWanted(test.services, [computing(110)])).toBe(1);
  expect(await read()).toBe(110);
});

it('a figure that fails to be computed holds up no other', async () => {
  const { prisma } = test.services.database;
  const { id: projectId } = await createTestProject(test.services);
  for (const key of ['bad', 'good']) await figure<number>(prisma, projectId, key, never, async () => 1);
  const compute = async (_db: unknown, _project: string, key: string) => {
    if (key === 'bad') throw new Error('cannot be computed');
    return 2;
  };
  await expect(computeWanted(test.services, [{ prefix: 'things', compute }])).rejects.toThrow('cannot');
  expect(await computeWanted(test.services, [{ prefix: 'things', compute }])).toBe(1);
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
  await computeWanted(test.services, [{ prefix: 'things', compute }]);
  expect(await prisma.cachedFigure.count({ where: { projectId, key: 'things.gone' } })).toBe(0);
});
