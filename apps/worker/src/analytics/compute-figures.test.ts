import { computeFiguresJob } from '@postrider/core/base/figures';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { executeJob } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createAnalyticsActivities } from './analytics.activities.ts';

let test: TestServices;
let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  [test, environment] = await Promise.all([createTestServices(), createTimeSkippingEnvironment()]);
}, 300_000);
afterAll(async () => {
  await environment.teardown();
  await test.close();
});

it('computes what is wanted of a project, also after its process was lost, and starts for what no signal arrived', async () => {
  const { id: projectId } = await createTestProject(test.services);
  const { cachedFigure } = test.services.database.prisma;
  const wanted = { estimate: [], estimatedAt: new Date(), wantedAt: new Date() };
  await cachedFigure.create({ data: { projectId, key: 'contacts.fields', ...wanted } });
  const activities = createAnalyticsActivities(test.services);
  let attempts = 0;
  await withWorker(
    environment,
    {
      computeWantedFigures(id: string) {
        attempts += 1;
        if (attempts === 1) throw new Error('the process is lost');
        return activities.computeWantedFigures(id);
      },
    },
    () => executeJob(environment, computeFiguresJob, { projectId }),
  );
  const figure = await cachedFigure.findFirstOrThrow({ where: { projectId } });
  expect(figure).toMatchObject({ estimate: null, estimatedAt: null, wantedAt: null });
  expect(figure.value).toContainEqual({ field: 'email', type: 'string', coverage: 100 });

  const started: unknown[] = [];
  Object.assign(test.services.workflows, {
    signal: async (job: unknown, input: unknown) => started.push([job, input]),
  });
  await activities.foldFiguresOnce();
  expect(started).toEqual([]);
  await cachedFigure.updateMany({ where: { projectId }, data: wanted });
  await activities.foldFiguresOnce();
  expect(started).toEqual([[computeFiguresJob, { projectId }]]);
});
