import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listLinks } from '../../insight/analytics/index.ts';
import { listEmails, sendEmail } from '../../mail/sending/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  getTemplateUsage,
  getTemplateVersion,
  listTemplateVersions,
  restoreTemplateVersion,
  updateTemplate,
} from './index.ts';

let test: TestServices;
let project: TestProject;
let other: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  other = await createTestProject(test.services);
  for (const { id } of [project, other]) await verifiedDomain(test.services, id, 'shop.test');
});
afterAll(() => test.close());

const create = (alias: unknown, of = project) =>
  createTemplate.runRaw(of.ctx, {
    name: 'T',
    subject: 'S',
    body: '<p>B</p>',
    from: 'team@shop.test',
    type: 'TRANSACTIONAL',
    alias,
  });

describe('the alias of a template', () => {
  it('names it in every operation and filter', async () => {
    const alias = 'order-shipped.v2';
    const { id } = await create(alias);
    const named = { id: alias };
    expect((await getTemplate.run(project.ctx, named)).id).toBe(id);
    expect(await updateTemplate.run(project.ctx, { ...named, subject: 'Two' })).toMatchObject({ id, alias });
    expect((await listTemplateVersions.run(project.ctx, named)).total).toBe(2);
    expect(await getTemplateVersion.run(project.ctx, { ...named, version: 1 })).toMatchObject({
      subject: 'S',
    });
    expect(await restoreTemplateVersion.run(project.ctx, { ...named, version: 1 })).toMatchObject({
      id,
      subject: 'S',
    });
    expect(await duplicateTemplate.run(project.ctx, named)).toMatchObject({ alias: null, subject: 'S' });
    const { emails } = await sendEmail.runRaw(project.ctx, { to: 'ann@people.test', template: alias });
    const { data } = await listEmails.runRaw(project.ctx, { templateId: alias });
    expect(data).toMatchObject([{ id: emails[0]?.email, templateId: id }]);
    expect((await listLinks.runRaw(project.ctx, { templateId: alias })).data).toEqual([]);
    expect((await getTemplateUsage.run(project.ctx, named)).canDelete).toBe(true);
    await deleteTemplate.run(project.ctx, named);
    await expect(getTemplate.run(project.ctx, { id })).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
  });

  it('of another project, or of none, is unknown', async () => {
    await create('theirs', other);
    for (const id of ['theirs', 'nobodys']) {
      await expect(getTemplate.run(project.ctx, { id })).rejects.toMatchObject({
        code: 'TEMPLATE_NOT_FOUND',
      });
      await expect(
        sendEmail.runRaw(project.ctx, { to: 'ann@people.test', template: id }),
      ).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
      expect((await listEmails.runRaw(project.ctx, { templateId: id })).data).toEqual([]);
      expect((await listLinks.runRaw(project.ctx, { templateId: id })).data).toEqual([]);
    }
  });

  it('belongs to one template, also when several ask for it at once', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => create('wanted')));
    const made = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    expect(made).toHaveLength(1);
    for (const one of asked)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ code: 'CONFLICT', details: { templateId: made[0] } });
    expect((await create('wanted', other)).alias).toBe('wanted');
  });

  it('can be kept, moved and removed', async () => {
    const [one, two] = [await create('first'), await create(null)];
    expect(await updateTemplate.run(project.ctx, { id: one.id, alias: 'first' })).toMatchObject({
      alias: 'first',
    });
    await expect(updateTemplate.run(project.ctx, { id: two.id, alias: 'first' })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { templateId: one.id },
    });
    expect(await updateTemplate.run(project.ctx, { id: 'first', alias: null })).toMatchObject({
      alias: null,
    });
    expect(await updateTemplate.run(project.ctx, { id: two.id, alias: 'first' })).toMatchObject({
      alias: 'first',
    });
    expect((await listTemplateVersions.run(project.ctx, { id: two.id })).total).toBe(1);
  });

  it.each(['', '1st', 'Upper', 'a b', 'a/b', 'a'.repeat(101), 'abcdefab-0000-7000-8000-000000000000', 5])(
    '%j is no alias',
    async (alias) => {
      await expect(create(alias)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        errors: [{ field: 'alias' }],
      });
    },
  );

  it.each(['', 'Not one', '../x', 'a'.repeat(5_000)])('%j names no template', async (template) => {
    await expect(sendEmail.runRaw(project.ctx, { to: 'ann@people.test', template })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'template', code: 'invalid_string' }],
    });
  });
});
