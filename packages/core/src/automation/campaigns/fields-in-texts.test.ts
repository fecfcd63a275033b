import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteContactField, getContactFieldUsage } from '../../audience/contacts/index.ts';
import { createTemplate, readUnreadTemplates, updateTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { addStep, createWorkflow, duplicateWorkflow, readUnreadSteps } from '../workflows/index.ts';
import { cancelCampaign, createCampaign, readUnreadCampaigns } from './index.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, `${project.id}.example.com`);
});

const email = () => ({
  name: 'N',
  subject: 'Hi {{nick}}',
  body: '<p>{% if data.plan == "pro" %}{{ city | upcase }}{% endif %}</p>',
  from: `hello@${project.id}.example.com`,
});
const usage = (field: string) => getContactFieldUsage.run(project.ctx, { field });
const remove = (field: string) => deleteContactField.run(project.ctx, { field });
const webhook = (body: object) => ({ url: 'https://a.test/{{ account }}', body });

describe('a field that a text names is in use', () => {
  it.each(['nick', 'plan', 'city'])('by a template: %s, also without the prefix data', async (field) => {
    const { id } = await createTemplate.run(project.ctx, email());
    expect(await usage(field)).toMatchObject({ usedInTemplates: [{ id, name: 'N' }], canDelete: false });
    await expect(remove(field)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { templates: [{ id, name: 'N' }] },
    });
    expect(await usage('other')).toMatchObject({ usedInTemplates: [], canDelete: true });
  });

  it('as long as the template names it, whichever part is changed', async () => {
    const { id } = await createTemplate.run(project.ctx, email());
    await updateTemplate.run(project.ctx, { id, subject: 'Hi {{ first_name }}' });
    expect((await usage('nick')).canDelete).toBe(true);
    expect((await usage('first_name')).canDelete).toBe(false);
    expect((await usage('city')).canDelete).toBe(false);
    await updateTemplate.run(project.ctx, { id, body: '<p>Hello</p>' });
    expect((await usage('city')).canDelete).toBe(true);
    expect((await usage('first_name')).canDelete).toBe(false);
    expect(await remove('city')).toEqual({ deletedFrom: 0 });
  });

  it('by the content of a campaign until it is over', async () => {
    const { id } = await createCampaign.run(project.ctx, { ...email(), audienceType: 'ALL' });
    expect((await usage('nick')).usedInCampaigns).toMatchObject([{ id, name: 'N' }]);
    await test.services.database.prisma.campaign.update({ where: { id }, data: { status: 'SENDING' } });
    await cancelCampaign.run(project.ctx, { id });
    expect((await usage('nick')).canDelete).toBe(true);
  });

  it('by the texts of a workflow step, and by those of its copy', async () => {
    const { id, name } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
    await addStep.run(project.ctx, {
      id,
      type: 'WEBHOOK',
      name: 'Tell',
      position: { x: 0, y: 0 },
      config: webhook({ to: ['{{ nick }}'] }),
    });
    const copy = await duplicateWorkflow.run(project.ctx, { id });
    for (const field of ['nick', 'account'])
      expect((await usage(field)).usedInWorkflows).toEqual([
        { id, name },
        { id: copy.id, name: copy.name },
      ]);
  });

  it('in what an earlier version stored, once it is read; until then no field is deleted', async () => {
    const { prisma, durable } = test.services.database;
    const template = await createTemplate.run(project.ctx, email());
    const campaign = await createCampaign.run(project.ctx, { ...email(), audienceType: 'ALL' });
    const workflow = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
    await addStep.run(project.ctx, {
      id: workflow.id,
      type: 'WEBHOOK',
      name: 'Tell',
      position: { x: 0, y: 0 },
      config: webhook({ nick: '{{ nick }}' }),
    });
    for (const table of ['Template', 'Campaign', 'WorkflowStep'])
      await durable.query(`UPDATE "${table}" SET "textReads" = NULL WHERE "projectId" = $1`, [project.id]);
    await expect(remove('other')).rejects.toMatchObject({ code: 'CONFLICT' });
    const before = await prisma.template.findUniqueOrThrow({ where: { id: template.id } });
    const soon = performance.now() + 60_000;
    for (const read of [readUnreadTemplates, readUnreadCampaigns, readUnreadSteps])
      expect(await read(test.services, soon)).toBeGreaterThan(0);
    expect(await usage('nick')).toMatchObject({
      usedInTemplates: [{ id: template.id }],
      usedInCampaigns: [{ id: campaign.id }],
      usedInWorkflows: [{ id: workflow.id }],
    });
    expect(await remove('other')).toEqual({ deletedFrom: 0 });
    const after = await prisma.template.findUniqueOrThrow({ where: { id: template.id } });
    expect(after.updatedAt).toEqual(before.updatedAt);
    for (const read of [readUnreadTemplates, readUnreadCampaigns, readUnreadSteps])
      expect(await read(test.services, soon)).toBe(0);
  });

  it('is no field of another project', async () => {
    await createTemplate.run(project.ctx, email());
    const other = await createTestProject(test.services);
    expect(await getContactFieldUsage.run(other.ctx, { field: 'nick' })).toMatchObject({
      usedInTemplates: [],
      canDelete: true,
    });
  });
});
