import { type CommandContext, command, projectIdOf, senderRefused } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { brandedDesign, compileDesign } from '../../content/templates/contract.ts';
import { insertTemplate, readTextsOf, textsOf } from '../../content/templates/index.ts';
import { requireVerifiedSender } from '../../people/domains/index.ts';
import { findLook } from '../../people/projects/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { presentDetail } from './present-detail.ts';
import type { Recipe } from './recipes/recipe.rules.ts';
import { recipeGraph } from './recipes/recipe-graph.ts';
import { recipes } from './recipes/recipes.rules.ts';
import { readsOfTrigger } from './trigger.ts';
import { createFromRecipeInput, workflowDetail } from './workflows.schema.ts';
import { insertGraph, insertWorkflow } from './workflows.store.ts';

export const createFromRecipe = command({
  name: 'workflows.createFromRecipe',
  summary: 'Creates a disabled workflow and its templates from a built-in recipe',
  permission: 'data:write',
  risk: 'none',
  errors: [senderRefused, 'FORBIDDEN'],
  input: createFromRecipeInput,
  output: workflowDetail,
  prepare: (ctx) => assertStorage(ctx.services, projectIdOf(ctx)),
  async handler(ctx, { recipe: id, from, name }) {
    const recipe: Recipe = recipes[id];
    await requireVerifiedSender(ctx, from);
    const projectId = projectIdOf(ctx);
    const { eventName, description, allowReentry } = recipe;
    const workflow = await insertWorkflow(ctx.db, {
      id: newId(),
      projectId,
      name: name ?? recipe.name,
      description,
      allowReentry,
      triggerType: 'EVENT',
      triggerConfig: { eventName },
      reads: readsOfTrigger('EVENT', { eventName }),
    });
    const { steps, transitions } = recipeGraph(recipe, await insertTemplates(ctx, projectId, recipe, from));
    await insertGraph(ctx.db, workflow, steps, transitions);
    ctx.audit({ targetType: 'workflow', targetId: workflow.id });
    return presentDetail(ctx.db, workflow);
  },
});

/** Writes the emails of a recipe as templates in the look of the project, which the visual editor opens. @returns the id of the template by the key of its step */
async function insertTemplates(
  ctx: CommandContext,
  projectId: string,
  { name, steps }: Recipe,
  from: string,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const project = await findLook(ctx.db, projectId);
  for (const { key, name: stepName, email } of steps) {
    if (!email) continue;
    const { content, ...heads } = email;
    const design = brandedDesign(project, content);
    const texts = {
      ...heads,
      body: compileDesign(design, { subject: email.subject, language: project.language }),
    };
    const template = await insertTemplate(ctx, {
      projectId,
      name: `${name}: ${stepName}`,
      description: null,
      ...texts,
      textReads: readTextsOf(textsOf(texts)).reads,
      design: { ...design },
      from,
      text: null,
      alias: null,
      fromName: null,
      replyTo: null,
      exemptFromLimits: false,
      topicId: null,
      type: 'MARKETING',
    });
    ids.set(key, template.id);
  }
  return ids;
}
