import { AppError, projectIdOf, query } from '../../../base/kernel/index.ts';
import { findSender } from '../../../people/domains/index.ts';
import { assertGraphRules, problemsOf } from '../definitions/check-definition.ts';
import { templatesOf } from '../definitions/definition.rules.ts';
import { differenceOf } from '../definitions/difference.rules.ts';
import { workflowNotFound } from '../not-found.ts';
import { assertCanBeEnabled } from '../trigger.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { findWorkflow, templateSenders } from '../workflows.store.ts';
import { readPublication } from './read-publication.ts';
import { publishInput, publishPreview } from './versions.schema.ts';
import { countActiveByVersion } from './versions.store.ts';

export const previewPublish = query({
  name: 'workflows.previewPublish',
  summary:
    'Shows what publishing a draft or an earlier version would change, and for whom. Nothing is changed',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: publishInput,
  output: publishPreview,
  async handler(ctx, { id: named, ...given }) {
    const id = await workflowIdOf(ctx, named);
    const workflow = await findWorkflow(ctx.db, projectIdOf(ctx), id);
    if (!workflow) throw workflowNotFound();
    // What is needed for a move is told whatever the request says.
    const publication = await readPublication(ctx, workflow, { ...given, move: 'ALL' });
    const { live, definition, people, needed } = publication;
    const versions = await countActiveByVersion(ctx.db, workflow);
    return {
      changes: differenceOf(live, definition).map(({ stepId, ...change }) => ({
        ...change,
        people: stepId === null ? 0 : (people.get(stepId) ?? 0),
      })),
      active: versions.reduce((sum, { active }) => sum + active, 0),
      versions,
      needed: needed.map(({ key }) => key),
      problems: [
        ...problemsOfRules(definition),
        ...(await problemsOf(ctx, definition, { whole: true })),
        ...publication.problems,
      ].map(({ field, code, message }) => ({ field, code, message })),
      findings: await findingsOf(ctx, definition),
    };
  },
});

/** Rules of the graph and of the trigger, which publishing refuses with a sentence. */
function problemsOfRules(definition: Parameters<typeof assertGraphRules>[0]) {
  const checks = [
    ['transitions', () => assertGraphRules(definition)],
    ['trigger', () => assertCanBeEnabled(definition.triggerType, definition.triggerConfig)],
  ] as const;
  return checks.flatMap(([field, check]) => {
    try {
      check();
      return [];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Configurations are told by their fields.
      return error.errors === undefined ? [{ field, code: 'custom', message: error.message }] : [];
    }
  });
}

/** Senders that the project may not send from. */
async function findingsOf(
  ctx: Parameters<typeof problemsOf>[0],
  definition: Parameters<typeof assertGraphRules>[0],
) {
  const projectId = projectIdOf(ctx);
  const senders = await templateSenders(ctx.db, projectId, templatesOf(definition));
  const findings = [];
  const known = new Map<string, boolean>();
  for (const { key, templateId } of definition.steps) {
    const from = templateId === null ? undefined : senders.get(templateId);
    if (from === undefined) continue;
    const domain = from.slice(from.lastIndexOf('@') + 1);
    const isKnown =
      known.get(from) ?? (await findSender(ctx.services.config, ctx.db, projectId, from)) !== null;
    known.set(from, isKnown);
    if (!isKnown)
      findings.push({ rule: 'sender', stepKey: key, message: `The domain ${domain} is not verified` });
  }
  return findings;
}
