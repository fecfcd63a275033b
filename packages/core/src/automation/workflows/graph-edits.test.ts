import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { compileDesign, readDesign } from '../../content/templates/contract.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { createFromRecipe, duplicateWorkflow, getWorkflow, replaceGraph, updateWorkflow } from './index.ts';
import { recipeIds } from './recipes/recipes.rules.ts';
import { buildTemplate, buildWorkflow } from './runtime/runtime.fixture.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

type Workflow = Awaited<ReturnType<typeof getWorkflow.run>>;
type Graph = Pick<Workflow, 'steps' | 'transitions'>;

const get = (id: string): Promise<Workflow> => getWorkflow.run(project.ctx, { id });
const replace = (id: string, { steps, transitions }: Graph, rest: object = {}) =>
  replaceGraph.runRaw(project.ctx, { id, steps, transitions, ...rest });
/** The parts of a graph that a caller gives. */
const shapeOf = ({ steps, transitions }: Graph) => ({
  steps: steps
    .map(({ id, type, name, config, templateId, position }) => ({
      id,
      type,
      name,
      config,
      templateId,
      position,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
  transitions: transitions
    .map(({ fromStepId, toStepId, branch, waitOutcome, priority }) =>
      JSON.stringify([fromStepId, toStepId, branch, waitOutcome, priority]),
    )
    .sort(),
});

const condition = {
  type: 'CONDITION',
  config: { field: 'data.plan', operator: 'equals', value: 'pro' },
} as const;
const delay = { type: 'DELAY', config: { amount: 1, unit: 'days' } } as const;

/** trigger → split, whose branch `yes` leads to `a` and `b`, and whose branch `no` to `c` */
const build = () =>
  buildWorkflow(
    test.services,
    project.id,
    { split: condition, a: delay, b: delay, c: { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid' } } },
    {
      enabled: false,
      transitions: [
        { from: 'trigger', to: 'split' },
        { from: 'split', to: 'a', branch: 'yes' },
        { from: 'a', to: 'b' },
        { from: 'split', to: 'c', branch: 'no' },
      ],
    },
  );

describe('a graph that replaces another', () => {
  it('is stored as given: steps keep their ids, new ones have the given ids, and all others go', async () => {
    const { id, step } = await build();
    const before = await get(id);
    const added = { ...before.steps[2], id: newId(), name: 'New' } as Graph['steps'][number];
    const wanted = {
      steps: [
        ...before.steps
          .filter((each) => each.id !== step('a'))
          .map((each) => (each.id === step('b') ? { ...each, config: { amount: 2, unit: 'hours' } } : each)),
        added,
      ],
      transitions: [
        ...before.transitions.filter(
          ({ fromStepId, toStepId }) => ![fromStepId, toStepId].includes(step('a')),
        ),
        { ...before.transitions[0], fromStepId: step('split'), toStepId: added.id, branch: 'yes' },
        { ...before.transitions[0], fromStepId: added.id, toStepId: step('b'), branch: null },
      ] as Graph['transitions'],
    };
    const after = await replace(id, wanted);
    expect(shapeOf(after)).toEqual(shapeOf(wanted));
    // Back again, as an undo does it: the deleted step returns with its id.
    expect(shapeOf(await replace(id, before, { ifUpdatedAt: after.updatedAt }))).toEqual(shapeOf(before));
  });

  it('is refused when the workflow has changed since it was read', async () => {
    const { id } = await build();
    const before = await get(id);
    const after = await replace(id, before);
    await expect(replace(id, before, { ifUpdatedAt: before.updatedAt })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The workflow has changed since it was read',
    });
    await replace(id, before, { ifUpdatedAt: after.updatedAt });
  });

  it('must be a graph of the workflow', async () => {
    const { id, step } = await build();
    const { steps, transitions } = await get(id);
    const [first] = transitions;
    if (!first) throw new Error('the workflow has no transition');
    const refusal = (graph: Partial<Graph>) => expect(replace(id, { steps, transitions, ...graph })).rejects;
    const back = { ...first, fromStepId: step('b'), toStepId: step('split'), branch: null };
    await refusal({ steps: steps.filter(({ type }) => type !== 'TRIGGER'), transitions: [] }).toMatchObject({
      code: 'BAD_REQUEST',
    });
    await refusal({ transitions: [...transitions, back] }).toMatchObject({
      message: 'This transition would create a loop',
    });
    await refusal({ transitions: [{ ...first, toStepId: newId() }] }).toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    await refusal({
      steps: steps.map((each) => (each.id === step('a') ? { ...each, type: 'EXIT' as const } : each)),
    }).toMatchObject({ code: 'BAD_REQUEST' });
    await refusal({
      steps: steps.map((each) =>
        each.id === step('a') ? { ...each, config: { amount: 0, unit: 'days' } } : each,
      ),
    }).toMatchObject({ code: 'VALIDATION_ERROR' });
    const added = { ...steps[1], id: newId() } as Graph['steps'][number];
    const mail = { ...added, type: 'SEND_EMAIL' as const, config: {}, templateId: newId() };
    await refusal({ steps: [...steps, mail] }).toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    expect(shapeOf(await get(id))).toEqual(shapeOf({ steps, transitions }));
  });

  it('gives a new step another id if a step of another workflow has the given one', async () => {
    const [{ id, step }, other] = [await build(), await build()];
    const [{ steps, transitions }, untouched] = [await get(id), await get(other.id)];
    const [first] = transitions;
    const added = { ...steps[1], id: other.step('a'), name: 'New' } as Graph['steps'][number];
    const way = {
      ...first,
      fromStepId: step('b'),
      toStepId: added.id,
      branch: null,
    } as (typeof transitions)[number];
    const after = await replace(id, { steps: [...steps, added], transitions: [...transitions, way] });
    const stored = after.steps.find(({ name }) => name === 'New');
    expect(stored?.id).not.toBe(added.id);
    expect(after.transitions).toContainEqual(
      expect.objectContaining({ fromStepId: step('b'), toStepId: stored?.id }),
    );
    expect(shapeOf(await get(other.id))).toEqual(shapeOf(untouched));
  });

  it('keeps the events that the workflow waits for up to date', async () => {
    const { id, step } = await build();
    const { steps, transitions } = await get(id);
    await replace(id, {
      steps: steps.map((each) =>
        each.id === step('c') ? { ...each, config: { eventName: 'refunded' } } : each,
      ),
      transitions,
    });
    const names = await test.services.database.prisma.eventInterest.findMany({ where: { sourceId: id } });
    expect(names.map(({ name }) => name)).toEqual(['refunded']);
  });
});

it('a copy of a workflow is disabled, and has its steps and transitions under new ids', async () => {
  const templateId = await buildTemplate(test.services, project.id);
  const { id } = await buildWorkflow(
    test.services,
    project.id,
    { split: condition, mail: { type: 'SEND_EMAIL', templateId }, stop: { type: 'EXIT' } },
    {
      allowReentry: true,
      triggerType: 'SCHEDULE',
      triggerConfig: { cron: '0 9 * * 1', timezone: 'UTC' },
      transitions: [
        { from: 'trigger', to: 'split' },
        { from: 'split', to: 'mail', branch: 'yes' },
        { from: 'split', to: 'stop', branch: 'no' },
      ],
    },
  );
  const original = await get(id);
  const copy = await duplicateWorkflow.run(project.ctx, { id });
  expect(copy).toMatchObject({
    name: 'Test (Copy)',
    enabled: false,
    allowReentry: true,
    triggerType: 'SCHEDULE',
    triggerConfig: { cron: '0 9 * * 1', timezone: 'UTC' },
  });
  const waysOf = ({ steps, transitions }: Graph) => {
    const nameOf = (stepId: string) => steps.find((each) => each.id === stepId)?.name;
    return transitions
      .map(({ fromStepId, toStepId, branch }) => [nameOf(fromStepId), nameOf(toStepId), branch])
      .sort();
  };
  expect(waysOf(copy)).toEqual(waysOf(original));
  const settings = ({ steps }: Graph) =>
    steps.map(({ name, type, config, template }) => ({ name, type, config, template }));
  expect(settings(copy)).toEqual(expect.arrayContaining(settings(original)));
  const ids = new Set([...original.steps, ...copy.steps].map((each) => each.id));
  expect(ids.size).toBe(original.steps.length + copy.steps.length);
  const foreign = await createTestProject(test.services);
  await expect(duplicateWorkflow.run(foreign.ctx, { id })).rejects.toMatchObject({
    code: 'WORKFLOW_NOT_FOUND',
  });
});

describe('a workflow from a recipe', () => {
  it.each(recipeIds)(
    '%s can be enabled at once, and has a template with a design for each of its emails',
    async (recipe) => {
      await verifiedDomain(test.services, project.id, 'mail.test');
      const workflow = await createFromRecipe.run(project.ctx, { recipe, from: 'us@mail.test' });
      expect(workflow.enabled).toBe(false);
      const mails = workflow.steps.filter(({ type }) => type === 'SEND_EMAIL');
      expect(mails.every(({ template }) => template !== null)).toBe(true);
      expect(new Set(mails.map(({ templateId }) => templateId)).size).toBe(mails.length);
      const templates = await test.services.database.prisma.template.findMany({
        where: { id: { in: mails.map(({ templateId }) => templateId ?? '') } },
      });
      for (const { body, subject, design } of templates) {
        const read = readDesign(design);
        expect(read && compileDesign(read, { subject, language: 'en' })).toBe(body);
      }
      const { enabled } = await updateWorkflow.run(project.ctx, { id: workflow.id, enabled: true });
      expect(enabled).toBe(true);
    },
  );

  it('leaves nothing behind when its sender is refused', async () => {
    await expect(
      createFromRecipe.run(project.ctx, { recipe: 'welcome', from: 'us@unknown.test' }),
    ).rejects.toThrow('The sender domain unknown.test');
    const where = { projectId: project.id };
    expect(await test.services.database.prisma.template.count({ where })).toBe(0);
    expect(await test.services.database.prisma.workflow.count({ where })).toBe(0);
  });
});
