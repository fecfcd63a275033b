import type { Db } from '../../base/db/index.ts';
import type { Context } from '../../base/kernel/index.ts';
import { type AudienceQuery, breakDownAudience } from '../../mail/ledger/index.ts';
import { type CampaignAudience, queryAudience } from './campaign-audience.ts';
import { countParts } from './count-parts.ts';
import { presentBreakdown } from './present-breakdown.ts';

/** An audience and the sender of its campaign. */
export type SentAudience = CampaignAudience & { from: string };

/** Counts who would receive a campaign with this audience and sender now, and the others by the reason that excludes them (B4.7). */
export function breakDownCampaign({ services }: Context, { from, ...audience }: SentAudience) {
  const isSandbox = from === services.config.sandboxFrom;
  return services.database.prisma.$transaction(
    (db) => queryAudience(db, audience, (tx, request) => countBreakdown(tx, audience, request, isSandbox)),
    { timeout: 30_000 },
  );
}

/** The counts of an audience, as they are shown. */
export async function countBreakdown(
  db: Db,
  audience: CampaignAudience,
  request: AudienceQuery,
  isSandbox: boolean,
) {
  const counted = await breakDownAudience(db, request, isSandbox);
  const parts = await countParts(db, audience);
  return presentBreakdown(counted, { isSandbox, hasOthers: request.others !== undefined, ...parts });
}
