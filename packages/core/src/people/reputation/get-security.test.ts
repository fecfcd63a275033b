import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { disableProject, enableProject } from '../projects/index.ts';
import { getSecurity } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const dayMs = 86_400_000;

interface Sent {
  count: number;
  daysAgo?: number;
  bounced?: boolean;
  complained?: boolean;
  to?: string;
  sourceType?: 'TRANSACTIONAL' | 'TEST';
}

async function sent({ id: projectId }: TestProject, emails: Sent[]): Promise<void> {
  await test.services.database.prisma.email.createMany({
    data: emails.flatMap(
      ({
        count,
        daysAgo = 0,
        bounced,
        complained,
        to = 'a@example.com',
        sourceType = 'TRANSACTIONAL' as const,
      }) => {
        const at = new Date(Date.now() - daysAgo * dayMs - 60_000);
        return Array.from({ length: count }, () => ({
          id: newId(),
          projectId,
          to,
          sourceType,
          type: 'TRANSACTIONAL' as const,
          contentId: newId(),
          status: 'SENT' as const,
          sentAt: at,
          bouncedAt: bounced ? at : null,
          complainedAt: complained ? at : null,
        }));
      },
    ),
  });
}

const security = (project: TestProject) => getSecurity.run(project.ctx, { id: project.id });
const age = (project: TestProject) =>
  test.services.database.prisma.project.update({
    where: { id: project.id },
    data: { createdAt: new Date(Date.now() - 31 * dayMs) },
  });

describe('the security of a project', () => {
  it('without email is healthy', async () => {
    const project = await createTestProject(test.services);
    expect(await security(project)).toMatchObject({
      status: {
        projectId: project.id,
        isHealthy: true,
        shouldDisable: false,
        sevenDay: { total: 0, bounces: 0, complaints: 0, bounceRate: 0, complaintRate: 0 },
        refusals: { sevenDay: { blocked: 0, authentication: 0, content: 0, total: expect.any(Number) } },
        isNewProject: true,
        violations: [],
        warnings: [],
      },
      levels: {
        bounce7Day: 'healthy',
        bounceAllTime: 'healthy',
        complaint7Day: 'healthy',
        complaintAllTime: 'healthy',
      },
      isDisabled: false,
      disabledReason: null,
      recentSuspensions: [],
    });
  });

  it('counts over all time what is kept, where emails are removed for their age', async () => {
    const project = await createTestProject(test.services);
    await sent(project, [
      { count: 90 },
      { count: 10, bounced: true },
      { count: 300, daysAgo: 500 },
      { count: 50, daysAgo: 500, bounced: true },
    ]);
    const allTime = { total: 450, bounces: 60 };
    expect((await security(project)).status.allTime).toMatchObject(allTime);
    const config = { ...test.services.config, EMAIL_DAYS: 400 };
    const ctx = { ...project.ctx, services: { ...test.services, config } };
    expect((await getSecurity.run(ctx, { id: project.id })).status.allTime).toMatchObject({
      ...{ total: 100, bounces: 10 },
    });
  });

  it('counts three windows', async () => {
    const project = await createTestProject(test.services);
    await sent(project, [
      { count: 90 },
      { count: 12, bounced: true },
      { count: 1, complained: true },
      { count: 100, daysAgo: 3 },
      { count: 200, daysAgo: 20 },
    ]);
    await age(project);
    const { status, levels } = await security(project);
    expect(status.twentyFourHour).toMatchObject({ total: 103, bounces: 12, complaints: 1 });
    expect(status.sevenDay).toMatchObject({ total: 203, bounces: 12 });
    expect(status.allTime).toMatchObject({ total: 403, bounces: 12 });
    expect(status.sevenDay.bounceRate).toBeCloseTo(5.91, 2);
    expect(levels).toMatchObject({ bounce7Day: 'warning', bounceAllTime: 'healthy' });
    expect(status).toMatchObject({ isHealthy: false, shouldDisable: false, isNewProject: false });
  });

  it('is critical when every tenth email bounces', async () => {
    const project = await createTestProject(test.services);
    await sent(project, [{ count: 90 }, { count: 10, bounced: true }]);
    expect(await security(project)).toMatchObject({
      status: { isHealthy: false, shouldDisable: true },
      levels: { bounce7Day: 'critical', bounceAllTime: 'critical' },
    });
  });

  it('counts neither test email nor simulator addresses', async () => {
    const project = await createTestProject(test.services);
    await sent(project, [
      { count: 100, bounced: true, sourceType: 'TEST' },
      { count: 100, bounced: true, to: 'bounce@simulator.amazonses.com' },
    ]);
    expect((await security(project)).status.allTime.total).toBe(0);
  });

  it('shows why and when it was disabled', async () => {
    const project = await createTestProject(test.services);
    const system = systemContext(test.services);
    await disableProject.run(system, { id: project.id, reason: 'MANUAL' });
    await enableProject.run(system, { id: project.id });
    await disableProject.run(system, { id: project.id, reason: 'EMAIL_REPUTATION' });
    const { isDisabled, disabledReason, recentSuspensions } = await security(project);
    expect({ isDisabled, disabledReason }).toEqual({ isDisabled: true, disabledReason: 'EMAIL_REPUTATION' });
    expect(recentSuspensions).toMatchObject([
      { reason: 'EMAIL_REPUTATION', liftedAt: null },
      { reason: 'MANUAL', liftedAt: expect.any(String) },
    ]);
  });

  it('403 PROJECT_ACCESS_DENIED: of another project', async () => {
    const [mine, other] = await Promise.all([
      createTestProject(test.services),
      createTestProject(test.services),
    ]);
    await expect(getSecurity.run(mine.ctx, { id: other.id })).rejects.toMatchObject({
      code: 'PROJECT_ACCESS_DENIED',
    });
  });
});
