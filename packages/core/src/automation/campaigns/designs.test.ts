import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { designDepth, designLimit } from '../../content/templates/contract.ts';
import {
  createTemplate,
  duplicateTemplate,
  getTemplate,
  getTemplateVersion,
  listTemplates,
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
import { createCampaign } from './create-campaign.ts';
import { duplicateCampaign } from './duplicate-campaign.ts';
import { getCampaign } from './get-campaign.ts';
import { listCampaigns } from './list-campaigns.ts';
import { updateCampaign } from './update-campaign.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});
afterAll(() => test.close());

const content = { subject: 'Hello', body: '<p>One</p>', from: 'team@shop.test' };
const design = { version: 1, content: { type: 'doc', content: [{ type: 'text', text: 'One' }] } };
const other = { version: 1, content: { type: 'doc', content: [] } };

describe('the design of a template', () => {
  const create = (fields: object = {}) =>
    createTemplate.runRaw(project.ctx, { name: 'Designed', ...content, design, ...fields });
  const update = (id: string, change: object) => updateTemplate.runRaw(project.ctx, { id, ...change });
  const stored = async (id: string) => (await getTemplate.run(project.ctx, { id })).design;

  it('is returned as it was given, with one template but not with a list', async () => {
    const { id, design: created } = await create();
    expect(created).toEqual(design);
    expect(await stored(id)).toEqual(design);
    const { data } = await listTemplates.run(project.ctx, {});
    expect(data.find((template) => template.id === id)).not.toHaveProperty('design');
    const html = await create({ design: undefined });
    expect(html).not.toHaveProperty('design');
  });

  it('is removed by a change of the body that does not give one, and stays with any other change', async () => {
    const { id } = await create();
    expect(await update(id, { subject: 'Other' })).toMatchObject({ subject: 'Other', design });
    expect(await update(id, { body: content.body })).toMatchObject({ design });
    expect(await update(id, { body: '<p>Two</p>', design: other })).toMatchObject({ design: other });
    expect(await update(id, { body: '<p>Three</p>' })).not.toHaveProperty('design');
    expect(await stored(id)).toBeUndefined();
  });

  it('is removed by null', async () => {
    const { id } = await create();
    const removed = await update(id, { design: null });
    expect(removed).toMatchObject({ body: content.body });
    expect(removed).not.toHaveProperty('design');
  });

  it('belongs to a version of the template, and is restored with it', async () => {
    const { id } = await create();
    await update(id, { body: '<p>Two</p>' });
    expect(await getTemplateVersion.run(project.ctx, { id, version: 1 })).toMatchObject({ design });
    await restoreTemplateVersion.run(project.ctx, { id, version: 1 });
    expect(await stored(id)).toEqual(design);
    await restoreTemplateVersion.run(project.ctx, { id, version: 2 });
    expect(await stored(id)).toBeUndefined();
  });

  it('is copied when the template is duplicated', async () => {
    const { id } = await create();
    expect(await duplicateTemplate.run(project.ctx, { id })).toMatchObject({ design });
  });

  it.each([
    ['is no object', ['doc'], 'invalid_type'],
    ['is longer than the limit', { text: 'x'.repeat(designLimit) }, 'too_big'],
    ['is nested deeper than the limit', nested(designDepth + 1), 'too_big'],
  ])('is refused when it %s', async (_, bad, code) => {
    await expect(create({ design: bad })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [expect.objectContaining({ field: 'design', code })],
    });
  });

  it('is accepted at the limit of nesting', async () => {
    expect(await create({ design: nested(designDepth) })).toMatchObject({ design: nested(designDepth) });
  });
});

describe('the design of a campaign', () => {
  const fields = { name: 'Designed', ...content, audienceType: 'ALL' };
  const create = (more: object = { design }) => createCampaign.runRaw(project.ctx, { ...fields, ...more });
  const replace = (id: string, more: object) =>
    updateCampaign.runRaw(project.ctx, { id, ...fields, ...more });
  const stored = async (id: string) => (await getCampaign.run(project.ctx, { id })).design;

  it('is returned as it was given, with one campaign but not with a list', async () => {
    const { id } = await create();
    expect(await stored(id)).toEqual(design);
    const { data } = await listCampaigns.run(project.ctx, {});
    expect(data.find((campaign) => campaign.id === id)).not.toHaveProperty('design');
  });

  it('is kept by a replacement with the same body, and removed by one with another body or by null', async () => {
    const { id } = await create();
    expect(await replace(id, { subject: 'Other' })).toMatchObject({ subject: 'Other', design });
    expect(await replace(id, { design: null })).not.toHaveProperty('design');
    expect(await replace(id, { design: other })).toMatchObject({ design: other });
    expect(await replace(id, { body: '<p>Two</p>' })).not.toHaveProperty('design');
    expect(await stored(id)).toBeUndefined();
  });

  it('is copied from the template with its body, and when the campaign is duplicated', async () => {
    const { id: templateId } = await createTemplate.runRaw(project.ctx, { name: 'T', ...content, design });
    const copied = await create({ templateId });
    expect(copied).toMatchObject({ design });
    expect(await create({ templateId, body: '<p>Mine</p>' })).not.toHaveProperty('design');
    expect(await duplicateCampaign.run(project.ctx, { id: copied.id })).toMatchObject({ design });
  });
});

/** An object with this many levels of nesting. */
function nested(levels: number): object {
  let value = {};
  for (let level = 1; level < levels; level += 1) value = { child: value };
  return value;
}
