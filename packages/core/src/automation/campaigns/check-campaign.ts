import { assertFilterTree, readsOfAudience, segmentExists } from '../../audience/segments/index.ts';
import { requireTopic } from '../../audience/topics/index.ts';
import { AppError, type Context, projectIdOf } from '../../base/kernel/index.ts';
import {
  contentOf,
  designOf,
  findDesignedTemplate,
  templateNotFound,
} from '../../content/templates/index.ts';
import { goalNotFound, keepGoals } from '../goals/index.ts';
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
 * Checks that the records that a campaign refers to belong to its project.
 *
 * @returns its template
 * @throws AppError TEMPLATE_NOT_FOUND, SEGMENT_NOT_FOUND, RESOURCE_NOT_FOUND for its goal
 */
export async function assertReferences(
  ctx: Context,
  input: Pick<CampaignInput, 'audienceType' | 'segmentId' | 'goalId'> & {
    templateId?: string | null | undefined;
  },
): Promise<Source | null> {
  const projectId = projectIdOf(ctx);
  const template = input.templateId ? await findDesignedTemplate(ctx.db, projectId, input.templateId) : null;
  if (input.templateId && !template) throw templateNotFound();
  if (input.audienceType === 'SEGMENT' && input.segmentId !== undefined) {
    if (!(await segmentExists(ctx.db, projectId, input.segmentId))) {
      throw new AppError('SEGMENT_NOT_FOUND', 'Segment not found');
    }
  }
  // None is deleted or archived before the campaign refers to it.
  if (input.goalId && !(await keepGoals(ctx.db, projectId, [input.goalId])).has(input.goalId))
    throw goalNotFound();
  return template;
}

/** What a campaign's content was before, or the template that it is copied from. */
interface Source {
  body: string;
  design?: unknown;
}

/** The fields of a campaign that are written. */
export type WrittenFields = Omit<
  CampaignFields,
  'reads' | 'textReads' | 'totalRecipients' | 'guard' | 'perHour' | 'careful'
>;

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
    holdout,
    goalId,
  } = input;
  return {
    name,
    description: description ?? null,
    ...contentOf(input),
    design: designOf(input, source),
    templateId: templateId ?? null,
    exemptFromLimits,
    holdout,
    test: storedTest(input.test, source?.test ?? null),
    goalId: goalId ?? null,
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
    guard: input.guard,
    perHour: input.pace?.perHour ?? null,
    careful: input.pace?.careful ?? false,
    reads: readsOf(fields),
    textReads,
    totalRecipients: await estimateRecipients(ctx.db, { projectId, ...fields }),
  };
}

/** What a campaign refers to: by its audience, and its goal. */
export const readsOf = ({ goalId, ...fields }: WrittenFields): string[] => [
  ...readsOfAudience(fields),
  ...(goalId ? [`goal.${goalId}`] : []),
];
