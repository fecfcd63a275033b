import { newId } from '@postrider/core/base/lib';
import { checkReputationJob } from '@postrider/core/people/reputation';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { executeJob } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createReputationActivities } from './reputation.activities.ts';

let test: TestServices;
let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  [test, environment] = await Promise.all([createTestServices(), createTimeSkippingEnvironment()]);
}, 300_000);
afterAll(async () => {
  await environment.teardown();
  await test.close();
});

const db = () => test.services.database.prisma;
const bounce = (projectId: string) =>
  db().event.create({ data: { id: newId(), projectId, kind: 'SYSTEM', name: 'email.bounce' } });

it('checks until no bounce has arrived in the meantime', async () => {
  const { id: projectId } = await createTestProject(test.services);
  await bounce(projectId);
  const activities = createReputationActivities(test.services);
  let checks = 0;
  await withWorker(
    environment,
    {
      async checkProjectReputation(id: string) {
        checks += 1;
        const more = await activities.checkProjectReputation(id);
        if (checks > 1) return more;
        await bounce(id);
        return true;
      },
    },
    () => executeJob(environment, checkReputationJob, { projectId }),
  );
  expect(checks).toBe(2);
  expect(await db().reputationCheck.count({ where: { projectId } })).toBe(0);
});
