import type { Context } from '../kernel/index.ts';
import { type AudienceBreakdown, breakDownAudience, estimateAudience } from '../sending/index.ts';
import { type Audience, queryAudience } from './campaign-audience.ts';

type Sent = Audience & { from: string };

/** Counts who would receive a campaign with this audience and sender now, and the others by the reason that excludes them (B4.7). */
export async function breakDownCampaign({ services }: Context, { from, ...audience }: Sent) {
  const isSandbox = from === services.config.sandboxFrom;
  const counted = await services.database.prisma.$transaction(
    (db) => queryAudience(db, audience, (tx, request) => breakDownAudience(tx, request, isSandbox)),
    { timeout: 30_000 },
  );
  return byReason(counted, isSandbox);
}

/** The same from a sample of contacts; null in a project that is not large. */
export async function estimateCampaign({ services }: Context, { from, ...audience }: Sent) {
  const isSandbox = from === services.config.sandboxFrom;
  const estimate = await services.database.prisma.$transaction(
    (db) => queryAudience(db, audience, (tx, request) => estimateAudience(tx, request, isSandbox)),
    { timeout: 30_000 },
  );
  return estimate && { ...byReason(estimate, isSandbox), estimated: true };
}

function byReason({ matched, willSend, sandbox, ...skipped }: AudienceBreakdown, isSandbox: boolean) {
  return { matched, willSend, skipped: isSandbox ? { ...skipped, sandbox } : skipped };
}
