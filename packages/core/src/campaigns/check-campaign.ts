import { AppError, type Context, projectIdOf } from '../kernel/index.ts';
import { assertFilterTree, readsOfAudience, segmentExists } from '../segments/index.ts';
import { countAudience } from '../sending/index.ts';
import { contentOf, findTemplate, templateNotFound } from '../templates/index.ts';
import { queryAudience } from './campaign-audience.ts';
import type { CampaignInput } from './campaigns.schema.ts';
import type { CampaignFields } from './campaigns.store.ts';

/**
 * Checks the segments that the filters of a campaign refer to.
 *
 * @throws AppError VALIDATION_ERROR
 */
export async function assertCondition(
  ctx: Context,
  input: Pick<CampaignInput, 'audienceType' | 'audienceCondition'>,
): Promise<void> {
  if (input.audienceType !== 'FILTERED' || input.audienceCondition === undefined) return;
  await assertFilterTree(ctx.db, projectIdOf(ctx), input.audienceCondition, 'audienceCondition');
}

/**
 * Checks that the records that a campaign refers to belong to its project.
 *
 * @throws AppError TEMPLATE_NOT_FOUND, SEGMENT_NOT_FOUND
 */
export async function assertReferences(
  ctx: Context,
  input: Pick<CampaignInput, 'audienceType' | 'segmentId'> & { templateId?: string | null | undefined },
): Promise<void> {
  const projectId = projectIdOf(ctx);
  if (input.templateId && !(await findTemplate(ctx.db, projectId, input.templateId)))
    throw templateNotFound();
  if (input.audienceType !== 'SEGMENT' || input.segmentId === undefined) return;
  if (!(await segmentExists(ctx.db, projectId, input.segmentId))) {
    throw new AppError('SEGMENT_NOT_FOUND', 'Segment not found');
  }
}

/** The columns of a checked campaign; fields that its audience type does not need are null. */
export async function fieldsOf(ctx: Context, input: CampaignInput): Promise<CampaignFields> {
  const projectId = projectIdOf(ctx);
  const audience = {
    audienceType: input.audienceType,
    segmentId: input.audienceType === 'SEGMENT' ? (input.segmentId ?? null) : null,
    audienceCondition: input.audienceType === 'FILTERED' ? (input.audienceCondition ?? null) : null,
  };
  const { name, description, type, templateId } = input;
  return {
    name,
    description: description ?? null,
    ...contentOf(input),
    templateId: templateId ?? null,
    ...audience,
    reads: readsOfAudience(audience),
    totalRecipients: await queryAudience(ctx.db, { projectId, type, ...audience }, countAudience),
  };
}
