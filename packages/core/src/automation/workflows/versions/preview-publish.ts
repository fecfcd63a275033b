import { AppError, projectIdOf, query } from '../../../base/kernel/index.ts';
import { findSender } from '../../../people/domains/index.ts';
import { findGate } from '../../../people/projects/index.ts';
import { checkTexts, judgeContent } from '../../preflight/index.ts';
import { assertGraphRules, problemsOf } from '../definitions/check-definition.ts';
import { templatesOf } from '../definitions/definition.rules.ts';
import { differenceOf } from '../definitions/difference.rules.ts';
import { workflowNotFound } from '../not-found.ts';
import { assertCanBeEnabled } from '../trigger.ts';
import { workflowIdOf } from '../workflow-id.ts';
import { type CheckedTemplate, checkedTemplates, findWorkflow } from '../workflows.store.ts';
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

/** Templates that are read at a time: each may have megabytes. */
const templatesAtOnce = 20;

/** Values of its emails come from events too, so no name is unknown. */
const readingOf = (
  ctx: Parameters<typeof problemsOf>[0],
  { type, subject, preheader, body, text }: Omit<CheckedTemplate, 'id' | 'from'>,
) =>
  checkTexts(ctx.services, projectIdOf(ctx), {
    ...{ subject, preheader, body, text },
    source: type === 'TRANSACTIONAL' ? 'requests' : 'events',
    fields: null,
    rendered: null,
  });

/** What the checks before sending say about the templates that it sends, and senders that the project may not send from. */
async function findingsOf(
  ctx: Parameters<typeof problemsOf>[0],
  definition: Parameters<typeof assertGraphRules>[0],
) {
  const projectId = projectIdOf(ctx);
  const { address } = await findGate(ctx.db, projectId);
  const ids = templatesOf(definition);
  const found = new Map<string, { rule: string; message: string }[]>();
  const senders = new Map<string, boolean>();
  for (let from = 0; from < ids.length; from += templatesAtOnce) {
    const templates = await checkedTemplates(ctx.db, projectId, ids.slice(from, from + templatesAtOnce));
    for (const { id, from, ...content } of templates) {
      const isKnown =
        senders.get(from) ?? (await findSender(ctx.services.config, ctx.db, projectId, from)) !== null;
      senders.set(from, isKnown);
      const domain = from.slice(from.lastIndexOf('@') + 1);
      found.set(id, [
        ...(isKnown ? [] : [{ rule: 'sender', message: `The domain ${domain} is not verified` }]),
        // A hint makes an email better, and is no matter of publishing.
        ...judgeContent({ content, address, reading: await readingOf(ctx, content) }).flatMap(
          ({ rule, level, message }) => (level === 'hint' ? [] : [{ rule, message }]),
        ),
      ]);
    }
  }
  return definition.steps.flatMap(({ key, templateId }) =>
    (found.get(templateId ?? '') ?? []).map(({ rule, message }) => ({ rule, stepKey: key, message })),
  );
}
