import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import { createKey } from '../../../people/keys/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { createTemplate } from '../create-template.ts';
import { getTemplate } from '../get-template.ts';
import { updateTemplate } from '../update-template.ts';
import { getTemplateVersion } from './get-version.ts';
import { listTemplateVersions } from './list-versions.ts';
import { restoreTemplateVersion } from './restore-version.ts';
import { keptVersions } from './versions.schema.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});
afterAll(() => test.close());

const create = () =>
  createTemplate.run(project.ctx, {
    name: 'Welcome',
    subject: 'One',
    preheader: 'First',
    body: '<p>One</p>',
    from: 'team@shop.test',
  });
const update = (id: string, change: object) => updateTemplate.run(project.ctx, { id, ...change });
const versionsOf = async (id: string) => (await listTemplateVersions.run(project.ctx, { id })).data;
const get = (id: string, version: number) => getTemplateVersion.run(project.ctx, { id, version });

describe('the versions of a template', () => {
  it('are its contents with number, time and author, newest first', async () => {
    const { id } = await create();
    const member = await project.userCtx('ADMIN');
    await updateTemplate.run(member, { id, subject: 'Two', preheader: null });
    expect(await listTemplateVersions.run(project.ctx, { id })).toEqual({
      data: [
        {
          id: expect.any(String),
          version: 2,
          subject: 'Two',
          preheader: null,
          author: { type: 'user', id: expect.any(String), label: expect.stringContaining('@') },
          createdAt: expect.any(String),
        },
        expect.objectContaining({
          version: 1,
          subject: 'One',
          preheader: 'First',
          author: { type: 'key', id: null, label: 'Secret key' },
        }),
      ],
      cursor: null,
      hasMore: false,
      total: 2,
    });
    expect(await get(id, 1)).toMatchObject({ version: 1, subject: 'One', body: '<p>One</p>' });
    expect(await get(id, 2)).toMatchObject({ version: 2, subject: 'Two', body: '<p>One</p>' });
  });

  it('name the key that saved them, also after the key was deleted', async () => {
    const { id } = await create();
    const key = await createKey.run(await project.userCtx('OWNER'), {
      id: project.id,
      name: 'Deploy',
      scope: 'full',
    });
    const named = { id: key.id, name: key.name, scope: key.scope, domains: null };
    const ctx = {
      ...project.ctx,
      actor: { type: 'key' as const, key: 'secret' as const, projectId: project.id, named },
    };
    await updateTemplate.run(ctx, { id, body: '<p>By key</p>' });
    await test.services.database.prisma.apiKey.delete({ where: { id: key.id } });
    expect((await versionsOf(id))[0]?.author).toEqual({ type: 'key', id: key.id, label: 'Deploy' });
  });

  it('have no author if they are older than the record of authors', async () => {
    const { id } = await create();
    await test.services.database.prisma.templateVersion.updateMany({
      where: { templateId: id },
      data: { authorType: null },
    });
    expect((await get(id, 1)).author).toBeNull();
  });

  it('come with changes of the content alone', async () => {
    const { id } = await create();
    await update(id, { name: 'Renamed', from: 'other@shop.test' });
    await update(id, { subject: 'One', body: '<p>One</p>' });
    expect(await versionsOf(id)).toHaveLength(1);
  });

  it('are read page by page', async () => {
    const { id } = await create();
    for (const subject of ['Two', 'Three', 'Four', 'Five']) await update(id, { subject });
    const numbers: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listTemplateVersions.run(project.ctx, { id, limit: 2, ...(cursor && { cursor }) });
      numbers.push(...page.data.map(({ version }) => version));
      cursor = page.cursor;
    }
    expect(numbers).toEqual([5, 4, 3, 2, 1]);
  });

  it('are numbered without gaps when changes are saved at the same time', async () => {
    const { id } = await create();
    await Promise.all(['a', 'b', 'c', 'd'].map((subject) => update(id, { subject })));
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
    const { subject } = await getTemplate.run(project.ctx, { id });
    expect((await get(id, 5)).subject).toBe(subject);
  });

  it(`are the newest ${keptVersions}`, async () => {
    const { id } = await create();
    const { prisma } = test.services.database;
    await prisma.template.update({ where: { id }, data: { lastVersion: keptVersions } });
    await update(id, { subject: 'New' });
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([keptVersions + 1]);
    await expect(get(id, 1)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});

describe('restoring a version', () => {
  it('makes a new version of its content and keeps the rest of the template', async () => {
    const { id } = await create();
    await update(id, { subject: 'Two', preheader: null, body: '<p>Two</p>', name: 'Renamed' });
    const restored = await restoreTemplateVersion.run(project.ctx, { id, version: 1 });
    expect(restored).toMatchObject({
      name: 'Renamed',
      subject: 'One',
      preheader: 'First',
      body: '<p>One</p>',
    });
    expect(await getTemplate.run(project.ctx, { id })).toEqual(restored);
    expect((await versionsOf(id)).map(({ version, subject }) => [version, subject])).toEqual([
      [3, 'One'],
      [2, 'Two'],
      [1, 'One'],
    ]);
  });

  it('changes nothing if it is the present content', async () => {
    const template = await create();
    expect(await restoreTemplateVersion.run(project.ctx, { id: template.id, version: 1 })).toEqual(template);
    expect(await versionsOf(template.id)).toHaveLength(1);
  });

  it('checks the syntax as any change does', async () => {
    const { id } = await create();
    await update(id, { subject: 'Two' });
    await test.services.database.prisma.templateVersion.updateMany({
      where: { templateId: id, number: 1 },
      data: { body: '{% no_longer_a_tag %}' },
    });
    await expect(restoreTemplateVersion.run(project.ctx, { id, version: 1 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'body', code: 'template_syntax' }],
    });
  });

  it('404: no such version, no such template, a template of another project', async () => {
    const { id } = await create();
    await expect(restoreTemplateVersion.run(project.ctx, { id, version: 2 })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    const other = await createTestProject(test.services);
    for (const [ctx, template] of [
      [project.ctx, newId()],
      [other.ctx, id],
    ] as const) {
      const input = { id: template, version: 1 };
      for (const attempt of [
        () => restoreTemplateVersion.run(ctx, input),
        () => getTemplateVersion.run(ctx, input),
        () => listTemplateVersions.run(ctx, { id: template }),
      ])
        await expect(attempt()).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    }
  });
});
