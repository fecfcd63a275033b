import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { checkReputation, findPendingChecks, getSecurity } from './index.ts';

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

/** Emails of a project that were sent just now, each to a contact of its own unless one is given. */
async function emails(
  { id: projectId }: TestProject,
  count: number,
  more: { contactId?: string; bounced?: boolean; complained?: boolean; unproven?: boolean; isSent?: boolean },
): Promise<void> {
  const at = new Date();
  const { contactId, bounced = false, complained = false, unproven = false, isSent = true } = more;
  await db().email.createMany({
    data: Array.from({ length: count }, () => ({
      id: newId(),
      projectId,
      contactId: contactId ?? newId(),
      to: 'ann@example.com',
      type: 'TRANSACTIONAL' as const,
      sourceType: 'TRANSACTIONAL' as const,
      contentId: newId(),
      status: 'SENT' as const,
      sentAt: isSent ? at : null,
      bouncedAt: bounced ? at : null,
      complainedAt: complained ? at : null,
      unprovenNews: unproven,
    })),
  });
}

const noteBounce = ({ id: projectId }: TestProject) =>
  db().event.create({ data: { id: newId(), projectId, kind: 'SYSTEM', name: 'email.bounce' } });

describe('people count, not emails', () => {
  it('the complaints of one contact about 50 emails are one', async () => {
    const project = await createTestProject(test.services);
    await emails(project, 50, { contactId: newId(), complained: true });
    await emails(project, 50, {});
    await noteBounce(project);
    await checkReputation(test.services, project.id);
    expect(await isDisabled(project)).toBeNull();
    const { status } = await getSecurity.run(project.ctx, { id: project.id });
    expect(status.allTime).toMatchObject({ total: 100, complaints: 1, complaintRate: 1 });
    expect(status).toMatchObject({ violations: [], warnings: [] });
  });

  it('of deleted contacts, each email counts', async () => {
    const project = await createTestProject(test.services);
    await emails(project, 3, { bounced: true });
    await db().email.updateMany({ where: { projectId: project.id }, data: { contactId: null } });
    const { status } = await getSecurity.run(project.ctx, { id: project.id });
    expect(status.sevenDay).toMatchObject({ total: 3, bounces: 3 });
  });
});

describe('refusals for the sender', () => {
  /** Emails that were refused a day ago, with the event of the last one. */
  async function refused(project: TestProject, given: string, count: number): Promise<void> {
    const at = new Date(Date.now() - 86_400_000).toISOString();
    await db().email.createMany({
      data: Array.from({ length: count }, () => ({
        id: newId(),
        projectId: project.id,
        contactId: newId(),
        to: 'ann@example.com',
        type: 'TRANSACTIONAL' as const,
        sourceType: 'TRANSACTIONAL' as const,
        contentId: newId(),
        status: 'FAILED' as const,
        diagnosis: { class: given, code: null, reply: 550, text: null, at },
      })),
    });
    const data = { failureClass: given };
    await db().event.create({
      data: { id: newId(), projectId: project.id, kind: 'ACTIVITY', name: 'email.failed', data },
    });
  }
  const leadersMail = async (project: TestProject) => {
    const members = await db().member.findMany({
      where: { projectId: project.id, role: { in: ['OWNER', 'ADMIN'] } },
      select: { user: { select: { email: true } } },
    });
    const to = members.map(({ user }) => user.email);
    return db().email.count({ where: { sourceType: 'SYSTEM', to: { in: to } } });
  };

  it('a thousand by DMARC suppress nobody, disable no project, and are told once a week and class', async () => {
    const project = await createTestProject(test.services);
    await emails(project, 100, {});
    await refused(project, 'authentication', 1_000);
    for (let times = 0; times < 3; times += 1) {
      await refused(project, 'authentication', 1);
      expect(await pending()).toContain(project.id);
      await checkReputation(test.services, project.id);
    }
    expect(await isDisabled(project)).toBeNull();
    expect(await leadersMail(project)).toBe(1);
    const { status, levels } = await getSecurity.run(project.ctx, { id: project.id });
    expect(status.refusals).toEqual({
      sevenDay: { blocked: 0, authentication: 1_003, content: 0, total: 1_103 },
    });
    expect(status).toMatchObject({ isHealthy: false, shouldDisable: false, violations: [] });
    expect(status.warnings).toHaveLength(1);
    expect(Object.values(levels)).toEqual(['healthy', 'healthy', 'healthy', 'healthy']);
    await refused(project, 'blocked', 100);
    await checkReputation(test.services, project.id);
    expect(await leadersMail(project)).toBe(2);
    await db().project.update({
      where: { id: project.id },
      data: { refusalMailAt: { blocked: new Date(Date.now() - 8 * 86_400_000), authentication: new Date() } },
    });
    await refused(project, 'blocked', 1);
    await checkReputation(test.services, project.id);
    expect(await leadersMail(project)).toBe(3);
  });

  it('fewer than twenty, and failures of another class, are no warning', async () => {
    const project = await createTestProject(test.services);
    await refused(project, 'content', 19);
    await refused(project, 'full', 100);
    await checkReputation(test.services, project.id);
    const { status } = await getSecurity.run(project.ctx, { id: project.id });
    expect(status).toMatchObject({ isHealthy: true, warnings: [] });
    expect(await leadersMail(project)).toBe(0);
  });

  it('of another class ask for no check', async () => {
    const project = await createTestProject(test.services);
    await refused(project, 'unreachable', 1);
    expect(await pending()).not.toContain(project.id);
  });
});

describe('reports without a proof', () => {
  const mailsToOwner = async (project: TestProject) =>
    db().email.count({
      where: {
        sourceType: 'SYSTEM',
        to: (await db().user.findUniqueOrThrow({ where: { id: project.ownerId } })).email,
      },
    });

  it('disable no project; its owner is told once a day', async () => {
    const project = await createTestProject(test.services);
    await emails(project, 7, { complained: true, unproven: true });
    await emails(project, 93, {});
    for (let times = 0; times < 3; times += 1) {
      await noteBounce(project);
      await checkReputation(test.services, project.id);
    }
    expect(await isDisabled(project)).toBeNull();
    expect(await mailsToOwner(project)).toBe(1);
    const { status } = await getSecurity.run(project.ctx, { id: project.id });
    expect(status).toMatchObject({ shouldDisable: false, violations: [], isHealthy: false });
    expect(status.warnings).toContain('7.00 % complaints in 7 days, of which 7 are not proven');
    expect(status.sevenDay).toMatchObject({ complaints: 7, unprovenComplaints: 7 });
    await db().project.update({
      where: { id: project.id },
      data: { unprovenMailAt: new Date(Date.now() - 25 * 3_600_000) },
    });
    await noteBounce(project);
    await checkReputation(test.services, project.id);
    expect(await mailsToOwner(project)).toBe(2);
  });

  it('do not protect a project whose proven bounces are critical', async () => {
    const project = await createTestProject(test.services);
    await emails(project, 10, { bounced: true });
    await emails(project, 5, { bounced: true, unproven: true });
    await emails(project, 85, {});
    await noteBounce(project);
    await checkReputation(test.services, project.id);
    expect(await isDisabled(project)).toBe('EMAIL_REPUTATION');
  });
});

it('bounces right after a check of a project with more than 50,000 emails disable it', async () => {
  const project = await createTestProject(test.services);
  await db().$executeRaw`
    INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId")
    SELECT uuid7(), ${project.id}::uuid, uuid7(), 'ann@example.com', 'TRANSACTIONAL', 'TRANSACTIONAL', uuid7()
    FROM generate_series(1, 51000)`;
  await db().email.updateMany({
    where: { projectId: project.id },
    data: { status: 'SENT', sentAt: new Date() },
  });
  await noteBounce(project);
  expect(await checkReputation(test.services, project.id)).toBe(false);
  expect(await isDisabled(project)).toBeNull();
  await db().$executeRaw`
    UPDATE "Email" SET "bouncedAt" = now() WHERE "id" IN (
      SELECT "id" FROM "Email" WHERE "projectId" = ${project.id}::uuid ORDER BY "id" LIMIT 5200)`;
  await noteBounce(project);
  expect(await checkReputation(test.services, project.id)).toBe(false);
  expect(await isDisabled(project)).toBe('EMAIL_REPUTATION');
});

it('counting reads the emails that bounced or were marked as spam, not all, with and without statistics', async () => {
  const project = await createTestProject(test.services);
  await emails(project, 2_000, {});
  await emails(project, 20, { bounced: true });
  const readsBad = async (): Promise<string> => {
    const rows = await db().$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN SELECT * FROM "Email" e WHERE e."projectId" = '${project.id}'::uuid
       AND (e."bouncedAt" IS NOT NULL OR e."complainedAt" IS NOT NULL)`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  expect(await readsBad()).toContain('Email_reputation');
  await db().$executeRawUnsafe('ANALYZE "Email"');
  expect(await readsBad()).toContain('Email_reputation');
});
