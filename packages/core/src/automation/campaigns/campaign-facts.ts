import { coverageOfFields } from '../../audience/contacts/index.ts';
import { countOfferedTopics } from '../../audience/topics/index.ts';
import type { Db } from '../../base/db/index.ts';
import { type AppError, type Context, refusalOf } from '../../base/kernel/index.ts';
import type { EmailContent } from '../../content/templates/index.ts';
import {
  anyoneToSendTo,
  breakDownAudience,
  countBases,
  countTraits,
  estimateAudience,
} from '../../mail/ledger/index.ts';
import { isTracked } from '../../mail/message/index.ts';
import { lacksDmarc, requireVerifiedSender } from '../../people/domains/index.ts';
import { findGate } from '../../people/projects/index.ts';
import { checkTexts, createFactReader, type FactReader } from '../preflight/index.ts';
import type { SentAudience } from './break-down-campaign.ts';
import { queryAudience } from './campaign-audience.ts';
import { findLargestBefore, findRestored, findSameBefore } from './campaigns.store.ts';
import { capOfCampaign } from './cap-of-campaign.ts';
import { assertReferences } from './check-campaign.ts';
import { detectableLift, neededPerVariant, usualRates } from './variants/advice.rules.ts';
import { equalVariants } from './variants/check-test.ts';
import { usualPercent } from './variants/usual-percent.ts';
import { keyOfNumber, type StoredTest } from './variants/variants.rules.ts';

/** A campaign as the checks before sending see it, stored or not. */
interface CheckedCampaign extends SentAudience, EmailContent {
  careful: boolean;
  test?: unknown;
  holdout: number;
}

interface Looking {
  /** the document of the visual editor */
  design: () => unknown | Promise<unknown>;
  scheduledFor: Date | null;
  /** what a send without the approval that it needs is refused with */
  approval: () => Promise<AppError | null>;
  /** the breakdown of its audience, which is asked for once */
  size?: () => ReturnType<typeof sizeOf>;
  /** the campaign that is about to be sent, in the transaction of `ctx`; null to look only */
  sending: string | null;
}

/** Reads what the rules of the checks before sending ask about a campaign. */
export function factsOfCampaign(
  ctx: Context,
  campaign: CheckedCampaign,
  { design, scheduledFor, approval, size, sending }: Looking,
): FactReader {
  const { services, db } = ctx;
  const { projectId, type, subject, preheader, body, text, from, audienceType, segmentId } = campaign;
  const isSandbox = from === services.config.sandboxFrom;
  const test = (campaign.test ?? null) as StoredTest | null;
  // Who only looks holds no lock of one question during the next.
  const within = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    sending === null ? services.database.prisma.$transaction(work, { timeout: 30_000 }) : work(db);
  const read: FactReader = createFactReader({
    content: async () => ({
      ...{ type, body, design: await design() },
      variants: (test?.variants ?? []).flatMap((variant, index) =>
        variant.body === undefined
          ? []
          : [{ index, key: keyOfNumber(index + 2), body: variant.body, design: variant.design ?? null }],
      ),
    }),
    reading: async () => {
      const fields = await coverageOfFields(db, projectId);
      const written = { subject, preheader, body, text, source: 'contacts' as const, fields, rendered: null };
      return checkTexts(services, projectId, written);
    },
    address: async () => (await findGate(db, projectId)).address,
    isTracked: async () => isTracked((await findGate(db, projectId)).tracking, type),
    isCareful: () => campaign.careful || (test !== null && test.sample < 100),
    lacksDmarc: () => lacksDmarc(services, db, projectId, from),
    sameBefore: () => findSameBefore(db, { ...campaign, segmentId: segmentId ?? null }),
    restored: () => findRestored(db, campaign),
    largestBefore: () => findLargestBefore(db, campaign),
    size: async () => {
      const sized = size ? await size() : await within((tx) => sizeOf(tx, campaign, isSandbox));
      return { count: sized.willSend, isEstimated: sized.isEstimated };
    },
    traits: async () => {
      if ((await read('reference')) !== null) return noTraits;
      const { bare } = await read('reading');
      const names = bare.map(({ name }) => name);
      return within((tx) =>
        queryAudience(tx, campaign, (inner, request) => countTraits(inner, request, names)),
      );
    },
    reference: () =>
      refusalOf(() => assertReferences(ctx, { audienceType, segmentId: segmentId ?? undefined })),
    sender: () => refusalOf(() => requireVerifiedSender(ctx, from, sending === null ? 'look' : 'keep')),
    cap: () => within((tx) => capOfCampaign(services, tx, campaign, { scheduledFor, reserveFor: sending })),
    approval: async () => ((await read('reference')) === null ? approval() : null),
    // Of an audience that is not known nothing can be said.
    hasRecipients: async () =>
      (await read('reference')) !== null || within((tx) => queryAudience(tx, campaign, anyoneToSendTo)),
    unwilling: async () => {
      if (type !== 'TRANSACTIONAL') return { count: 0, isEstimated: false };
      const { unsubscribed, isEstimated } = await within((tx) =>
        sizeOf(tx, { ...campaign, type: 'MARKETING' }, false),
      );
      return { count: unsubscribed, isEstimated };
    },
    bases: async () => {
      if ((await read('reference')) !== null) return { counts: noBases, isEstimated: false };
      return within((tx) =>
        queryAudience(tx, campaign, (inner, request) => countBases(inner, request, isSandbox)),
      );
    },
    test: async () => {
      if (test === null) return null;
      const equal = equalVariants(campaign, test).map((index) => ({ index, key: keyOfNumber(index + 2) }));
      if ((await read('reference')) !== null) return { equal, sample: null };
      const { count } = await read('size');
      return { equal, sample: await sampleOf(db, { ...campaign, test }, count) };
    },
    topics: async () => ({
      isNamed: campaign.topicId !== null,
      offered: await countOfferedTopics(db, projectId),
    }),
  });
  return read;
}

const noTraits = { of: 0, lacking: {}, neverMailed: 0, isEstimated: false };

const liftToFind = 20;

/** The recipients of each variant: those that there are, and those that a rise of a fifth needs. */
async function sampleOf(
  db: Db,
  { projectId, holdout, test }: { projectId: string; holdout: number; test: StoredTest },
  recipients: number,
) {
  const { metric, hours, sample } = test;
  const variants = test.variants.length + 1;
  const baseline = (await usualPercent(db, projectId, metric, hours)) || usualRates[metric];
  const has = Math.floor((recipients * (1 - holdout / 100) * sample) / 100 / variants);
  return {
    has,
    needed: neededPerVariant({ baseline, lift: liftToFind, variants }),
    detectableLift: detectableLift(has, { baseline, variants }),
  };
}

const noBases = { confirmed: 0, given: 0, customer: 0, default: 0, unknown: 0 };

/** The breakdown of an audience, in a large project from a sample. `db` must be a transaction. */
export const sizeOf = (db: Db, campaign: SentAudience, isSandbox: boolean) =>
  queryAudience(db, campaign, async (tx, request) => {
    const estimate = await estimateAudience(tx, request, isSandbox);
    const hasOthers = request.others !== undefined;
    return estimate
      ? { ...estimate, hasOthers, isEstimated: true }
      : { ...(await breakDownAudience(tx, request, isSandbox)), hasOthers, isEstimated: false };
  });
