import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCampaign } from '../../automation/campaigns/index.ts';
import { newId } from '../../base/lib/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { createTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { getOverview } from './get-overview.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
});
afterAll(() => test.close());

const overview = () => getOverview.run(project.ctx, {});

it('shows which first steps are done, without a domain', async () => {
  expect(await overview()).toMatchObject({ hasTemplate: false, hasCampaign: false, firstMailSent: false });
  const from = test.services.config.sandboxFrom;
  await createTemplate.runRaw(project.ctx, { name: 'T', subject: 'S', body: 'B', from });
  expect(await overview()).toMatchObject({ hasTemplate: true, hasCampaign: false });
  const draft = { name: 'C', subject: 'S', body: 'B', from, audienceType: 'ALL' };
  await createCampaign.runRaw(project.ctx, draft);
  expect(await overview()).toMatchObject({ hasTemplate: true, hasCampaign: true });
});

it('shows jobs until they are finished', async () => {
  const { prisma } = test.services.database;
  const job = (state: string) => ({
    id: newId(),
    projectId: project.id,
    kind: 'import',
    state,
    progress: 40,
  });
  const active = job('active');
  await prisma.job.createMany({ data: [active, job('completed'), job('failed')] });
  expect((await overview()).jobs).toEqual([{ id: active.id, kind: 'import', progress: 40, waitsFor: null }]);
});

it('shows that the mail server is not used, for as long as it is paused', async () => {
  expect((await overview()).pausedRoute).toBeNull();
  const { prisma } = test.services.database;
  const id = routeId(test.services.config);
  const since = new Date('2026-03-01T10:00:00Z');
  await prisma.route.create({ data: { id, pausedAt: since, reason: 'connection refused' } });
  expect((await overview()).pausedRoute).toEqual({
    since: since.toISOString(),
    reason: 'connection refused',
  });
  await prisma.route.update({ where: { id }, data: { pausedAt: null } });
  expect((await overview()).pausedRoute).toBeNull();
});

it('shows forms that are guarded, and that too many requests are unconfirmed, for as long as it is so', async () => {
  const { prisma } = test.services.database;
  const calm = { guarded: 0, limited: false };
  expect((await overview()).forms).toEqual(calm);
  const soon = new Date(Date.now() + 3_600_000);
  const form = (more: object) => ({
    ...{ id: newId(), projectId: project.id, name: 'Footer', enabled: true, language: 'en', topics: [1] },
    ...{ title: { en: 'News' }, consentText: { en: 'Yes' }, fields: [], guardedUntil: soon },
    ...more,
  });
  await prisma.form.createMany({
    data: [
      form({}),
      form({ enabled: false }),
      form({ deletedAt: soon }),
      form({ guardedUntil: new Date(0) }),
    ],
  });
  const attempt = { scope: 'notice', key: Uint8Array.from([1]), startsAt: new Date(), expiresAt: soon };
  await prisma.publicAttempt.create({ data: { ...attempt, projectId: project.id } });
  expect((await overview()).forms).toEqual({ guarded: 1, limited: true });
  await prisma.publicAttempt.updateMany({ data: { expiresAt: new Date(0) } });
  await prisma.form.updateMany({ data: { guardedUntil: null } });
  expect((await overview()).forms).toEqual(calm);
});
