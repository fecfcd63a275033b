import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../testing/index.ts';
import { createTemplate } from './create-template.ts';
import { getTemplate } from './get-template.ts';
import { listTemplates } from './list-templates.ts';

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
const create = (input: object) => createTemplate.run(project.ctx, input);
const list = (query: object = {}) => listTemplates.run(project.ctx, query);
const count = () => test.services.database.prisma.template.count({ where: { projectId: project.id } });

describe('creating', () => {
  it('stores what was given, and null or the default for the rest', async () => {
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
    const full = { description: 'note', fromName: 'Shop', replyTo: 'Help@Shop.test', type: 'HEADLESS' };
    expect(await create({ ...valid, ...full })).toMatchObject({ ...full, replyTo: 'help@shop.test' });
  });

  it('remembers what the template says as its first version', async () => {
    const { id } = await create(valid);
    const versions = await test.services.database.prisma.templateVersion.findMany({
      where: { templateId: id },
    });
    expect(versions).toEqual([
      expect.objectContaining({ projectId: project.id, subject: valid.subject, body: valid.body }),
    ]);
    const row = await test.services.database.prisma.template.findFirstOrThrow({ where: { id } });
    expect(versions[0]?.version).toEqual(row.version);
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

describe('a field that is refused', () => {
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

  it('sorts by what is known and falls back for the rest', async () => {
    for (const name of ['b', 'c', 'a']) await create({ ...valid, name });
    const names = async (query: object) => (await list(query)).data.map(({ name }) => name).join('');
    expect(await names({ sort: 'name', dir: 'asc' })).toBe('abc');
    expect(await names({ sort: 'name' })).toBe('cba');
    expect(await names({ sort: 'body', dir: 'sideways' })).toBe('acb');
  });

  it('searches name, description and subject in any case, signs standing for themselves', async () => {
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
