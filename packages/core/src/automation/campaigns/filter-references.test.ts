import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSegment, deleteSegment } from '../../audience/segments/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTestProject, createTestServices, type TestServices } from '../../testing/index.ts';
import { deleteCampaign } from './delete-campaign.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
}, 120_000);
afterAll(() => test.close());

const received = (id: string) => ({
  logic: 'AND' as const,
  groups: [
    {
      filters: [
        {
          field: 'email.sent',
          operator: 'occurred',
          where: [{ property: 'campaignId', operator: 'isAnyOf', value: [id.toUpperCase()] }],
        },
      ],
    },
  ],
});

const campaignOf = async (projectId: string): Promise<string> => {
  const id = newId();
  await test.services.database.prisma.campaign.create({
    data: { ...{ id, projectId, name: 'Spring', subject: '', body: '', from: '' }, audienceType: 'ALL' },
  });
  return id;
};

it('keeps a campaign that a segment refers to, and names the segment', async () => {
  const project = await createTestProject(test.services);
  const id = await campaignOf(project.id);
  const segment = await createSegment.run(project.ctx, { name: 'Got it', condition: received(id) });
  await expect(deleteCampaign.run(project.ctx, { id })).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { usedBy: { segments: [{ id: segment.id, name: 'Got it' }] } },
  });
  await deleteSegment.run(project.ctx, { id: segment.id });
  await deleteCampaign.run(project.ctx, { id });
});

it('refuses a campaign of another project', async () => {
  const [project, other] = [await createTestProject(test.services), await createTestProject(test.services)];
  const id = await campaignOf(other.id);
  const input = { name: 'Got it', condition: received(id) };
  await expect(createSegment.run(project.ctx, input)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    errors: [{ field: 'condition.groups.0.filters.0.where.0.value.0', code: 'unknown_reference' }],
  });
});
