import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { computeFiguresJob, computeWanted } from '../../base/figures/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { content, having, people } from './campaigns.fixture.ts';
import { createCampaign } from './create-campaign.ts';
import { wantedAudiences } from './estimate-campaign.ts';
import { previewAudience } from './preview-audience.ts';

let test: TestServices;
let project: TestProject;
let signalled: unknown[];

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, {
    signalDebounced: (job: unknown, input: unknown) => signalled.push([job, input]),
  });
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  signalled = [];
  await people(test, project, 3, { data: { plan: 'gold' } });
  await people(test, project, 1, { data: { plan: 'gold' }, subscribed: false });
});

const prisma = () => test.services.database.prisma;
/** As if many more contacts had been created. */
const grow = () =>
  prisma().contactCount.create({
    data: { id: newId(), projectId: project.id, at: new Date(), created: 200_000, removed: 0 },
  });
const gold = { audienceType: 'FILTERED', audienceCondition: having('plan', 'gold') };
const preview = (audience: object = gold) =>
  previewAudience.runRaw(project.ctx, { ...audience, estimate: true });
const count = () => computeWanted(test.services, project.id, [wantedAudiences]);
const exact = {
  ...{ matched: 4, willSend: 3, skipped: { unsubscribed: 1, topic: 0, suppressed: 0, invalid: 0 } },
  ...{ included: null, excluded: null },
  notSubscribed: { unsubscribed: 1, never: 0, pending: 0, snoozed: 0 },
};
const age = (seconds: number) =>
  prisma().cachedFigure.updateMany({
    where: { projectId: project.id },
    data: { computedAt: new Date(Date.now() - seconds * 1_000) },
  });

it('the audience of a large project is estimated at once, counted in the background, and then exact', async () => {
  await grow();
  expect(await preview()).toMatchObject({ estimated: true, matched: 200_004 });
  expect(signalled).toEqual([[computeFiguresJob, { projectId: project.id }]]);
  expect(await count()).toBe(1);
  expect(await preview()).toEqual(exact);
  expect(signalled).toHaveLength(1);
  // Others are not known by it.
  expect(await preview({ ...gold, type: 'TRANSACTIONAL' })).toMatchObject({ estimated: true });
  expect(await preview({ audienceType: 'ALL' })).toMatchObject({ estimated: true });
  expect(await preview({ ...gold, from: test.services.config.sandboxFrom })).toMatchObject({
    estimated: true,
  });
  expect(await count()).toBe(3);
  expect(await preview({ ...gold, type: 'TRANSACTIONAL' })).toMatchObject({ matched: 4, willSend: 4 });
});

it('a count is exact for 30 seconds, and is then made again', async () => {
  await grow();
  await preview();
  await count();
  await people(test, project, 1, { data: { plan: 'gold' } });
  await age(29);
  expect(await preview()).toEqual(exact);
  await age(31);
  expect(await preview()).toMatchObject({ estimated: true });
  await count();
  expect(await preview()).toMatchObject({ matched: 5, willSend: 4 });
});

it('an audience that cannot be counted in time keeps its estimate, and is counted when it is asked for again later', async () => {
  await grow();
  await preview();
  const watch = await test.services.live.watch({ projectId: project.id, owner: 'test' }, 'figures');
  const slow = { ...wantedAudiences, longestMs: 1_000, compute: sleeping };
  await expect(computeWanted(test.services, project.id, [slow])).rejects.toThrow();
  expect(await preview()).toMatchObject({ estimated: true });
  expect(await count()).toBe(0);
  // The next request after a while wants it again; its count is the first change that is announced.
  await prisma().cachedFigure.updateMany({
    where: { projectId: project.id },
    data: { estimatedAt: new Date(Date.now() - 31_000) },
  });
  await preview();
  await count();
  expect(await watch.next()).toBe(true);
  expect(watch.changes).toEqual(['figures']);
  watch.close();
  expect(await preview()).toEqual(exact);
});

const sleeping: typeof wantedAudiences.compute = async (db) => {
  await db.$queryRaw`SELECT pg_sleep(60)::text`;
  return 0;
};

it('the audience of a small project is counted by the request, whatever it asks for', async () => {
  expect(await preview()).toEqual(exact);
  expect(await prisma().cachedFigure.count({ where: { projectId: project.id } })).toBe(0);
  expect(signalled).toEqual([]);
});

it('a request that asks for no estimate is answered with the count', async () => {
  await grow();
  expect(await previewAudience.runRaw(project.ctx, gold)).toEqual(exact);
});

it('the recipients of a campaign that is saved are estimated in a large project, and counted in a small one', async () => {
  await verifiedDomain(test.services, project.id, 'shop.test');
  const save = async () =>
    (await createCampaign.runRaw(project.ctx, { ...content, ...gold })).totalRecipients;
  expect(await save()).toBe(3);
  await grow();
  const total = await save();
  expect(total).toBeGreaterThan(100_000);
  expect(total).toBeLessThan(200_000);
});
