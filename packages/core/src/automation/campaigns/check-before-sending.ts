import { type Context, projectIdOf } from '../../base/kernel/index.ts';
import { findingsOf, isInOrder } from '../preflight/index.ts';
import { factsOfCampaign, sizeOf } from './campaign-facts.ts';
import type { WrittenFields } from './check-campaign.ts';
import type { FamilyMember } from './family.store.ts';
import { hashOfCampaign } from './hash-campaign.ts';

/** The report of the checks before sending about a campaign, stored or not. Nothing is changed or reserved. */
export async function checkBeforeSending(
  ctx: Context,
  { design, ...fields }: Omit<WrittenFields, 'name' | 'description'>,
  scheduledFor: Date | null,
  place: FamilyMember | null,
) {
  const { services, db } = ctx;
  const projectId = projectIdOf(ctx);
  const campaign = { ...fields, ...place, projectId };
  const read = factsOfCampaign(ctx, campaign, { design: () => design, scheduledFor, sending: null });
  const findings = await findingsOf(read);
  const { willSend, duplicate, hasOthers, isEstimated } = await services.database.prisma.$transaction(
    (tx) => sizeOf(tx, campaign, fields.from === services.config.sandboxFrom),
    { timeout: 30_000 },
  );
  const { counts } = await read('bases');
  return {
    hash: await hashOfCampaign(db, projectId, fields),
    ok: isInOrder(findings),
    recipients: willSend,
    ...(hasOthers && { duplicates: duplicate }),
    ...(isEstimated && { estimated: true }),
    recipientsByBasis: counts,
    findings,
  };
}
