import { type Context, type FieldError, invalid, projectIdOf, query } from '../../../base/kernel/index.ts';
import { isSameJson, templatesOf, type WorkflowDefinition } from '../definitions/definition.rules.ts';
import { readLive } from '../definitions/definitions.store.ts';
import { triggerKey } from '../definitions/step-keys.rules.ts';
import { workflowNotFound } from '../not-found.ts';
import { triggerName } from '../trigger.ts';
import { textIn } from '../triggers/trigger.rules.ts';
import { findWorkflow, type WorkflowRow } from '../workflows.store.ts';
import { documentFormat, documentText, inOrder, type WorkflowDocument } from './document.rules.ts';
import { exportedWorkflow, exportWorkflowInput } from './document.schema.ts';
import { documentExits, documentGoals } from './ends-by-name.ts';
import { namesOfTemplates, slugOfSegment } from './names.store.ts';
import { toTypeScript } from './to-typescript.rules.ts';

export const exportWorkflow = query({
  name: 'workflows.export',
  summary: 'Returns the live definition of a workflow as a document',
  permission: 'data:read',
  errors: ['WORKFLOW_NOT_FOUND'],
  input: exportWorkflowInput,
  output: exportedWorkflow,
  async handler(ctx, { id, format = 'json' }) {
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
  { name, description, projectId }: WorkflowRow,
  definition: WorkflowDefinition,
): Promise<WorkflowDocument> {
  const { steps, transitions, triggerType, allowReentry } = definition;
  const { segmentId, ...config } = definition.triggerConfig;
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
  const slug =
    textIn({ segmentId }, 'segmentId') === undefined
      ? null
      : await slugOfSegment(db, projectId, String(segmentId));
  const keys = new Map(steps.map(({ id, key }) => [id, key]));
  const trigger = steps.find(({ type }) => type === 'TRIGGER');
  const document = inOrder({
    format: documentFormat,
    name,
    description: description ?? undefined,
    trigger: {
      ...config,
      type: triggerType,
      ...(slug === null ? {} : { segment: `segment:${slug}` }),
      ...(trigger && trigger.name !== triggerName(triggerType, definition.triggerConfig)
        ? { name: trigger.name }
        : {}),
      ...(trigger && !isSameJson(trigger.position, triggerPosition) ? { position: trigger.position } : {}),
    },
    ...(allowReentry ? { allowReentry } : {}),
    ...(definition.goals.length > 0 ? { goals: await documentGoals(db, projectId, definition.goals) } : {}),
    ...(definition.exits.length > 0 ? { exits: await documentExits(db, projectId, definition.exits) } : {}),
    steps: steps
      .filter(({ key }) => key !== triggerKey)
      .map(({ key, type, name: title, config: given, templateId, position }) => ({
        key,
        type,
        name: title === key ? undefined : title,
        config: given,
        template: templateOf(key, templateId),
        position,
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
