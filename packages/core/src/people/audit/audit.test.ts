import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteContact, upsertContact } from '../../audience/contacts/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate, deleteTemplate, updateTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { login, signup } from '../users/index.ts';
import { listAudit, sweepAudit } from './index.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const content = { subject: 'Hello', body: '<p>Hello</p>' };

async function withTemplate() {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'audit.example.com');
  return createTemplate.run(project.ctx, { ...content, name: 'Welcome', from: 'hi@audit.example.com' });
}

describe('the audit log', () => {
  it('includes the whole day that a search ends with, in the time zone of the project', async () => {
    await withTemplate();
    const createdAt = new Date('2026-03-10T22:30:00.000Z');
    await test.services.database.prisma.auditLog.updateMany({
      where: { projectId: project.id },
      data: { createdAt },
    });
    const found = async (timeZone: string, day: string) => {
      const ctx = { ...project.ctx, project: { ...project.project, timeZone } };
      return (await listAudit.runRaw(ctx, { from: day, to: day })).total > 0;
    };
    expect([await found('UTC', '2026-03-10'), await found('UTC', '2026-03-11')]).toEqual([true, false]);
    const athens = 'Europe/Athens';
    expect([await found(athens, '2026-03-10'), await found(athens, '2026-03-11')]).toEqual([false, true]);
  });

  it('names operation, actor, record and changed fields, newest first', async () => {
    const template = await withTemplate();
    await updateTemplate.run(await project.userCtx('ADMIN'), { id: template.id, name: 'Hello' });
    const { data, total } = await listAudit.run(project.ctx, {});
    const [updated, created] = data;
    expect(total).toBe(data.length);
    expect(updated).toMatchObject({
      operation: 'templates.update',
      actor: { type: 'user', label: expect.stringContaining('@') },
      targetType: 'template',
      targetId: template.id,
      changed: ['name'],
    });
    expect(created).toMatchObject({
      operation: 'templates.create',
      actor: { type: 'key', id: null, label: 'Secret key' },
    });
  });

  it('can be narrowed by operation, actor, record and time', async () => {
    const template = await withTemplate();
    const member = await project.userCtx('ADMIN');
    await updateTemplate.run(member, { id: template.id, name: 'Hello' });
    const actorId = member.actor.type === 'user' ? member.actor.userId : '';
    const operations = async (input: Parameters<typeof listAudit.run>[1]) =>
      (await listAudit.run(project.ctx, input)).data.map(({ operation }) => operation);
    expect(await operations({ operation: 'templates.create' })).toEqual(['templates.create']);
    expect(await operations({ operation: 'templates.invent' })).toEqual([]);
    expect(await operations({ actorId })).toEqual(['templates.update']);
    expect(await operations({ targetId: template.id })).toEqual(['templates.update', 'templates.create']);
    expect(await operations({ targetId: newId() })).toEqual([]);
    expect(await operations({ to: new Date(Date.now() - 3_600_000).toISOString() })).toEqual([]);
  });

  it('names what it is about, also what was deleted since, but no contact that is gone', async () => {
    const template = await withTemplate();
    await updateTemplate.run(project.ctx, { id: template.id, name: 'Hello' });
    const contact = await upsertContact.runRaw(project.ctx, { email: 'ann@people.test' });
    const names = async (targetId: string) => [
      ...new Set((await listAudit.run(project.ctx, { targetId })).data.map(({ targetName }) => targetName)),
    ];
    expect(await names(template.id)).toEqual(['Hello']);
    expect(await names(contact.id)).toEqual(['ann@people.test']);
    await deleteTemplate.runRaw(project.ctx, { id: template.id });
    await deleteContact.runRaw(project.ctx, { id: contact.id });
    const [deleted, ...before] = (await listAudit.run(project.ctx, { targetId: template.id })).data;
    expect(deleted).toMatchObject({ operation: 'templates.delete', targetName: 'Hello' });
    expect(before.map(({ targetName }) => targetName)).toEqual([null, null]);
    expect(await names(contact.id)).toEqual([null]);
  });

  it('is read page by page', async () => {
    await withTemplate();
    const all = (await listAudit.run(project.ctx, {})).data;
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listAudit.run(project.ctx, { limit: 1, ...(cursor && { cursor }) });
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.cursor;
    }
    expect(ids).toEqual(all.map(({ id }) => id));
  });

  it('403 FORBIDDEN: for members', async () => {
    await withTemplate();
    await expect(listAudit.run(await project.userCtx('MEMBER'), {})).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('contains nothing of another project', async () => {
    await withTemplate();
    const other = await createTestProject(test.services);
    expect((await listAudit.run(other.ctx, { operation: 'templates.create' })).data).toEqual([]);
  });

  it('has the failed logins of its members', async () => {
    project = await createTestProject(test.services);
    const anonymous = { ...project.ctx, actor: { type: 'anonymous' as const }, project: null };
    const email = `${newId()}@people.test`;
    const { id: userId } = await signup.run(anonymous, { email, password: 'correct horse' });
    await test.services.database.prisma.member.create({
      data: { projectId: project.id, userId, role: 'MEMBER' },
    });
    await expect(login.run(anonymous, { email, password: 'wrong' })).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    const { data } = await listAudit.run(project.ctx, { operation: 'auth.login_failed' });
    expect(data).toMatchObject([{ targetType: 'user', targetId: userId, actor: { type: 'system' } }]);
  });
});

it('entries are removed after 400 days', async () => {
  await withTemplate();
  const dayMs = 86_400_000;
  await sweepAudit(test.services, new Date(Date.now() + 399 * dayMs), 1_000);
  expect((await listAudit.run(project.ctx, {})).data.length).toBeGreaterThan(0);
  await sweepAudit(test.services, new Date(Date.now() + 401 * dayMs), 1_000);
  expect((await listAudit.run(project.ctx, {})).data).toEqual([]);
});
