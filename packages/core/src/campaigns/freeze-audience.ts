import { createHmac } from 'node:crypto';
import { takeForCampaign } from '../billing/index.ts';
import type { Db } from '../db/index.ts';
import { findSender, type Sender } from '../domains/index.ts';
import type { Services } from '../kernel/index.ts';
import {
  batchSizeOf,
  exceededDailyCap,
  insertCampaignEmails,
  isTracked,
  lockFreeze,
  signalBulkDelivery,
  storeContent,
} from '../sending/index.ts';
import { contentOf } from '../templates/index.ts';
import { audienceOf } from './campaign-audience.ts';
import {
  type CampaignProject,
  type CampaignRow,
  changeCampaign,
  lockCampaign,
  markFrozen,
  readCampaign,
  readCampaignProject,
  writeCounters,
} from './campaigns.store.ts';

/** Long enough for a million contacts on a small machine. */
const freezeTimeoutMs = 30 * 60_000;

/** Thrown to roll back a freeze whose campaign was cancelled meanwhile. */
class Overtaken extends Error {}

/** Thrown to roll back a freeze whose audience would exceed a cap (B4.18, B8.1). */
class OverCap extends Error {
  readonly reason: 'billing_limit_exceeded' | 'daily_limit_exceeded';

  constructor(reason: OverCap['reason']) {
    super(reason);
    this.reason = reason;
  }
}

type UnfrozenCampaign = CampaignRow & { sentAt: Date };

const isUnfrozen = (campaign: CampaignRow | null): campaign is UnfrozenCampaign =>
  campaign?.status === 'SENDING' && campaign.frozenAt === null && campaign.sentAt !== null;

/**
 * Freezes the audience once; a frozen campaign stays unchanged. The campaign's row is locked only to mark it as frozen, at the end,
 * so that a cancellation is answered at once: the mark then fails, and nothing of the freeze remains.
 */
export async function freezeAudience(
  services: Services,
  campaignId: string,
): Promise<{ totalRecipients: number }> {
  const { prisma } = services.database;
  const campaign = await readCampaign(prisma, campaignId);
  const project = campaign && (await readCampaignProject(prisma, campaign.projectId));
  if (isUnfrozen(campaign) && project) {
    const sender = await findSender(services.config, prisma, campaign.projectId, campaign.from);
    if (sender) await freeze(services, campaign, project, sender);
    else await cancelUnfrozen(services, campaignId, 'domain_unverified');
  }
  if (campaign) await signalBulkDelivery(services, campaign.projectId);
  return { totalRecipients: (await readCampaign(prisma, campaignId))?.totalRecipients ?? 0 };
}

async function freeze(
  services: Services,
  campaign: UnfrozenCampaign,
  project: CampaignProject,
  { domainId }: Sender,
): Promise<void> {
  const { database, config } = services;
  // Before the transaction, which would keep other campaigns with the same content waiting.
  const contentId = await storeContent(database.prisma, contentFor(campaign, project));
  const write = async (db: Db): Promise<void> => {
    await lockFreeze(db, campaign.id);
    if (!isUnfrozen(await readCampaign(db, campaign.id))) throw new Overtaken();
    const { condition } = await audienceOf(db, campaign);
    const { total, suppressed, invalid, sandbox } = await insertCampaignEmails(db, {
      campaignId: campaign.id,
      condition,
      projectId: campaign.projectId,
      contentId,
      templateId: campaign.templateId,
      domainId,
      type: campaign.type,
      tracked: isTracked(project.tracking, campaign.type),
      sentAt: campaign.sentAt,
      addressSalt: createHmac(
        'sha256',
        services.secrets.addressHash(campaign.projectId, campaign.id),
      ).digest(),
      batchSize: batchSizeOf(project.sendRate ?? config.SEND_RATE_PER_SECOND),
    });
    if (!(await markFrozen(db, campaign.id, { totalRecipients: total, contentId }))) throw new Overtaken();
    const quantity = total - suppressed - invalid - sandbox;
    if (config.billingEnabled && !(await takeForCampaign(db, campaign, quantity)))
      throw new OverCap('billing_limit_exceeded');
    const { projectId } = campaign;
    if ((await exceededDailyCap(config, db, { projectId, quantity, kept: true })) !== null)
      throw new OverCap('daily_limit_exceeded');
    await writeCounters(db, campaign.id, campaign.projectId, {
      skippedCount: suppressed + invalid + sandbox,
      skippedSuppressed: suppressed,
      skippedInvalid: invalid,
      skippedSandbox: sandbox,
    });
  };
  try {
    await database.prisma.$transaction(write, { timeout: freezeTimeoutMs, maxWait: 30_000 });
  } catch (error) {
    if (error instanceof OverCap) await cancelUnfrozen(services, campaign.id, error.reason);
    else if (!(error instanceof Overtaken)) throw error;
  }
}

const cancelUnfrozen = (
  { database }: Services,
  campaignId: string,
  statusReason: 'domain_unverified' | OverCap['reason'],
): Promise<unknown> =>
  database.prisma.$transaction(async (db) => {
    if (!isUnfrozen(await lockCampaign(db, null, campaignId))) return;
    await changeCampaign(db, campaignId, { status: 'CANCELLED', statusReason });
  });

const contentFor = (campaign: CampaignRow, project: CampaignProject) => ({
  ...contentOf(campaign),
  projectId: campaign.projectId,
  sourceType: 'CAMPAIGN' as const,
  headers: {},
  projectName: project.name,
  language: project.language,
  attachments: [],
});
