import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteSegment } from '../../audience/segments/index.ts';
import { createTopic, deleteTopic } from '../../audience/topics/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { addStep } from './add-step.ts';
import { createWorkflow } from './create-workflow.ts';
import { deleteStep } from './delete-step.ts';
import { getWorkflow } from './get-workflow.ts';
import { replaceGraph } from './replace-graph.ts';
import { updateStep } from './update-step.ts';
import { updateWorkflow } from './update-workflow.ts';
import { previewPublish } from './versions/index.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const tree = (...filters: object[]) => ({ logic: 'AND', groups: [{ filters }] });
const at = 'config.condition.groups.0.filters.0';
const position = { x: 0, y: 0 };

async function begin(): Promise<string> {
  const { id } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
  return id;
}
const add = (
  id: string,
  type: 'CONDITION' | 'WEBHOOK' | 'SEND_EMAIL' | 'WAIT_FOR_EVENT' | 'EXIT',
  name: string,
  config: object,
) => addStep.run(project.ctx, { id, type, name, position, config: config as Record<string, unknown> });
const ask = (id: string, ...filters: object[]) =>
  add(id, 'CONDITION', 'Ask', { condition: tree(...filters) });
const refused = (...errors: object[]) =>
  expect.objectContaining({
    code: 'VALIDATION_ERROR',
    errors: errors.map((each) => expect.objectContaining(each)),
  });

describe('the tree of a condition', () => {
  it('is stored as given, in both forms', async () => {
    const id = await begin();
    await add(id, 'WEBHOOK', 'CRM', { url: 'https://crm.test/' });
    const { config } = await ask(id, { field: 'step.crm.response.tier', operator: 'equals', value: 'gold' });
    expect(config).toEqual({
      condition: tree({ field: 'step.crm.response.tier', operator: 'equals', value: 'gold' }),
    });
    const branches = [
      { id: 'a', name: 'A', condition: tree({ field: 'context.total', operator: 'greaterThan', value: 5 }) },
    ];
    const several = await add(id, 'CONDITION', 'Which', { mode: 'multi', branches });
    expect(several.config).toEqual({ mode: 'multi', branches });
  });

  it('names only steps that are before it', async () => {
    const id = await begin();
    await add(id, 'SEND_EMAIL', 'Hello', {});
    const { id: askId } = await ask(id, { field: 'step.hello.opened', operator: 'occurred' });
    await add(id, 'EXIT', 'End', {});
    for (const key of ['gone', 'ask', 'end'])
      await expect(
        updateStep.run(project.ctx, {
          id,
          stepId: askId,
          config: { condition: tree({ field: `step.${key}.x`, operator: 'exists' }) },
        }),
      ).rejects.toEqual(refused({ field: `${at}.field`, code: 'unknown_reference' }));
    const ofOutput = { condition: tree({ field: 'step.trigger.sent', operator: 'occurred' }) };
    await expect(updateStep.run(project.ctx, { id, stepId: askId, config: ofOutput })).rejects.toEqual(
      refused({ field: `${at}.operator`, code: 'unsupported_operator' }),
    );
  });

  it('names topics of its project, also as a field, and keeps them from being deleted', async () => {
    const id = await begin();
    const topic = await createTopic.run(project.ctx, { key: 'news', name: { en: 'News' }, default: 'OUT' });
    const asField = (key: string) =>
      add(id, 'CONDITION', 'Ask', { field: `contact.topics.${key}`, operator: 'equals', value: true });
    await expect(asField('gone')).rejects.toEqual(refused({ field: 'config.field', code: 'unknown_topic' }));
    await expect(ask(id, { field: 'topic.gone', operator: 'equals', value: true })).rejects.toEqual(
      refused({ field: `${at}.field`, code: 'unknown_topic' }),
    );
    const { id: stepId } = await asField('news');
    await expect(deleteTopic.run(project.ctx, { id: topic.id })).rejects.toMatchObject({
      details: { usedBy: { workflows: [{ id }] } },
    });
    await deleteStep.run(project.ctx, { id, stepId });
    await ask(id, { field: 'topic.news', operator: 'equals', value: true });
    await expect(deleteTopic.run(project.ctx, { id: topic.id })).rejects.toMatchObject({
      details: { usedBy: { workflows: [{ id }] } },
    });
  });

  it('names segments and records of its project, and keeps them from being deleted', async () => {
    const other = await createTestProject(test.services);
    const segment = (projectId: string) =>
      test.services.database.prisma.segment.create({
        data: { id: newId(), projectId, name: 'S', slug: 's' },
      });
    const id = await begin();
    const foreign = await segment(other.id);
    await expect(ask(id, { field: `segment.${foreign.id}`, operator: 'memberOfSegment' })).rejects.toEqual(
      refused({ field: `${at}.field`, code: 'unknown_segment' }),
    );
    const where = [{ property: 'campaignId', operator: 'equals', value: newId() }];
    await expect(
      add(id, 'CONDITION', 'Ask', {
        mode: 'multi',
        branches: [
          { id: 'a', name: 'A', condition: tree({ field: 'subscribed', operator: 'equals', value: true }) },
          { id: 'b', name: 'B', condition: tree({ field: 'email.sent', operator: 'occurred', where }) },
        ],
      }),
    ).rejects.toEqual(
      refused({
        field: 'config.branches.1.condition.groups.0.filters.0.where.0.value',
        code: 'unknown_reference',
      }),
    );
    const own = await segment(project.id);
    await ask(id, { field: `segment.${own.id}`, operator: 'memberOfSegment' });
    await expect(deleteSegment.run(project.ctx, { id: own.id })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { usedBy: { workflows: [{ id, name: 'W' }] } },
    });
  });

  it.each([
    [{ condition: null }, 'config.condition', 'required'],
    [{ condition: tree({ field: 'step.a', operator: 'exists' }) }, `${at}.field`, 'unsupported_field'],
    [{ condition: tree({ field: 'context.', operator: 'exists' }) }, `${at}.field`, 'unsupported_field'],
    [
      { condition: tree({ field: 'context.a', operator: 'occurred' }) },
      `${at}.operator`,
      'unsupported_operator',
    ],
    [
      { condition: tree({ field: 'context.a', operator: 'equals', valeu: 1, value: 1 }) },
      `${at}.valeu`,
      'unsupported_field',
    ],
    [
      { condition: tree({ field: 'email', operator: 'exists' }), field: 'data.a' },
      `${at}.operator`,
      'unsupported_operator',
    ],
  ])('%j is refused at %s', async (config, field, code) => {
    const id = await begin();
    await expect(add(id, 'CONDITION', 'Ask', config)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: expect.arrayContaining([expect.objectContaining({ field, code })]),
    });
  });

  it('is checked again when a step before it goes: at once in a live workflow, by the preview in a draft', async () => {
    const id = await begin();
    const { id: crm } = await add(id, 'WEBHOOK', 'CRM', { url: 'https://crm.test/' });
    await ask(id, { field: 'step.crm.statusCode', operator: 'equals', value: 200 });
    await updateWorkflow.run(project.ctx, { id, enabled: true });
    const field = `steps.ask.${at}.field`;
    await expect(deleteStep.run(project.ctx, { id, stepId: crm, splice: true })).rejects.toEqual(
      refused({ field, code: 'unknown_reference' }),
    );
    await deleteStep.run(project.ctx, { id, stepId: crm, splice: true, publish: false });
    const { problems } = await previewPublish.run(project.ctx, { id });
    expect(problems).toEqual([expect.objectContaining({ field, code: 'unknown_reference' })]);
  });

  it('in a whole graph is named by the place of its step', async () => {
    const id = await begin();
    const { steps } = await getWorkflow.run(project.ctx, { id });
    const [start] = steps;
    if (!start) throw new Error('no trigger');
    const graph = [
      { id: start.id, type: 'TRIGGER' as const, name: 'x', position, config: {} },
      {
        ...{ id: newId(), type: 'CONDITION' as const, name: 'Ask', position },
        config: { condition: tree({ field: 'step.gone.x', operator: 'exists' }) },
      },
    ];
    await expect(replaceGraph.run(project.ctx, { id, steps: graph, transitions: [] })).rejects.toEqual(
      refused({ field: `steps.1.${at}.field`, code: 'unknown_reference' }),
    );
  });
});

describe('a wait', () => {
  it.each([
    [{}, 'config.eventName', 'required'],
    [{ eventName: 'a', events: [{ eventName: 'b' }] }, 'config.events', 'custom'],
    [{ events: [] }, 'config.events', 'too_small'],
    [{ events: Array(11).fill({ eventName: 'a' }) }, 'config.events', 'too_big'],
    [{ events: [{}] }, 'config.events.0.eventName', 'required'],
    [
      { events: [{ eventName: 'a', where: [{ property: 'x', operator: 'is', value: 1 }] }] },
      'config.events.0.where.0.operator',
      'invalid_enum_value',
    ],
    [
      { events: [{ eventName: 'a', where: [{ property: 'x', operator: 'contains', value: '{{ y }}' }] }] },
      'config.events.0.where.0.value',
      'custom',
    ],
    [
      { events: [{ eventName: 'a', where: [{ property: 'x', operator: 'equals', value: 'n-{{ y }}' }] }] },
      'config.events.0.where.0.value',
      'custom',
    ],
    [
      { events: [{ eventName: 'a', where: [{ property: 'x', operator: 'equals', value: '{{ y[ }}' }] }] },
      'config.events.0.where.0.value',
      'template_syntax',
    ],
  ])('%j is refused at %s', async (config, field, code) => {
    const id = await begin();
    await expect(add(id, 'WAIT_FOR_EVENT', 'Wait', config)).rejects.toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ field, code })]),
    });
  });

  it('for several events keeps each of them from being deleted with its segment', async () => {
    const id = await begin();
    const own = await test.services.database.prisma.segment.create({
      data: { id: newId(), projectId: project.id, name: 'S', slug: 's', trackMembership: true },
    });
    await add(id, 'WAIT_FOR_EVENT', 'Wait', {
      events: [{ eventName: 'paid' }, { eventName: 'segment.s.entry' }],
    });
    await expect(deleteSegment.run(project.ctx, { id: own.id })).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
