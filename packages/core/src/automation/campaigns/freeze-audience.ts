import { createHmac } from 'node:crypto';
import { awaitErasures, countRemoved, eraseTraces } from '../../audience/contacts/index.ts';
import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import {
  type AudienceCursor,
  batchSizeOf,
  goneRecipients,
  identifyRest,
  insertCampaignEmails,
  lockFreeze,
  ofLinkTags,
  ofTopic,
  signalBulkDelivery,
  storeContent,
} from '../../mail/ledger/index.ts';
import { isTracked, linkTagsOf } from '../../mail/message/index.ts';
import type { OwnLinkTags } from '../../mail/message/link-tags.rules.ts';
import { exceededDailyCap } from '../../mail/ramp/index.ts';
import { takeForCampaign } from '../../people/billing/index.ts';
import { findSender, type Sender } from '../../people/domains/index.ts';
import { linkTaggingOf } from '../../people/projects/index.ts';
import { approvalAtFreeze, isStill } from './approval-of-campaign.ts';
import { audienceOf } from './campaign-audience.ts';
import { firstPart, nextPart } from './campaigns.rules.ts';
import {
  addToCounters,
  type CampaignProject,
  type CampaignRow,
  changeCampaign,
  isFrozen,
  localTimeOf,
  lockCampaign,
  markFrozen,
  readCampaign,
  readCampaignProject,
  writeCounters,
} from './campaigns.store.ts';
import { familyOf } from './family.store.ts';
import { wavesOfLocalTime } from './local-waves.ts';
import { testOf } from './variants/present-test.ts';
import {
  contentOfVariant,
  keysOf,
  numberOfKey,
  ofVariant,
  type StoredTest,
} from './variants/variants.rules.ts';

/** Long enough for a million contacts on a small machine. */
const freezeTimeoutMs = 30 * 60_000;

/** Thrown to roll back a freeze whose campaign was cancelled meanwhile. */
class Overtaken extends Error {}

/** Thrown to roll back a freeze whose audience would exceed a cap (B4.18, B8.1), or is not what was approved (B13.9). */
class OverCap extends Error {
  readonly reason: 'billing_limit_exceeded' | 'daily_limit_exceeded' | 'approval_missing';

  constructor(reason: OverCap['reason']) {
    super(reason);
    this.reason = reason;
  }
}

type UnfrozenCampaign = CampaignRow & { sentAt: Date };

const isUnfrozen = (campaign: CampaignRow | null): campaign is UnfrozenCampaign =>
  campaign?.status === 'SENDING' && !isFrozen(campaign) && campaign.sentAt !== null;

/**
 * Freezes the audience once; a frozen campaign stays unchanged. A large audience is frozen in parts, so that the first emails leave
 * while the others are written. The campaign's row is locked only to mark a part as frozen, at its end, so that a cancellation is
 * answered at once: the mark then fails, and nothing of the part remains.
 *
 * @param size contacts of the first part
 */
export async function freezeAudience(
  services: Services,
  campaignId: string,
  size = firstPart,
): Promise<{ totalRecipients: number }> {
  const { prisma } = services.database;
  const begun = await readCampaign(prisma, campaignId);
  // Of a freeze that an earlier process began, it is not known who was erased meanwhile.
  const removed =
    begun && isUnfrozen(begun) && !begun.frozenAt ? await countRemoved(prisma, begun.projectId) : null;
  for (let limit = size; ; limit = nextPart(limit)) {
    const campaign = await readCampaign(prisma, campaignId);
    if (campaign) await signalBulkDelivery(services, campaign.projectId);
    const project = campaign && (await readCampaignProject(prisma, campaign.projectId));
    if (!isUnfrozen(campaign) || !project) {
      if (campaign) await eraseGone(services, campaign, removed);
      return { totalRecipients: campaign?.totalRecipients ?? 0 };
    }
    const sender = await findSender(services.config, prisma, campaign.projectId, campaign.from);
    if (sender) await freezePart(services, campaign, project, sender, limit);
    else await cancelUnfrozen(services, campaignId, 'domain_unverified');
  }
}

const recipientsAtOnce = 5_000;

/**
 * A part of an audience is frozen without locking its contacts: one that is erased before the part is committed would stay in its email
 * for ever. Such emails are erased when the audience is frozen.
 *
 * @param removedBefore contacts of the project that had been removed when the freeze began; null when that is not known
 */
async function eraseGone(
  { database: { prisma } }: Services,
  { id, projectId }: CampaignRow,
  removedBefore: number | null,
): Promise<void> {
  await prisma.$transaction((db) => awaitErasures(db, projectId), { timeout: 60_000, maxWait: 30_000 });
  if (removedBefore !== null && (await countRemoved(prisma, projectId)) === removedBefore) return;
  let after: Uint8Array<ArrayBuffer> | null = null;
  do {
    const { contactIds, next } = await goneRecipients(prisma, id, after, recipientsAtOnce);
    await prisma.$transaction((db) => eraseTraces(db, projectId, contactIds), { timeout: 60_000 });
    after = next;
  } while (after !== null);
}

async function freezePart(
  services: Services,
  campaign: UnfrozenCampaign,
  project: CampaignProject,
  { domainId }: Sender,
  limit: number,
): Promise<void> {
  const { database, config } = services;
  // Before the transaction, which would keep other campaigns with the same content waiting.
  const test = testOf(campaign);
  const variantContents = test && (await contentsOfTest(services, campaign, project, test));
  const contentId =
    (campaign.frozenAt && campaign.contentId) ??
    variantContents?.[1] ??
    (await storeContent(database.prisma, contentFor(campaign, project)));
  const localTime = localTimeOf(campaign);
  // Measured from the time for which the start was planned: what is late because the start was late is due at once.
  const local =
    localTime &&
    (await wavesOfLocalTime(localTime, campaign.scheduledFor ?? campaign.sentAt, project.timeZone));
  const isCapped = config.billingEnabled || config.NEW_PROJECT_RAMP !== undefined;
  const write = async (db: Db): Promise<void> => {
    // The campaigns of a family take turns, so that each finds the emails of the others.
    await lockFreeze(db, familyOf(campaign));
    const now = await readCampaign(db, campaign.id);
    if (!isUnfrozen(now)) throw new Overtaken();
    const approval = await approvalAtFreeze(db, now);
    if (approval.kind === 'missing') throw new OverCap('approval_missing');
    const audience = await audienceOf(db, campaign);
    if (!(await isStill(db, now, approval))) throw new OverCap('approval_missing');
    const { total, skipped, simulated, variants, next } = await insertCampaignEmails(db, {
      ...audience,
      campaignId: campaign.id,
      contentId,
      // What is compared is not what the template says.
      templateId: test ? null : campaign.templateId,
      domainId,
      tracked: isTracked(project.tracking, campaign.type),
      sentAt: campaign.sentAt,
      addressSalt: createHmac(
        'sha256',
        services.secrets.addressHash(campaign.projectId, campaign.id),
      ).digest(),
      batchSize: pacedBatchSize(batchSizeOf(project.sendRate ?? config.SEND_RATE_PER_SECOND), campaign),
      after: frozenTo(now),
      // A cap, and the most without an approval, are checked with the whole audience, before anything of it is sent, and waves are parts of it.
      limit: isCapped || campaign.careful || approval.kind === 'counted' ? null : limit,
      // A pause, or its end, while this part is written reaches its batches when they are claimed, or within a minute.
      held: now.pausedAt !== null || campaign.perHour !== null || campaign.careful,
      careful: campaign.careful,
      local,
      holdout: campaign.holdout,
      test: test && variantContents && { contents: variantContents, sample: test.sample },
    });
    const frozenTest = variantContents && {
      contents: variantContents,
      recipients: variantContents.map(
        (_, number) => (now.variantRecipients[number] ?? 0) + (variants[number] ?? 0),
      ),
    };
    if (!(await markFrozen(db, campaign.id, { recipients: total, contentId, test: frozenTest, next })))
      throw new Overtaken();
    const skippedCount = Object.values(skipped).reduce((sum, count) => sum + count, 0);
    if (approval.kind === 'counted' && total - skippedCount > approval.most)
      throw new OverCap('approval_missing');
    const quantity = total - skippedCount - simulated;
    if (config.billingEnabled && !(await takeForCampaign(db, campaign, quantity)))
      throw new OverCap('billing_limit_exceeded');
    const { projectId } = campaign;
    if ((await exceededDailyCap(config, db, { projectId, quantity, kept: true })) !== null)
      throw new OverCap('daily_limit_exceeded');
    // A campaign from before counters existed has no row for them yet.
    if (!now.frozenAt) await writeCounters(db, campaign.id, projectId, {});
    await addToCounters(db, campaign.id, { counters: { skippedCount }, skips: skipped });
  };
  try {
    await database.prisma.$transaction(write, { timeout: freezeTimeoutMs, maxWait: 30_000 });
  } catch (error) {
    if (error instanceof OverCap) await cancelUnfrozen(services, campaign.id, error.reason);
    else if (!(error instanceof Overtaken)) throw error;
  }
}

/** With a pace, a batch is at most what it allows in a minute: batches are released as a whole. */
const pacedBatchSize = (size: number, { perHour }: CampaignRow): number =>
  perHour === null ? size : Math.min(size, Math.max(1, Math.floor(perHour / 60)));

const frozenTo = ({ frozenToCreatedAt, frozenToId }: CampaignRow): AudienceCursor | null =>
  frozenToCreatedAt && frozenToId ? { createdAt: frozenToCreatedAt, id: frozenToId } : null;

const cancelUnfrozen = (
  { database }: Services,
  campaignId: string,
  statusReason: 'domain_unverified' | OverCap['reason'],
): Promise<unknown> =>
  database.prisma.$transaction(async (db) => {
    if (!isUnfrozen(await lockCampaign(db, null, campaignId))) return;
    await changeCampaign(db, campaignId, { status: 'CANCELLED', statusReason });
  });

/** The ids of the contents of a test: of its rest, which shows A until it is decided, and of its variants. */
async function contentsOfTest(
  { database: { prisma } }: Services,
  campaign: CampaignRow,
  project: CampaignProject,
  test: StoredTest,
): Promise<string[]> {
  if (campaign.frozenAt && campaign.variantContents.length > 0) return campaign.variantContents;
  const ids = [await storeContent(prisma, contentFor(campaign, project), identifyRest(campaign.id))];
  for (const key of keysOf(test))
    ids.push(await storeContent(prisma, contentFor(campaign, project, numberOfKey(key))));
  return ids;
}

const contentFor = (campaign: CampaignRow, project: CampaignProject, variant = 1) => ({
  ...contentOfVariant(campaign, testOf(campaign), variant),
  projectId: campaign.projectId,
  sourceType: 'CAMPAIGN' as const,
  headers: {},
  projectName: project.name,
  language: project.language,
  ...ofTopic(campaign),
  ...ofLinkTags(
    ofVariant(
      linkTagsOf(linkTaggingOf(project.utm), campaign, campaign.utm as OwnLinkTags | null),
      campaign,
      variant,
    ),
  ),
  attachments: [],
});
