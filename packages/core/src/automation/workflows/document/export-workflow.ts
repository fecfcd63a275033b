import { type Context, type FieldError, invalid, projectIdOf, query } from '../../../base/kernel/index.ts';
import {
  type DefinedStep,
  isSameJson,
  templatesOf,
  type WorkflowDefinition,
} from '../definitions/definition.rules.ts';
import { readLive } from '../definitions/definitions.store.ts';
import type { ExitRule } from '../definitions/ends.rules.ts';
import { triggerKey } from '../definitions/step-keys.rules.ts';
import { treesOfStep } from '../definitions/trees.rules.ts';
import { workflowNotFound } from '../not-found.ts';
import { triggerName } from '../trigger.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { findWorkflow, type WorkflowRow } from '../workflows.store.ts';
import { documentFormat, documentText, inOrder, type WorkflowDocument } from './document.rules.ts';
import { exportedWorkflow, exportWorkflowInput } from './document.schema.ts';
import { documentGoals } from './ends-by-name.ts';
import { namingOf } from './named-trees.ts';
import { namesOfReferences, namesOfTemplates } from './names.store.ts';
import { toTypeScript } from './to-typescript.rules.ts';

export const exportWorkflow = query({
  name: 'workflows.export',
  summary: 'Returns the live definition of a workflow as a document',
  permission: 'data:read',
  errors: ['WORKFLOW_NOT_FOUND'],
  input: exportWorkflowInput,
  output: exportedWorkflow,
  async handler(ctx, { id: named, format = 'json' }) {
    const id = await workflowIdOf(ctx, named);
    const workflow = await findWorkflow(ctx.db, projectIdOf(ctx), id);
    if (!workflow) throw workflowNotFound();
    const document = await documentOf(ctx, workflow, await readLive(ctx.db, workflow));
    return { format, text: format === 'json' ? documentText(document) : toTypeScript(document) };
  },
});

/** The usual place of the TRIGGER step. */
export const triggerPosition = { x: 100, y: 100 } as const;

/** @throws AppError VALIDATION_ERROR at `steps.<key>.template` for a template without an alias, which has no name in a document */
async function documentOf(
  { db }: Context,
  { name, description, alias, projectId }: WorkflowRow,
  definition: WorkflowDefinition,
): Promise<WorkflowDocument> {
  const { steps, transitions, triggerType, allowReentry, entry, timeZone, exits } = definition;
  const { segmentId, filter, ...config } = definition.triggerConfig;
  const names = await namesOfTemplates(db, projectId, templatesOf(definition));
  const errors: FieldError[] = [];
  const templateOf = (key: string, templateId: string | null): string | undefined => {
    const known = templateId === null ? undefined : names.get(templateId);
    if (known && known.alias === null)
      errors.push({
        field: `steps.${key}.template`,
        code: 'required',
        message: `The template ${known.name} has no alias, by which a document names it`,
      });
    return known?.alias == null ? undefined : `template:${known.alias}`;
  };
  const slugs = await namesOfReferences(db, projectId, 'segment', segmentId ? [String(segmentId)] : []);
  const slug = slugs.get(String(segmentId)) ?? null;
  const trees = {
    trigger: { value: filter, path: 'trigger.filter' },
    entry: { value: entry.filter, path: 'entry.filter' },
    exits: { value: exits, path: 'exits' },
  };
  const configOf = ({ key, config: value }: DefinedStep) => ({ value, path: `steps.${key}.config` });
  const withTrees = steps.filter((step) => treesOfStep(step).length > 0);
  const named = await namingOf(db, projectId, [...Object.values(trees), ...withTrees.map(configOf)], errors);
  const rules = {
    ...(entry.filter === null ? {} : { filter: named(trees.entry) }),
    ...(entry.limit === null ? {} : { limit: entry.limit }),
    ...(entry.every === null ? {} : { every: entry.every }),
  };
  const keys = new Map(steps.map(({ id, key }) => [id, key]));
  const trigger = steps.find(({ type }) => type === 'TRIGGER');
  const document = inOrder({
    format: documentFormat,
    name,
    description: description ?? undefined,
    trigger: {
      ...config,
      ...(filter === undefined ? {} : { filter: named(trees.trigger) }),
      type: triggerType,
      ...(slug === null ? {} : { segment: `segment:${slug}` }),
      ...(trigger && trigger.name !== triggerName(triggerType, definition.triggerConfig)
        ? { name: trigger.name }
        : {}),
      ...(trigger && !isSameJson(trigger.position, triggerPosition) ? { position: trigger.position } : {}),
    },
    ...(allowReentry ? { allowReentry } : {}),
    alias: alias ?? undefined,
    ...(Object.keys(rules).length === 0 ? {} : { entry: rules }),
    timeZone: timeZone ?? undefined,
    ...(definition.goals.length > 0 ? { goals: await documentGoals(db, projectId, definition.goals) } : {}),
    ...(exits.length > 0 ? { exits: named(trees.exits) as ExitRule[] } : {}),
    steps: steps
      .filter(({ key }) => key !== triggerKey)
      .map((step) => ({
        key: step.key,
        type: step.type,
        name: step.name === step.key ? undefined : step.name,
        config: withTrees.includes(step) ? (named(configOf(step)) as Record<string, unknown>) : step.config,
        template: templateOf(step.key, step.templateId),
        position: step.position,
      })),
    transitions: transitions.map(({ fromStepId, toStepId, branch, waitOutcome, priority }) => ({
      from: keys.get(fromStepId) ?? '',
      to: keys.get(toStepId) ?? '',
      branch: branch ?? undefined,
      outcome: waitOutcome ?? undefined,
      priority: priority === 0 ? undefined : priority,
    })),
  });
  if (errors.length > 0) throw invalid(errors);
  return document;
}
