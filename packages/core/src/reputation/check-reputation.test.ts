import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../testing/index.ts';
import { checkReputation, findPendingChecks } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const db = () => test.services.database.prisma;

/** Emails of a project, the first `bounces` of them bounced, each bounce with its event. */
async function sent({ id: projectId }: TestProject, count: number, bounces: number): Promise<void> {
  const at = new Date();
  const ids = Array.from({ length: count }, () => newId());
  await db().email.createMany({
    data: ids.map((id, index) => ({
      id,
      projectId,
      to: `${id}@example.com`,
      type: 'TRANSACTIONAL' as const,
      sourceType: 'TRANSACTIONAL' as const,
      contentId: newId(),
      status: 'SENT' as const,
      sentAt: at,
      bouncedAt: index < bounces ? at : null,
    })),
  });
  await db().event.createMany({
    data: ids.slice(0, bounces).map((emailId) => ({
      id: newId(),
      projectId,
      kind: 'SYSTEM' as const,
      name: 'email.bounce',
      emailId,
    })),
  });
}

const isDisabled = async ({ id }: TestProject) =>
  (await db().project.findUniqueOrThrow({ where: { id } })).disabledReason;
const pending = () => findPendingChecks(db(), 100);

describe('bounces', () => {
  it('that are critical disable the project', async () => {
    const project = await createTestProject(test.services);
    await sent(project, 100, 10);
    expect(await pending()).toContain(project.id);
    expect(await checkReputation(test.services, project.id)).toBe(false);
    expect(await isDisabled(project)).toBe('EMAIL_REPUTATION');
    expect(await pending()).not.toContain(project.id);
  });

  it('that are few do not', async () => {
    const project = await createTestProject(test.services);
    await sent(project, 100, 4);
    expect(await checkReputation(test.services, project.id)).toBe(false);
    expect(await isDisabled(project)).toBeNull();
  });

  it('of one project concern no other', async () => {
    const [bad, good] = await Promise.all([
      createTestProject(test.services),
      createTestProject(test.services),
    ]);
    await sent(bad, 100, 20);
    await sent(good, 100, 0);
    expect(await pending()).not.toContain(good.id);
    await checkReputation(test.services, bad.id);
    expect(await isDisabled(good)).toBeNull();
  });
});

it('without a pending check, nothing is counted', async () => {
  const project = await createTestProject(test.services);
  expect(await checkReputation(test.services, project.id)).toBe(false);
});

it('AUTO_PROJECT_DISABLE=false only logs', async () => {
  const services = { ...test.services, config: { ...test.services.config, AUTO_PROJECT_DISABLE: false } };
  const project = await createTestProject(services);
  await sent(project, 100, 10);
  await checkReputation(services, project.id);
  expect(await isDisabled(project)).toBeNull();
});
