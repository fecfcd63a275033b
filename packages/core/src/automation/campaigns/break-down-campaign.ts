import type { Context } from '../../base/kernel/index.ts';
import { breakDownAudience } from '../../mail/ledger/index.ts';
import { type CampaignAudience, queryAudience } from './campaign-audience.ts';
import { presentBreakdown } from './present-breakdown.ts';

/** An audience and the sender of its campaign. */
export type SentAudience = CampaignAudience & { from: string };

/** Counts who would receive a campaign with this audience and sender now, and the others by the reason that excludes them (B4.7). */
export async function breakDownCampaign({ services }: Context, { from, ...audience }: SentAudience) {
  const isSandbox = from === services.config.sandboxFrom;
  const counted = await services.database.prisma.$transaction(
    (db) => queryAudience(db, audience, (tx, request) => breakDownAudience(tx, request, isSandbox)),
    { timeout: 30_000 },
  );
  return presentBreakdown(counted, isSandbox);
}
