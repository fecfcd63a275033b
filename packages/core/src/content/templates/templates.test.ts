import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { createTemplate } from './create-template.ts';
import { deleteTemplate } from './delete-template.ts';
import { duplicateTemplate } from './duplicate-template.ts';
import { getTemplate } from './get-template.ts';
import { getTemplateUsage } from './get-template-usage.ts';
import { listTemplates } from './list-templates.ts';
import { nameOfCopy } from './templates.rules.ts';
import { updateTemplate } from './update-template.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});

const valid = {
  name: 'Welcome',
  subject: 'Hello {{name}}',
  body: '<p>Hi {{name ?? there}}</p>',
  from: 'team@shop.test',
};
const create = (input: object) => createTemplate.runRaw(project.ctx, input);
const list = (query: object = {}) => listTemplates.run(project.ctx, query);
const count = () => test.services.database.prisma.template.count({ where: { projectId: project.id } });

describe('creating', () => {
  it('stores the given fields, and null or the default for the rest', async () => {
    const template = await create({ ...valid, name: '  Welcome ', description: null });
    expect(template).toMatchObject({
      ...valid,
      description: null,
      fromName: null,
      replyTo: null,
      type: 'MARKETING',
      projectId: project.id,
    });
    expect(await getTemplate.run(project.ctx, { id: template.id })).toEqual(template);
    const full = {
      description: 'note',
      preheader: 'News for {{name}}',
      fromName: 'Shop',
      replyTo: 'Help@Shop.test',
      type: 'HEADLESS',
    };
    expect(await create({ ...valid, ...full })).toMatchObject({ ...full, replyTo: 'help@shop.test' });
  });

  it('stores the content of the template as its first version', async () => {
    const { id } = await create(valid);
    const versions = await test.services.database.prisma.templateVersion.findMany({
      where: { templateId: id },
    });
    expect(versions).toEqual([
      expect.objectContaining({
        projectId: project.id,
        number: 1,
        subject: valid.subject,
        body: valid.body,
      }),
    ]);
  });
});

describe('a syntax error', () => {
  it.each([
    ['body', '<p>\n  {% if name %}\n</p>', 2, 3],
    ['body', 'one\ntwo {{ name | no_such_filter }}', 2, 5],
    ['body', '{% include "x" %}', 1, 1],
    ['subject', 'Hi {% for %}', 1, 4],
  ])('in the %s is refused with its place: %j', async (field, source, line, column) => {
    await expect(create({ ...valid, [field]: source })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'Request validation failed',
      errors: [{ field, code: 'template_syntax', message: expect.any(String) }],
      details: { field, line, column },
    });
    expect(await count()).toBe(0);
  });

  it('in both parts names both', async () => {
    await expect(create({ ...valid, subject: '{% if %}', body: '{% if %}' })).rejects.toMatchObject({
      errors: [{ field: 'subject' }, { field: 'body' }],
      details: { field: 'subject' },
    });
  });
});

describe('an invalid field', () => {
  it.each([
    [{ name: ' ' }, 'name', 'required'],
    [{ name: 'x'.repeat(101) }, 'name', 'too_big'],
    [{ description: 'x'.repeat(501) }, 'description', 'too_big'],
    [{ subject: '' }, 'subject', 'required'],
    [{ subject: 'x'.repeat(999) }, 'subject', 'too_big'],
    [{ subject: 'a\nb' }, 'subject', 'custom'],
    [{ subject: 'a\n' }, 'subject', 'custom'],
    [{ body: null }, 'body', 'required'],
    [{ body: 5 }, 'body', 'invalid_type'],
    [{ body: 'x'.repeat(2_000_001) }, 'body', 'too_big'],
    [{ from: 'nobody' }, 'from', 'invalid_string'],
    [{ replyTo: 'nobody' }, 'replyTo', 'invalid_string'],
    [{ preheader: 'a\nb' }, 'preheader', 'custom'],
    [{ preheader: 'x'.repeat(201) }, 'preheader', 'too_big'],
    [{ fromName: 'x'.repeat(101) }, 'fromName', 'too_big'],
    [{ type: 'NEWS' }, 'type', 'invalid_enum_value'],
  ])('%#: %s', async (change, field, code) => {
    await expect(create({ ...valid, ...change })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field, code }],
    });
    expect(await count()).toBe(0);
  });
});

describe('a sender whose domain is not verified for the project', () => {
  it('is refused with the domain named, sub-domains and other projects included', async () => {
    const other = await createTestProject(test.services);
    await verifiedDomain(test.services, other.id, 'theirs.test');
    for (const domain of ['other.test', 'sub.shop.test', 'theirs.test']) {
      await expect(create({ ...valid, from: `a@${domain}` })).rejects.toMatchObject({
        code: 'INTERNAL_SERVER_ERROR',
        kind: 'forbidden',
        message: expect.stringContaining(domain),
      });
    }
    expect(await count()).toBe(0);
  });
});

describe('listing', () => {
  it('pages newest first, with the totals', async () => {
    for (const name of ['one', 'two', 'three']) await create({ ...valid, name });
    const first = await list({ pageSize: 2 });
    expect(first).toMatchObject({ page: 1, pageSize: 2, total: 3, totalPages: 2 });
    expect(first.data.map(({ name }) => name)).toEqual(['three', 'two']);
    expect((await list({ pageSize: 2, page: '2' })).data.map(({ name }) => name)).toEqual(['one']);
    expect(await list({ page: 9 })).toMatchObject({ data: [], total: 3, totalPages: 1 });
  });

  it('is empty with no pages for a project without templates', async () => {
    expect(await list()).toEqual({ data: [], page: 1, pageSize: 20, total: 0, totalPages: 0 });
  });

  it('sorts by known fields and falls back for others', async () => {
    for (const name of ['b', 'c', 'a']) await create({ ...valid, name });
    const names = async (query: object) => (await list(query)).data.map(({ name }) => name).join('');
    expect(await names({ sort: 'name', dir: 'asc' })).toBe('abc');
    expect(await names({ sort: 'name' })).toBe('cba');
    expect(await names({ sort: 'body', dir: 'sideways' })).toBe('acb');
  });

  it('searches name, description and subject in any case, literally', async () => {
    await create({ ...valid, name: 'Spring SALE', subject: 'x' });
    await create({ ...valid, name: 'n1', description: 'for the sale', subject: 'y' });
    await create({ ...valid, name: 'n2', subject: '50% on sale' });
    await create({ ...valid, name: 'n3', subject: 'z', body: 'sale' });
    const found = async (search: string) =>
      (await list({ search, sort: 'name', dir: 'asc' })).data.map(({ name }) => name);
    expect((await found('sAlE')).sort()).toEqual(['Spring SALE', 'n1', 'n2']);
    expect(await found('50%')).toEqual(['n2']);
    expect(await found('%')).toEqual(['n2']);
    expect(await found('_')).toEqual([]);
  });

  it('filters by type and refuses an unknown one', async () => {
    await create({ ...valid, name: 'm' });
    await create({ ...valid, name: 't', type: 'TRANSACTIONAL' });
    expect((await list({ type: 'TRANSACTIONAL' })).data.map(({ name }) => name)).toEqual(['t']);
    await expect(list({ type: 'OTHER' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('another project', () => {
  it('neither gets nor lists the template', async () => {
    const { id } = await create(valid);
    const other = await createTestProject(test.services);
    await expect(getTemplate.run(other.ctx, { id })).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    await expect(getTemplate.run(project.ctx, { id: newId() })).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_FOUND',
    });
    expect((await listTemplates.run(other.ctx, {})).total).toBe(0);
  });
});

describe('changing', () => {
  it('changes only the given fields; null clears, and an empty change changes nothing', async () => {
    const before = await create({ ...valid, description: 'note', fromName: 'Shop' });
    expect(await updateTemplate.run(project.ctx, { id: before.id })).toEqual(before);
    const after = await updateTemplate.run(project.ctx, {
      id: before.id,
      subject: 'New {{name}}',
      description: null,
      name: null,
    });
    expect(after).toEqual({
      ...before,
      subject: 'New {{name}}',
      description: null,
      updatedAt: expect.any(String),
    });
    const versions = await test.services.database.prisma.templateVersion.count({
      where: { templateId: before.id },
    });
    expect(versions).toBe(2);
  });

  it.each([
    [{ name: ' ' }, { code: 'VALIDATION_ERROR', errors: [{ field: 'name', code: 'required' }] }],
    [{ subject: 'a\nb' }, { code: 'VALIDATION_ERROR', errors: [{ field: 'subject', code: 'custom' }] }],
    [
      { body: 'one\n{% include "x" %}' },
      {
        code: 'VALIDATION_ERROR',
        errors: [{ field: 'body', code: 'template_syntax' }],
        details: { field: 'body', line: 2, column: 1 },
      },
    ],
    [{ from: 'a@other.test' }, { code: 'INTERNAL_SERVER_ERROR', kind: 'forbidden' }],
  ])('%j is refused and changes nothing', async (change, error) => {
    const before = await create(valid);
    await expect(updateTemplate.run(project.ctx, { id: before.id, ...change })).rejects.toMatchObject(error);
    expect(await getTemplate.run(project.ctx, { id: before.id })).toEqual(before);
  });
});

describe('a copy', () => {
  it('has the same content and a name within the limit', async () => {
    const original = await create({
      ...valid,
      replyTo: 'help@shop.test',
      preheader: 'News',
      type: 'HEADLESS',
    });
    const { id, name, createdAt, updatedAt, ...same } = await duplicateTemplate.run(project.ctx, {
      id: original.id,
    });
    expect(original).toMatchObject(same);
    expect(name).toBe('Welcome (Copy)');
    expect(id).not.toBe(original.id);
    expect(nameOfCopy('x'.repeat(100), 100)).toBe(`${'x'.repeat(93)} (Copy)`);
    expect(nameOfCopy(`${'x'.repeat(92)}😀${'x'.repeat(6)}`, 100)).toBe(`${'x'.repeat(92)} (Copy)`);
  });
});

describe('usage and deletion', () => {
  const usedBy = async (templateId: string) => {
    const { prisma } = test.services.database;
    const campaign = await prisma.campaign.create({
      data: { id: newId(), projectId: project.id, ...valid, audienceType: 'ALL', templateId },
    });
    const workflow = await prisma.workflow.create({
      data: { id: newId(), projectId: project.id, name: 'Greeting' },
    });
    const step = await prisma.workflowStep.create({
      data: {
        id: newId(),
        projectId: project.id,
        workflowId: workflow.id,
        type: 'SEND_EMAIL',
        name: 'Mail',
        templateId,
      },
    });
    return { campaign, workflow, step };
  };

  it('lists campaigns and steps; a step prevents deleting the template', async () => {
    const { id } = await create(valid);
    const { campaign, workflow, step } = await usedBy(id);
    const steps = [{ workflowId: workflow.id, workflowName: 'Greeting', stepId: step.id, stepName: 'Mail' }];
    expect(await getTemplateUsage.run(project.ctx, { id })).toEqual({
      campaigns: [{ id: campaign.id, name: campaign.name, status: 'DRAFT' }],
      workflowSteps: steps,
      emailsSent: 0,
      canDelete: false,
    });
    await expect(deleteTemplate.run(project.ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await count()).toBe(1);
  });

  it('deleting leaves campaigns unchanged except for their template id', async () => {
    const { id } = await create(valid);
    const { campaign, workflow } = await usedBy(id);
    await test.services.database.prisma.workflow.delete({ where: { id: workflow.id } });
    await deleteTemplate.run(project.ctx, { id });
    expect(
      await test.services.database.prisma.campaign.findUniqueOrThrow({ where: { id: campaign.id } }),
    ).toEqual({
      ...campaign,
      templateId: null,
    });
    await expect(deleteTemplate.run(project.ctx, { id })).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_FOUND',
    });
  });

  it.each([updateTemplate, deleteTemplate, duplicateTemplate, getTemplateUsage])(
    '$name knows no template of another project',
    async (operation) => {
      const { id } = await create(valid);
      const other = await createTestProject(test.services);
      await expect(operation.run(other.ctx, { id })).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
      expect(await count()).toBe(1);
    },
  );
});
