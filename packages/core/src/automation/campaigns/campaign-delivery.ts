import type { Db, NeglectedRow } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { isDrained } from '../../mail/ledger/index.ts';
import { findSender } from '../../people/domains/index.ts';
import { standingOf } from './approval-of-campaign.ts';
import {
  type CampaignRow,
  cancelOfDisabledProject,
  changeCampaign,
  findNeglected,
  isFrozen,
  lockCampaign,
  markSeen,
  projectOfDeleted,
  readCampaign,
  readCampaignProject,
} from './campaigns.store.ts';
import { checkCounters } from './check-counters.ts';
import { isLookDue } from './variants/judge-test.ts';

/** The next action of the workflow. Dates are milliseconds. */
export type CampaignStep =
  | { kind: 'end' }
  | { kind: 'sleep'; until: number; forMs: number }
  | { kind: 'start' }
  | { kind: 'freeze' }
  | { kind: 'requeue' }
  | { kind: 'test' }
  | { kind: 'watch' }
  | { kind: 'skip' }
  | { kind: 'detach' };

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
      return due > now ? { kind: 'sleep', until: due, forMs: due - now } : { kind: 'start' };
    }
    case 'SENDING':
      if (!isFrozen(campaign)) return { kind: 'freeze' };
      if (campaign.retryBefore) return { kind: 'requeue' };
      return { kind: isLookDue(campaign, now) ? 'test' : 'watch' };
    case 'CANCELLED':
      if (!(await isDrained(prisma, campaignId))) return { kind: 'skip' };
      await checkCounters(services, campaignId);
      return { kind: 'end' };
    case 'DRAFT':
    case 'SENT':
      return { kind: 'end' };
  }
}

const isOfDisabledProject = async ({ database }: Services, campaign: CampaignRow): Promise<boolean> =>
  (campaign.status === 'SCHEDULED' || campaign.status === 'SENDING') &&
  ((await readCampaignProject(database.prisma, campaign.projectId))?.disabled ?? false);

/** Starts a scheduled campaign that is due: repeats the checks of `send`, then sets SENDING or CANCELLED (B3.1). */
export async function startCampaign(
  { config, database }: Services,
  campaignId: string,
  now: number,
): Promise<void> {
  await database.prisma.$transaction(async (db) => {
    const campaign = await lockCampaign(db, null, campaignId);
    if (campaign?.status !== 'SCHEDULED' || (campaign.scheduledFor?.getTime() ?? 0) > now) return;
    const project = await readCampaignProject(db, campaign.projectId);
    const statusReason = project?.disabled
      ? 'project_disabled'
      : (await findSender(config, db, campaign.projectId, campaign.from))
        ? (await isUnapproved(db, campaign))
          ? 'approval_missing'
          : null
        : 'domain_unverified';
    await changeCampaign(
      db,
      campaignId,
      statusReason ? { status: 'CANCELLED', statusReason } : { status: 'SENDING', sentAt: new Date(now) },
    );
  });
}

/** An audience that may be too large without an approval is counted when it is frozen. */
const isUnapproved = async (db: Db, campaign: CampaignRow): Promise<boolean> =>
  (await standingOf(db, campaign, async () => 0)).kind === 'missing';

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

/** One page of campaigns for `reconcile` to signal, including those `overdueSeconds` past their time. */
export const findNeglectedCampaigns = (
  services: Services,
  after: NeglectedRow | null,
  limit: number,
  overdueSeconds = 60,
): Promise<NeglectedRow[]> => findNeglected(services.database.prisma, after, limit, overdueSeconds);
