import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import { findLeaders } from '../../people/domains/index.ts';
import { claimForgotten, findAuthor, readCampaignProject, readCounters } from './campaigns.store.ts';
import type { GuardReason } from './guard.rules.ts';

interface PausedCampaign {
  id: string;
  projectId: string;
  name: string;
  totalRecipients: number;
}

/**
 * Writes an email to the leaders of the project of a campaign that was paused, and to its author where its guard did that. After the commit
 * `platformMail.notify` is to be called.
 */
export async function tellOfPause(
  { platformMail, config }: Pick<Services, 'platformMail' | 'config'>,
  db: Db,
  { id, projectId, name: campaign, totalRecipients: total }: PausedCampaign,
  reason: GuardReason | 'forgotten',
): Promise<void> {
  const sent = (await readCounters(db, id))?.sentCount ?? 0;
  const project = (await readCampaignProject(db, projectId))?.name ?? '';
  const url = projectPage(config, projectId, `campaigns/${id}`);
  const leaders = await findLeaders(db, projectId);
  const author = reason === 'forgotten' ? null : await findAuthor(db, projectId, id);
  const isToldAnyway = leaders.some(({ email }) => email === author?.email);
  for (const to of author && !isToldAnyway ? [author, ...leaders] : leaders)
    await platformMail.write(db, {
      to,
      mail: 'campaignPaused',
      values: { project, campaign, reason, sent, total },
      url,
    });
}

const mostTold = 1_000;

/** Tells the leaders of projects of campaigns that have been paused for a week, once for each pause. Runs every minute. @returns how many */
export async function tellOfForgotten(services: Services): Promise<number> {
  for (let told = 0; told < mostTold; told += 1) {
    const found = await services.database.prisma.$transaction(async (db) => {
      const campaign = await claimForgotten(db);
      if (campaign) await tellOfPause(services, db, campaign, 'forgotten');
      return campaign !== null;
    });
    if (!found) {
      if (told > 0) services.platformMail.notify();
      return told;
    }
  }
  services.platformMail.notify();
  return mostTold;
}
