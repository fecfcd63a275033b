import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../base/kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { listAudit } from '../audit/index.ts';
import { disableProject, enableProject } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const system = () => systemContext(test.services);
const disable = (project: TestProject, reason: 'MANUAL' | 'PAYMENT_FAILED' = 'MANUAL') =>
  disableProject.run(system(), { id: project.id, reason });
const stateOf = ({ id }: TestProject) =>
  test.services.database.prisma.project.findUniqueOrThrow({
    where: { id },
    select: { disabled: true, disabledReason: true },
  });
const suspensionsOf = ({ id }: TestProject) =>
  test.services.database.prisma.suspension.findMany({ where: { projectId: id } });

/** Subjects of the platform's emails to the owner of a project. */
async function mailTo({ ownerId }: TestProject): Promise<string[]> {
  const { prisma } = test.services.database;
  const { email } = await prisma.user.findUniqueOrThrow({ where: { id: ownerId } });
  const emails = await prisma.email.findMany({ where: { to: email, sourceType: 'SYSTEM' } });
  const contents = await prisma.content.findMany({
    where: { id: { in: emails.map(({ contentId }) => contentId) } },
  });
  return contents.map(({ subject }) => subject);
}

describe('disabling a project', () => {
  it('keeps the reason and the time, notifies its members, and is in its audit log', async () => {
    const project = await createTestProject(test.services, { name: 'Example Shop' });
    expect(await disable(project)).toEqual({ changed: true });
    expect(await stateOf(project)).toEqual({ disabled: true, disabledReason: 'MANUAL' });
    expect(await suspensionsOf(project)).toMatchObject([{ reason: 'MANUAL', liftedAt: null }]);
    expect(await mailTo(project)).toEqual(['Example Shop is disabled']);
    const { data } = await listAudit.run(project.ctx, {});
    expect(data).toMatchObject([
      { operation: 'projects.disable', actor: { type: 'system', label: 'Postrider' } },
    ]);
  });

  it('twice changes nothing: the first reason stays', async () => {
    const project = await createTestProject(test.services);
    await disable(project);
    expect(await disable(project, 'PAYMENT_FAILED')).toEqual({ changed: false });
    expect(await stateOf(project)).toEqual({ disabled: true, disabledReason: 'MANUAL' });
    expect(await suspensionsOf(project)).toHaveLength(1);
  });

  it('is not possible for anyone but the platform', async () => {
    const project = await createTestProject(test.services);
    for (const ctx of [project.ctx, await project.userCtx('OWNER')]) {
      const attempt = disableProject.run(ctx, { id: project.id, reason: 'MANUAL' });
      await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

it('enabling a project lifts the suspension and notifies its members', async () => {
  const project = await createTestProject(test.services, { name: 'Example Shop' });
  await disable(project);
  expect(await enableProject.run(system(), { id: project.id })).toEqual({ changed: true });
  expect(await stateOf(project)).toEqual({ disabled: false, disabledReason: null });
  expect(await suspensionsOf(project)).toMatchObject([{ liftedAt: expect.any(Date) }]);
  expect(await mailTo(project)).toContain('Example Shop is enabled again');
  expect(await enableProject.run(system(), { id: project.id })).toEqual({ changed: false });
});
