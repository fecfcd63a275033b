import type { Db, Prisma } from '../../base/db/index.ts';
import { computeFiguresJob, estimatedFigure, type WantedFigures } from '../../base/figures/index.ts';
import { type Context, sha256 } from '../../base/kernel/index.ts';
import { countAudience, estimateAudience } from '../../mail/ledger/index.ts';
import { countBreakdown, type SentAudience } from './break-down-campaign.ts';
import { audienceOf, type CampaignAudience, queryAudience } from './campaign-audience.ts';
import { noParts } from './count-parts.ts';
import { presentBreakdown } from './present-breakdown.ts';

const prefix = 'audiences';
/** How long a count is given as the present one, in seconds. */
const maxAgeSeconds = 30;
/** The longest that counting may take in the background, in milliseconds. */
const longestMs = 120_000;

type Breakdown = ReturnType<typeof presentBreakdown> & { estimated?: true };

/** What is counted, of a project. */
interface Counted {
  audience: Omit<CampaignAudience, 'projectId'>;
  isSandbox: boolean;
}

/**
 * The breakdown of an audience without counting it: the last count if it is recent, otherwise an estimate from a sample. The contacts are
 * then counted in the background, and the topic `figures` says when that is done.
 *
 * @returns null in a project that is not large, where counting is as fast
 */
export async function estimateCampaign(
  { services }: Context,
  { from, projectId, ...chosen }: SentAudience,
): Promise<Breakdown | null> {
  const { prisma } = services.database;
  const isSandbox = from === services.config.sandboxFrom;
  const { type, topicId, audienceType, segmentId, audienceCondition = null, id, familyId, round } = chosen;
  const place = id === undefined ? {} : { id, familyId: familyId ?? null, round: round ?? 1 };
  const audience = { type, topicId, audienceType, segmentId, audienceCondition, ...place };
  const input = { audience, isSandbox } as Counted & Prisma.InputJsonObject;
  const figure = await estimatedFigure<Breakdown, Breakdown | null>(
    prisma,
    { projectId, key: `${prefix}.${hashOf(input)}`, maxAgeSeconds, input },
    async () => {
      const estimate = await prisma.$transaction(
        (db) =>
          queryAudience(db, { projectId, ...audience }, async (tx, request) => {
            const counted = await estimateAudience(tx, request, isSandbox);
            const shown = { isSandbox, hasOthers: request.others !== undefined, ...noParts };
            return counted && presentBreakdown(counted, shown);
          }),
        { timeout: 30_000 },
      );
      return estimate && { ...estimate, estimated: true };
    },
  );
  if (figure?.estimated) services.workflows.signalDebounced(computeFiguresJob, { projectId });
  return figure;
}

/** `totalRecipients` until sending starts: from a sample in a large project. `db` must be a transaction. */
export const estimateRecipients = (db: Db, campaign: CampaignAudience): Promise<number> =>
  queryAudience(db, campaign, async (tx, request) => {
    const estimate = await estimateAudience(tx, request, false);
    return estimate ? estimate.matched - estimate.unsubscribed - estimate.topic : countAudience(tx, request);
  });

/** Conditions are longer than a key may be. */
const hashOf = (input: Prisma.InputJsonObject): string => sha256(JSON.stringify(input)).toString('base64url');

/** Counts the audiences that were estimated. */
export const wantedAudiences: WantedFigures = {
  prefix,
  longestMs,
  async compute(db, projectId, _key, input) {
    const { audience, isSandbox } = input as unknown as Counted;
    const counted = { projectId, ...audience };
    return countBreakdown(db, counted, await audienceOf(db, counted), isSandbox);
  },
};
