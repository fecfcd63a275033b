import { assertFilterTree, readsOfAudience, segmentExists } from '../../audience/segments/index.ts';
import { requireTopic } from '../../audience/topics/index.ts';
import { AppError, type Context, invalid, projectIdOf } from '../../base/kernel/index.ts';
import {
  contentOf,
  designOf,
  findDesignedTemplate,
  templateNotFound,
} from '../../content/templates/index.ts';
import { findLinkTagging } from '../../people/projects/index.ts';
import { findGoals, keepGoals } from '../goals/index.ts';
import type { CampaignInput } from './campaigns.schema.ts';
import type { CampaignFields } from './campaigns.store.ts';
import { estimateRecipients } from './estimate-campaign.ts';
import { storedTest } from './variants/check-test.ts';
import type { StoredTest } from './variants/variants.rules.ts';

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
 * Checks that links can be tagged where a campaign asks for that.
 *
 * @throws AppError VALIDATION_ERROR
 */
export async function assertLinkTags(ctx: Context, { utm }: Pick<CampaignInput, 'utm'>): Promise<void> {
  if (!utm?.enabled) return;
  const { hosts } = await findLinkTagging(ctx.db, projectIdOf(ctx));
  if (hosts.length > 0) return;
  throw invalid([
    {
      field: 'utm.enabled',
      code: 'custom',
      message: 'The project has no hosts whose links are tagged: set them in its settings, as `utm.hosts`',
    },
  ]);
}

/**
 * Checks that the records that a campaign refers to belong to its project.
 *
 * @returns its template
 * @throws AppError TEMPLATE_NOT_FOUND, SEGMENT_NOT_FOUND
 */
export async function assertReferences(
  ctx: Context,
  input: Pick<CampaignInput, 'audienceType' | 'segmentId'> & { templateId?: string | null | undefined },
): Promise<Source | null> {
  const projectId = projectIdOf(ctx);
  const template = input.templateId ? await findDesignedTemplate(ctx.db, projectId, input.templateId) : null;
  if (input.templateId && !template) throw templateNotFound();
  if (input.audienceType === 'SEGMENT' && input.segmentId !== undefined) {
    if (!(await segmentExists(ctx.db, projectId, input.segmentId))) {
      throw new AppError('SEGMENT_NOT_FOUND', 'Segment not found');
    }
  }
  return template;
}

/**
 * Checks that the goal of a campaign counts.
 *
 * @param keep whether it also has to stay until the transaction ends
 * @throws AppError VALIDATION_ERROR
 */
export async function assertGoal(
  ctx: Context,
  { goalId }: { goalId?: string | null | undefined },
  keep: boolean,
): Promise<void> {
  if (!goalId) return;
  const projectId = projectIdOf(ctx);
  const counts = keep
    ? (await keepGoals(ctx.db, projectId, [goalId])).has(goalId)
    : (await findGoals(ctx.db, projectId, [goalId])).some(({ archived }) => !archived);
  if (counts) return;
  const message = 'The project has no such goal that counts';
  throw invalid([{ field: 'goalId', code: 'unknown_reference', message, received: goalId }]);
}

/** What a campaign's content was before, or the template that it is copied from. */
interface Source {
  body: string;
  design?: unknown;
}

/** The fields of a campaign that are written. */
export type WrittenFields = Omit<CampaignFields, 'reads' | 'textReads' | 'totalRecipients'>;

/** The fields as they are stored; those that the audience type does not need are null. */
export function writtenFields(
  input: CampaignInput,
  source: (Source & { test?: StoredTest | null }) | null,
  topic: { id: string } | null,
): WrittenFields {
  const {
    name,
    description,
    audienceType,
    segmentId,
    audienceCondition,
    templateId,
    exemptFromLimits,
    guard,
    pace,
    holdout,
    utm,
    goalId,
  } = input;
  return {
    name,
    description: description ?? null,
    ...contentOf(input),
    design: designOf(input, source),
    templateId: templateId ?? null,
    exemptFromLimits,
    guard,
    perHour: pace?.perHour ?? null,
    careful: pace?.careful ?? false,
    holdout,
    goalId: goalId ?? null,
    utm,
    test: storedTest(input.test, source?.test ?? null),
    topicId: topic?.id ?? null,
    audienceType,
    segmentId: audienceType === 'SEGMENT' ? (segmentId ?? null) : null,
    audienceCondition: audienceType === 'FILTERED' ? (audienceCondition ?? null) : null,
  };
}

/** The columns of a checked campaign. */
export async function fieldsOf(
  ctx: Context,
  input: CampaignInput,
  source: (Source & { test?: StoredTest | null }) | null,
  textReads: string[],
): Promise<CampaignFields> {
  const projectId = projectIdOf(ctx);
  const fields = writtenFields(input, source, await requireTopic(ctx.db, projectId, input.topic));
  return {
    ...fields,
    reads: readsOfAudience(fields),
    textReads,
    totalRecipients: await estimateRecipients(ctx.db, { projectId, ...fields }),
  };
}
