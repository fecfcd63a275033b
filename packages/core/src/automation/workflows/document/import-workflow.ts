import type { z } from 'zod';
import { assertFilterTree } from '../../../audience/segments/index.ts';
import {
  AppError,
  assertSenderAllowed,
  type Context,
  command,
  type FieldError,
  invalid,
  projectIdOf,
} from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { assertGraphRules, assertSize, problemsOfEntry } from '../definitions/check-definition.ts';
import { problemsOfTrees } from '../definitions/check-trees.ts';
import { type DefinedStep, ownReadsOf, type WorkflowDefinition } from '../definitions/definition.rules.ts';
import { writeLive } from '../definitions/definitions.store.ts';
import { triggerKey } from '../definitions/step-keys.rules.ts';
import { presentDetail } from '../present-detail.ts';
import { readStepConfig } from '../read-step-config.ts';
import { type StepType, stepDefinition } from '../steps/steps.schema.ts';
import { readTriggerConfig, triggerName, triggerStepConfig } from '../trigger.ts';
import { workflowDetail, workflowNameLimit } from '../workflows.schema.ts';
import { findOtherWithAlias, insertWorkflow, refreshInterests } from '../workflows.store.ts';
import { importWorkflowInput } from './document.schema.ts';
import { readEnds } from './ends-by-name.ts';
import { triggerPosition } from './export-workflow.ts';
import { identifyingOf, readIdentified } from './named-trees.ts';
import { idsOfNames, namesLike, templatesByAlias } from './names.store.ts';

type Given = z.output<typeof importWorkflowInput>;

export const importWorkflow = command({
  name: 'workflows.import',
  summary: 'Creates a disabled workflow from a document',
  permission: 'data:write',
  risk: 'none',
  errors: ['BAD_REQUEST', 'FORBIDDEN'],
  input: importWorkflowInput,
  output: workflowDetail,
  async handler(ctx, document) {
    const projectId = projectIdOf(ctx);
    const definition = await readDocument(ctx, document);
    const { triggerType, triggerConfig, allowReentry, entry, timeZone } = definition;
    const { alias = null } = document;
    const workflow = await insertWorkflow(ctx.db, {
      id: newId(),
      projectId,
      name: freeName(document.name, await namesLike(ctx.db, projectId, document.name.slice(0, 90))),
      description: document.description || null,
      allowReentry,
      triggerType,
      triggerConfig,
      // An import makes a new workflow: the alias stays with the one that has it.
      alias: alias === null || (await findOtherWithAlias(ctx.db, projectId, alias)) !== null ? null : alias,
      entry,
      timeZone,
      reads: ownReadsOf(definition),
      ends: definition,
    });
    await refreshInterests(ctx.db, workflow, definition.steps);
    await writeLive(ctx.db, workflow, { steps: [], transitions: [] }, definition);
    ctx.audit({ targetType: 'workflow', targetId: workflow.id });
    return presentDetail(ctx.db, workflow);
  },
});

/** The name, or with a number where another workflow has it: `Welcome (2)`. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let n = 2, free = name; ; n += 1) {
    if (!taken.has(free)) return free;
    const suffix = ` (${n})`;
    const kept = name.slice(0, workflowNameLimit - suffix.length);
    // An unpaired surrogate cannot be stored.
    free = (kept.isWellFormed() ? kept : kept.slice(0, -1)) + suffix;
  }
}

/**
 * @throws AppError VALIDATION_ERROR naming every reference that the project does not have, and every step that is wrong, at once; BAD_REQUEST
 *   when a rule of graphs is broken
 */
export async function readDocument(ctx: Context, document: Given): Promise<WorkflowDefinition> {
  const errors: FieldError[] = [];
  const unknown = (field: string, received: string): void => {
    errors.push({
      field,
      code: 'unknown_reference',
      message: 'The project has nothing of this name',
      received,
    });
  };
  const { type, segment, filter, name, position, ...given } = document.trigger;
  const slug = segment?.startsWith('segment:') ? segment.slice('segment:'.length) : undefined;
  const { db } = ctx;
  const projectId = projectIdOf(ctx);
  const segmentId =
    slug === undefined ? null : ((await idsOfNames(db, projectId, 'segment', [slug])).get(slug) ?? null);
  const trees = {
    trigger: { value: filter, path: 'trigger.filter' },
    entry: { value: document.entry?.filter, path: 'entry.filter' },
    exits: { value: document.exits ?? [], path: 'exits' },
  };
  const configs = new Map(
    document.steps.flatMap((step, index) =>
      mayHaveTrees(step) ? [[step, { value: step.config, path: `steps.${index}.config` }]] : [],
    ),
  );
  const identified = await identifyingOf(
    db,
    projectId,
    [...Object.values(trees), ...configs.values()],
    errors,
  );
  const treeOf = (of: keyof typeof trees) => {
    if (trees[of].value === undefined) return null;
    const before = errors.length;
    const value = identified(trees[of]);
    // What is wrong with its names is said alone.
    return errors.length > before ? null : readIdentified({ ...trees[of], value }, errors);
  };
  const triggerFilter = treeOf('trigger');
  const entry = {
    filter: treeOf('entry'),
    limit: document.entry?.limit ?? null,
    every: document.entry?.every ?? null,
  };
  const allowReentry = document.allowReentry ?? false;
  errors.push(...problemsOfEntry({ allowReentry, entry }));
  if (segment !== undefined && segmentId === null) unknown('trigger.segment', segment);
  const triggerConfig = readTriggerConfig(
    type,
    {
      ...given,
      ...(segmentId === null ? {} : { segmentId }),
      ...(triggerFilter === null ? {} : { filter: triggerFilter }),
    },
    true,
  );
  const aliases = document.steps.flatMap(({ template }) => aliasOf(template) ?? []);
  const templates = await templatesByAlias(ctx.db, projectIdOf(ctx), [...new Set(aliases)]);
  const configOf = (step: Given['steps'][number]): Record<string, unknown> => {
    const config = configs.get(step);
    return config ? (identified(config) as Record<string, unknown>) : step.config;
  };
  // Later ones are made after earlier ones, in the order of the document.
  const start = Date.now();
  const at = (index: number) => ({ createdAt: new Date(start + index), updatedAt: new Date(start + index) });
  const trigger: DefinedStep = {
    id: newId(),
    key: triggerKey,
    type: 'TRIGGER',
    name: name ?? triggerName(type, triggerConfig),
    position: position ?? triggerPosition,
    config: triggerStepConfig(type, triggerConfig),
    templateId: null,
    ...at(0),
  };
  const keys = new Set<string>([triggerKey]);
  const steps = document.steps.map((step, index): DefinedStep => {
    const field = `steps.${index}`;
    if (keys.has(step.key))
      errors.push({
        field: `${field}.key`,
        code: 'custom',
        message: 'Another step has this key',
        received: step.key,
      });
    keys.add(step.key);
    if (step.type === 'TRIGGER')
      errors.push({
        field: `${field}.type`,
        code: 'custom',
        message: 'The TRIGGER step is not among the steps',
      });
    const alias = aliasOf(step.template);
    const template = alias === undefined ? undefined : templates.get(alias);
    if (step.template !== undefined && !template) unknown(`${field}.template`, step.template);
    if (template) assertSenderAllowed(ctx.actor, template.from);
    const { templateId: _, ...config } = configOf(step);
    return {
      id: newId(),
      key: step.key,
      type: step.type,
      name: step.name ?? step.key,
      position: step.position ?? { x: triggerPosition.x, y: triggerPosition.y + (index + 1) * 120 },
      config:
        step.type === 'TRIGGER' ? {} : read(errors, field, () => readStepConfig(step.type, config).config),
      templateId: template?.id ?? null,
      ...at(index + 1),
    };
  });
  const ids = new Map([trigger, ...steps].map(({ id, key }) => [key, id]));
  const transitions = document.transitions.map(({ from, to, branch, outcome, priority = 0 }, index) => {
    if (!ids.has(from)) unknown(`transitions.${index}.from`, from);
    if (!ids.has(to)) unknown(`transitions.${index}.to`, to);
    return {
      id: newId(),
      fromStepId: ids.get(from) ?? '',
      toStepId: ids.get(to) ?? '',
      branch: branch ?? null,
      waitOutcome: outcome ?? null,
      priority,
      ...at(index),
    };
  });
  const graph = { steps: [trigger, ...steps], transitions };
  for (const [index, step] of steps.entries()) {
    const problems = await problemsOfTrees(ctx.db, projectIdOf(ctx), graph, step);
    const known = new Set(errors.map(({ field }) => field));
    errors.push(
      ...problems
        .map((each) => ({ ...each, field: `steps.${index}.${each.field}` }))
        .filter(({ field }) => !known.has(field)),
    );
  }
  const ends = await readEnds(ctx, document, { keys, errors, withIds: () => identified(trees.exits) });
  if (errors.length > 0) throw invalid(errors);
  for (const [path, tree] of [
    ['trigger.filter', triggerFilter],
    ['entry.filter', entry.filter],
  ] as const)
    if (tree) await assertFilterTree(db, projectId, tree, path);
  const definition: WorkflowDefinition = {
    triggerType: type,
    triggerConfig,
    allowReentry,
    entry,
    timeZone: document.timeZone ?? null,
    ...ends,
    ...graph,
  };
  assertSize({ ...definition, steps: [], transitions: [] }, definition);
  assertGraphRules(definition);
  return definition;
}

const mayHaveTrees = ({ type }: { type: StepType }): boolean => stepDefinition(type).trees !== undefined;

const aliasOf = (template: string | undefined): string | undefined =>
  template?.startsWith('template:') ? template.slice('template:'.length) : undefined;

/** The value, or its problems below a field. */
function read(
  errors: FieldError[],
  field: string,
  of: () => Record<string, unknown>,
): Record<string, unknown> {
  try {
    return of();
  } catch (error) {
    if (!(error instanceof AppError) || error.errors === undefined) throw error;
    errors.push(...error.errors.map((each) => ({ ...each, field: `${field}.${each.field}` })));
    return {};
  }
}
