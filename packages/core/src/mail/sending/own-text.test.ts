import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCampaign, duplicateCampaign } from '../../automation/campaigns/index.ts';
import {
  createTemplate,
  duplicateTemplate,
  getTemplateVersion,
  restoreTemplateVersion,
  updateTemplate,
} from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { getEmail } from './get-email.ts';
import { previewContent } from './preview-content.ts';
import { previewEmail } from './preview-email.ts';
import { sendEmail } from './send-email.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});
afterAll(() => test.close());

const from = 'team@shop.test';
const to = { email: 'ann@people.test', name: 'A & B' };

const send = async (body: object) => {
  const { emails } = await sendEmail.runRaw(project.ctx, { to, ...body });
  return emails[0]?.email ?? '';
};
const preview = async (body: object) => previewEmail.run(project.ctx, { id: await send(body) });
const create = (more: object = {}) =>
  createTemplate.runRaw(project.ctx, {
    name: 'T',
    subject: 'S',
    body: '<p>Template {{name}}</p>',
    text: 'Template text {{name}}',
    from,
    type: 'TRANSACTIONAL',
    ...more,
  });

describe('the text of a send', () => {
  it('is the plain-text part, beside a body or alone', async () => {
    const texts = { subject: 'S', from, text: 'Dear {{name}}' };
    expect(await preview({ ...texts, body: '<p>Dear {{name}}</p>' })).toMatchObject({
      html: expect.stringContaining('A &amp; B'),
      text: 'Dear A & B',
    });
    expect(await preview(texts)).toEqual({ subject: 'S', html: null, text: 'Dear A & B' });
  });

  it('is that of the template where neither body nor text is given', async () => {
    const { id: template } = await create();
    expect(await preview({ template })).toMatchObject({ text: 'Template text A & B' });
    expect(await preview({ template, text: 'Own' })).toMatchObject({
      html: expect.stringContaining('Template'),
      text: 'Own',
    });
    expect(await preview({ template, body: '<p>Body</p>' })).toMatchObject({ text: 'Body\n' });
  });

  it.each([
    [{}, 'body', 'required'],
    [{ text: '' }, 'text', 'too_small'],
    [{ text: 'a'.repeat(2_000_001) }, 'text', 'too_big'],
    [{ text: '{% if %}' }, 'text', 'template_syntax'],
    [{ text: 5 }, 'text', 'invalid_type'],
  ])('%j is refused at %s', async (given, field, code) => {
    await expect(send({ subject: 'S', from, ...given })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field, code }],
    });
  });
});

describe('literal content', () => {
  it('keeps its braces in subject, body and text', async () => {
    const id = await send({
      subject: '{{name}} {% if',
      body: '<p>{{name}}</p>',
      text: '{%',
      from,
      literal: true,
    });
    expect((await getEmail.run(project.ctx, { id })).subject).toBe('{{name}} {% if');
    expect(await previewEmail.run(project.ctx, { id })).toMatchObject({
      subject: '{{name}} {% if',
      html: expect.stringContaining('{{name}}'),
      text: '{%',
    });
  });

  it('shares no content with the same texts as templates', async () => {
    const texts = { subject: 'S', body: '<p>{{name}}</p>', from };
    expect(await preview({ ...texts, literal: true })).toMatchObject({ text: '{{name}}\n' });
    expect(await preview(texts)).toMatchObject({ text: 'A & B\n' });
  });

  it('has no template', async () => {
    const { id: template } = await create();
    await expect(send({ template, literal: true })).rejects.toMatchObject({
      errors: [{ field: 'literal', code: 'custom' }],
    });
  });
});

describe('the text of a template', () => {
  it('is kept when only the body changes, removed by null, and belongs to a version', async () => {
    const { id } = await create();
    expect(await updateTemplate.run(project.ctx, { id, body: '<p>B</p>' })).toMatchObject({
      text: 'Template text {{name}}',
    });
    expect(await updateTemplate.run(project.ctx, { id, text: null })).toMatchObject({ text: null });
    expect(await getTemplateVersion.run(project.ctx, { id, version: 2 })).toMatchObject({
      body: '<p>B</p>',
      text: 'Template text {{name}}',
    });
    expect(await restoreTemplateVersion.run(project.ctx, { id, version: 1 })).toMatchObject({
      text: 'Template text {{name}}',
    });
  });

  it('is copied with it, as that of a campaign is', async () => {
    const { id } = await create();
    expect(await duplicateTemplate.run(project.ctx, { id })).toMatchObject({
      text: 'Template text {{name}}',
    });
    const campaign = await createCampaign.run(project.ctx, {
      name: 'C',
      subject: 'S',
      body: 'B',
      text: 'Text {{name}}',
      from,
      audienceType: 'ALL',
    });
    expect(campaign.text).toBe('Text {{name}}');
    expect(await duplicateCampaign.run(project.ctx, { id: campaign.id })).toMatchObject({
      text: 'Text {{name}}',
    });
  });

  it('counts as storage', async () => {
    const { prisma } = test.services.database;
    const bytesOf = async (text: string | null) => {
      const { id } = await create({ text });
      const [row] = await prisma.$queryRaw<{ bytes: number }[]>`
        SELECT "storedBytes"::int AS "bytes" FROM "Template" WHERE "id" = ${id}::uuid`;
      return row?.bytes ?? 0;
    };
    expect((await bytesOf('ä'.repeat(100))) - (await bytesOf(null))).toBe(200);
  });

  it('is previewed before it is stored', async () => {
    const unsaved = { subject: 'S', body: '', text: 'Hi {{email}}', type: 'TRANSACTIONAL' as const };
    expect(await previewContent.run(project.ctx, unsaved)).toMatchObject({
      html: '',
      text: 'Hi reader@example.com',
    });
  });
});
