import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { newId } from '../lib/index.ts';
import { findReferences, findTemplateReferences } from './index.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;
const segment = (projectId: string, name: string, reads: string[]) =>
  prisma().segment.create({ data: { id: newId(), projectId, name, slug: name, reads } });
const campaign = (projectId: string, status: 'DRAFT' | 'SCHEDULED' | 'SENDING' | 'SENT' | 'CANCELLED') =>
  prisma().campaign.create({
    data: {
      id: newId(),
      projectId,
      name: status,
      subject: '',
      body: '',
      from: '',
      status,
      audienceType: 'FILTERED',
      reads: ['data.plan'],
    },
  });
const workflow = (name: string, reads: string[], stepReads: string[][], templateId?: string) =>
  prisma().workflow.create({
    data: {
      id: newId(),
      projectId: project.id,
      name,
      reads,
      steps: {
        create: stepReads.map((each, index) => ({
          id: newId(),
          type: 'CONDITION',
          name: `step ${index}`,
          reads: each,
          templateId,
        })),
      },
    },
  });

describe('a reference', () => {
  it('is found in segments, open campaigns, triggers and steps of its project, each once', async () => {
    const other = await createTestProject(test.services);
    await segment(project.id, 'reads it', ['data.plan', 'subscribed']);
    await segment(project.id, 'reads its neighbour', ['data.planned', 'data.pla']);
    await segment(other.id, 'of somebody else', ['data.plan']);
    for (const status of ['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED'] as const)
      await campaign(project.id, status);
    await workflow('by step', [], [['data.plan'], ['data.plan']]);
    await workflow('by trigger', ['data.plan'], []);
    await workflow('not at all', ['event.plan'], [['data.other']]);
    const found = await findReferences(prisma(), project.id, ['data.plan']);
    expect(found.segments.map(({ name }) => name)).toEqual(['reads it']);
    expect(found.campaigns.map(({ status }) => status)).toEqual(['DRAFT', 'SCHEDULED', 'SENDING']);
    expect(found.workflows.map(({ name }) => name)).toEqual(['by step', 'by trigger']);
    expect(await findReferences(prisma(), project.id, ['data.nobody'])).toEqual({
      templates: [],
      segments: [],
      campaigns: [],
      workflows: [],
      goals: [],
    });
  });

  it('to a template lists the steps that send it', async () => {
    const templateId = newId();
    const { id } = await workflow('sends', [], [[]], templateId);
    const found = (await findTemplateReferences(prisma(), project.id, [templateId]))(templateId);
    expect(found.workflowSteps).toEqual([
      { workflowId: id, workflowName: 'sends', stepId: expect.any(String), stepName: 'step 0' },
    ]);
    expect(found.campaigns).toEqual([]);
  });
});
