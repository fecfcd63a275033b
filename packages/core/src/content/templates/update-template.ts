import { requireTopic } from '../../audience/topics/index.ts';
import {
  assertSenderAllowed,
  type Context,
  command,
  projectIdOf,
  senderRefused,
} from '../../base/kernel/index.ts';
import { requireVerifiedSender } from '../../people/domains/index.ts';
import { noteChangedLimits } from '../../people/projects/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { assertFreeAlias } from './assert-free-alias.ts';
import { assertTemplateSyntax } from './assert-template-syntax.ts';
import { presentDesign } from './design.schema.ts';
import { type TemplateField, templateFields } from './email-content.schema.ts';
import { templateNotFound } from './get-template.ts';
import { readTexts, type TemplateSource, textsOf } from './read-texts.ts';
import { bytesOfTexts } from './stored-bytes.rules.ts';
import { templateShape, updateTemplateInput } from './templates.schema.ts';
import { changeTemplate, findTemplate, lockTemplate, storedBytesOfTemplate } from './templates.store.ts';
import { versionedFields } from './versions/versions.store.ts';

export const updateTemplate = command({
  name: 'templates.update',
  summary: 'Updates a template; emails rendered from then on use the new version',
  permission: 'data:write',
  risk: 'none',
  errors: [senderRefused, 'TEMPLATE_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  input: updateTemplateInput,
  output: templateShape,
  async prepare(ctx, input) {
    if (versionedFields.some((field) => input[field] !== undefined)) {
      const projectId = projectIdOf(ctx);
      // A version holds what is not changed as well.
      const kept = input.body === undefined ? await storedBytesOfTemplate(ctx.db, projectId, input.id) : 0;
      await assertStorage(ctx.services, projectId, kept + bytesOfTexts(input));
    }
    return readsAfter(ctx, input, await assertTemplateSyntax(ctx, input));
  },
  async handler(ctx, { id: reference, ...given }, after) {
    const template = await lockTemplate(ctx.db, projectIdOf(ctx), reference);
    if (!template) throw templateNotFound();
    const { topic, ...change } = given;
    await assertFreeAlias(ctx, change.alias, template.id);
    assertSenderAllowed(ctx.actor, template.from);
    if (change.from !== undefined) await requireVerifiedSender(ctx, change.from);
    const changed = Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    ctx.audit({ targetType: 'template', targetId: template.id, changed });
    if (change.exemptFromLimits !== undefined) await noteChangedLimits(ctx.db, template.projectId);
    const topicId =
      topic === undefined
        ? {}
        : { topicId: (await requireTopic(ctx.db, template.projectId, topic))?.id ?? null };
    // Another change came between: its texts are read in the background, together with these.
    const textReads = after.of === null || after.of === template.lastVersion ? after.reads : null;
    return presentDesign(
      changed.length === 0
        ? template
        : await changeTemplate(ctx, template, { ...change, ...topicId }, textReads),
    );
  },
});

/**
 * What the texts of a template name after a change.
 *
 * @param given what the changed ones name
 * @returns `of` is the version that the others are of; null when all are given
 */
async function readsAfter(
  ctx: Context,
  { id, ...change }: { id: string } & TemplateSource,
  given: string[],
): Promise<{ reads: string[] | null; of: number | null }> {
  const kept = (Object.keys(templateFields) as TemplateField[]).filter(
    (field) => change[field] === undefined,
  );
  if (kept.length === 0) return { reads: given, of: null };
  const projectId = projectIdOf(ctx);
  const before = await findTemplate(ctx.db, projectId, id);
  if (!before) return { reads: null, of: null };
  const texts = textsOf(Object.fromEntries(kept.map((field) => [field, before[field]])));
  const { reads } = await readTexts(ctx.services, projectId, texts);
  return { reads: [...new Set([...given, ...reads])].sort(), of: before.lastVersion };
}
