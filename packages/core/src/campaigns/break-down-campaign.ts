import type { Context } from '../kernel/index.ts';
import { breakDownAudience } from '../sending/index.ts';
import { type Audience, queryAudience } from './campaign-audience.ts';

/** Counts who would receive a campaign with this audience and sender now, and the others by the reason that excludes them (B4.7). */
export async function breakDownCampaign(
  { services }: Context,
  { from, ...audience }: Audience & { from: string },
) {
  const isSandbox = from === services.config.sandboxFrom;
  const { matched, willSend, sandbox, ...skipped } = await services.database.prisma.$transaction(
    (db) => queryAudience(db, audience, (tx, request) => breakDownAudience(tx, request, isSandbox)),
    { timeout: 30_000 },
  );
  return { matched, willSend, skipped: isSandbox ? { ...skipped, sandbox } : skipped };
}
