import { createHmac } from 'node:crypto';
import { findVerifiedDomain } from '../domains/index.ts';
import type { Services } from '../kernel/index.ts';
import {
  countCampaignEmails,
  detachEmails,
  insertCampaignEmails,
  isDrained,
  isTracked,
  signalBulkDelivery,
  skipWaiting,
  storeContent,
} from '../sending/index.ts';
import { contentOf } from '../templates/index.ts';
import { audienceOf } from './campaign-audience.ts';
import {
  type CampaignRow,
  cancelOfDisabledProject,
  changeCampaign,
  findNeglected,
  lockCampaign,
  markSeen,
  projectOfDeleted,
  readCampaign,
  readCampaignProject,
  readCounters,
  recordActivity,
  removeCounters,
  writeCounters,
} from './campaigns.store.ts';

/** The next action of the workflow. Dates are milliseconds. */
export type CampaignStep =
  | { kind: 'end' }
  | { kind: 'sleep'; until: number }
  | { kind: 'start' }
  | { kind: 'freeze' }
  | { kind: 'watch' }
  | { kind: 'skip' }
  | { kind: 'detach' };

const batch = 5_000;

/** Reads the campaign's row and returns the next action; everything up to the read `wakeSeq` counts as seen. */
export async function readCampaignStep(
  services: Services,
  campaignId: string,
  now: number,
): Promise<CampaignStep> {
  const { prisma } = services.database;
  const campaign = await readCampaign(prisma, campaignId);
  if (!campaign) return { kind: (await projectOfDeleted(prisma, campaignId)) ? 'detach' : 'end' };
  if (await isOfDisabledProject(services, campaign)) {
    await cancelOfDisabledProject(prisma, campaign.projectId);
    return { kind: 'skip' };
  }
  await markSeen(prisma, campaignId, campaign.wakeSeq);
  switch (campaign.status) {
    case 'SCHEDULED': {
      const due = campaign.scheduledFor?.getTime() ?? now;
      return due > now ? { kind: 'sleep', until: due } : { kind: 'start' };
    }
    case 'SENDING':
      return campaign.frozenAt ? { kind: 'watch' } : { kind: 'freeze' };
    case 'CANCELLED':
      return (await isDrained(prisma, campaignId)) ? { kind: 'end' } : { kind: 'skip' };
    default:
      return { kind: 'end' };
  }
}

const isOfDisabledProject = async ({ database }: Services, campaign: CampaignRow): Promise<boolean> =>
  (campaign.status === 'SCHEDULED' || campaign.status === 'SENDING') &&
  ((await readCampaignProject(database.prisma, campaign.projectId))?.disabled ?? false);

/** Starts a scheduled campaign that is due: repeats the checks of `send`, then sets SENDING or CANCELLED (B3.1). */
export async function startCampaign(services: Services, campaignId: string, now: number): Promise<void> {
  await services.database.prisma.$transaction(async (db) => {
    const campaign = await lockCampaign(db, null, campaignId);
    if (campaign?.status !== 'SCHEDULED' || (campaign.scheduledFor?.getTime() ?? 0) > now) return;
    const project = await readCampaignProject(db, campaign.projectId);
    const statusReason = project?.disabled
      ? 'project_disabled'
      : (await findVerifiedDomain(db, campaign.projectId, campaign.from))
        ? null
        : 'domain_unverified';
    await changeCampaign(
      db,
      campaignId,
      statusReason ? { status: 'CANCELLED', statusReason } : { status: 'SENDING', sentAt: new Date(now) },
    );
  });
}

/** Long enough for a million contacts on a small machine. */
const freezeTimeoutMs = 30 * 60_000;

/** Freezes the audience once: the campaign's row is locked, and a frozen campaign stays unchanged. */
export async function freezeAudience(
  services: Services,
  campaignId: string,
): Promise<{ totalRecipients: number }> {
  const frozen = await services.database.prisma.$transaction(
    async (db) => {
      const campaign = await lockCampaign(db, null, campaignId);
      if (campaign?.status !== 'SENDING' || campaign.frozenAt || !campaign.sentAt) return campaign;
      const domain = await findVerifiedDomain(db, campaign.projectId, campaign.from);
      if (!domain) {
        return changeCampaign(db, campaignId, { status: 'CANCELLED', statusReason: 'domain_unverified' });
      }
      const project = await readCampaignProject(db, campaign.projectId);
      if (!project) return campaign;
      const contentId = await storeContent(db, contentFor(campaign, project));
      const { condition } = await audienceOf(db, campaign);
      const { total, skipped } = await insertCampaignEmails(db, {
        campaignId,
        condition,
        projectId: campaign.projectId,
        contentId,
        templateId: campaign.templateId,
        domainId: domain.id,
        type: campaign.type,
        tracked: isTracked(project.tracking, campaign.type),
        sentAt: campaign.sentAt,
        addressSalt: createHmac(
          'sha256',
          services.secrets.addressHash(campaign.projectId, campaignId),
        ).digest(),
      });
      await writeCounters(db, campaignId, campaign.projectId, { skippedCount: skipped });
      return changeCampaign(db, campaignId, { frozenAt: new Date(), totalRecipients: total, contentId });
    },
    { timeout: freezeTimeoutMs, maxWait: 30_000 },
  );
  if (frozen) await signalBulkDelivery(services, frozen.projectId);
  return { totalRecipients: frozen?.totalRecipients ?? 0 };
}

const contentFor = (campaign: CampaignRow, project: { name: string; language: string }) => ({
  ...contentOf(campaign),
  projectId: campaign.projectId,
  sourceType: 'CAMPAIGN' as const,
  headers: {},
  projectName: project.name,
  language: project.language,
  attachments: [],
});

/**
 * Closes a campaign without open emails: counts its emails by their rows, corrects the counters if they differ (they
 * are written with async commit), and sets SENT.
 *
 * @returns whether the campaign has ended
 */
export async function closeLedger(services: Services, campaignId: string): Promise<boolean> {
  const { prisma } = services.database;
  if (!(await isDrained(prisma, campaignId)))
    return (await readCampaign(prisma, campaignId))?.status !== 'SENDING';
  return prisma.$transaction(
    async (db) => {
      const campaign = await lockCampaign(db, null, campaignId);
      if (campaign?.status !== 'SENDING' || !campaign.frozenAt) return campaign?.status !== 'SENDING';
      // Checked again under the lock: a late answer may have requeued an email in between.
      if (!(await isDrained(db, campaignId))) return false;
      const counted = await countCampaignEmails(db, campaignId);
      // Opens and clicks continue after the closing; only the counters of the ledger are compared.
      const counters = {
        sentCount: counted.sent,
        failedCount: counted.failed,
        skippedCount: counted.skipped,
        uncertainCount: counted.uncertain,
      };
      const before = await readCounters(db, campaignId);
      const differs = Object.entries(counters).filter(
        ([name, value]) => before?.[name as keyof typeof counters] !== value,
      );
      if (differs.length > 0) {
        services.log.warn(
          { campaignId, differs: Object.fromEntries(differs), before },
          'campaign counters corrected at closing',
        );
      }
      await writeCounters(db, campaignId, campaign.projectId, counters);
      await changeCampaign(db, campaignId, {
        status: 'SENT',
        statusReason: null,
        closedAt: new Date(),
        totalRecipients: counted.total,
      });
      await recordActivity(db, campaign.projectId, 'campaign.sent', {
        campaignId,
        campaignName: campaign.name,
        subject: campaign.subject,
        totalRecipients: counted.total,
        sentCount: counted.sent,
      });
      return true;
    },
    { timeout: 120_000, maxWait: 30_000 },
  );
}

/** Signals the delivery of a campaign's email, in case an earlier signal was lost. */
export async function signalCampaignDelivery(services: Services, campaignId: string): Promise<void> {
  const campaign = await readCampaign(services.database.prisma, campaignId);
  if (campaign) await signalBulkDelivery(services, campaign.projectId);
}

/**
 * Records why a campaign cannot continue after a permanent failure. Before the freeze it is cancelled; afterwards
 * email is being sent, so it stays SENDING and shows the reason until a retry succeeds.
 *
 * @returns whether the campaign has ended
 */
export async function giveUpCampaign(services: Services, campaignId: string): Promise<boolean> {
  const given = await services.database.prisma.$transaction(async (db) => {
    const campaign = await lockCampaign(db, null, campaignId);
    if (campaign?.status !== 'SCHEDULED' && campaign?.status !== 'SENDING') return null;
    const failure = failureOf(campaign);
    if (campaign.statusReason !== failure.statusReason) await changeCampaign(db, campaignId, failure);
    return failure;
  });
  if (given) services.log.error({ campaignId, ...given }, 'a campaign cannot go on');
  return given?.status === 'CANCELLED';
}

const failureOf = ({ status, frozenAt }: CampaignRow) => {
  if (status === 'SCHEDULED') return { status: 'CANCELLED', statusReason: 'start_failed' } as const;
  return frozenAt
    ? ({ status: 'SENDING', statusReason: 'completion_failed' } as const)
    : ({ status: 'CANCELLED', statusReason: 'audience_failed' } as const);
};

/** Skips a batch of waiting emails of a cancelled campaign. @returns how many */
export async function skipBatch(services: Services, campaignId: string): Promise<number> {
  const campaign = await readCampaign(services.database.prisma, campaignId);
  if (campaign?.status !== 'CANCELLED') return 0;
  const reason = campaign.statusReason === 'project_disabled' ? 'project_disabled' : 'cancelled';
  return skipWaiting(services.database.prisma, { projectId: campaign.projectId, campaignId }, reason, batch);
}

/**
 * Clears the campaign id of a batch of emails of a deleted campaign; waiting ones are skipped. @returns whether
 * there may be more
 */
export async function detachBatch(services: Services, campaignId: string): Promise<boolean> {
  const { prisma } = services.database;
  const projectId = await projectOfDeleted(prisma, campaignId);
  if (!projectId || (await readCampaign(prisma, campaignId))) return false;
  const skipped = await skipWaiting(prisma, { projectId, campaignId }, 'cancelled', batch);
  const detached = await detachEmails(prisma, campaignId, batch);
  if (skipped + detached > 0) return true;
  await removeCounters(prisma, campaignId);
  return false;
}

/** Campaigns for `reconcile` to signal, including those `overdueSeconds` past their time. */
export const findNeglectedCampaigns = (
  services: Services,
  limit: number,
  overdueSeconds = 60,
): Promise<string[]> => findNeglected(services.database.prisma, limit, overdueSeconds);
