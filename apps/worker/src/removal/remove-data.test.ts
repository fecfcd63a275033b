import { newId } from '@postrider/core/base/lib';
import { deleteProject, removeDataJob, resetProject } from '@postrider/core/insight/removal';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { executeJob, signalling } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createRemovalActivities } from './removal.activities.ts';

let test: TestServices;
let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  [test, environment] = await Promise.all([createTestServices(), createTimeSkippingEnvironment()]);
}, 300_000);
afterAll(async () => {
  await environment.teardown();
  await test.close();
});

const contactsOf = (projectId: string) =>
  test.services.database.prisma.contact.count({ where: { projectId } });

async function contacts(projectId: string, count: number): Promise<void> {
  await test.services.database.prisma.contact.createMany({
    data: Array.from({ length: count }, () => ({ id: newId(), projectId, email: `${newId()}@people.test` })),
  });
}

it('a reset and a deletion run to their end although the worker is lost in between', async () => {
  const services = { ...test.services, workflows: signalling(environment, test.services).workflows };
  const project = await createTestProject(services);
  const owner = { ...(await project.userCtx('OWNER')), services };
  await contacts(project.id, 2_500);
  const activities = createRemovalActivities(test.services);
  let lost = 0;
  await withWorker(
    environment,
    {
      /** The result of the first call is lost with its worker: what it removed is removed, and it is called again. */
      async removeProjectData(projectId: string) {
        const more = await activities.removeProjectData(projectId);
        lost += 1;
        if (lost === 1) throw new Error('the worker was killed');
        return more;
      },
    },
    async () => {
      await resetProject.run(owner, { id: project.id });
      await executeJob(environment, removeDataJob, { projectId: project.id }).catch(() => undefined);
      await expect.poll(() => contactsOf(project.id)).toBe(0);
      await contacts(project.id, 10);
      await deleteProject.run(owner, { id: project.id });
      await expect
        .poll(() => test.services.database.prisma.project.count({ where: { id: project.id } }))
        .toBe(0);
    },
  );
  expect(await contactsOf(project.id)).toBe(0);
  const open = await test.services.database.prisma.projectRemoval.count({ where: { completedAt: null } });
  expect(open).toBe(0);
});
