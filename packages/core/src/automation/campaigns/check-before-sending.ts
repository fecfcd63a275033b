import { type Context, projectIdOf } from '../../base/kernel/index.ts';
import { findingsOf, isInOrder } from '../preflight/index.ts';
import { approvalRefusal, standingOf } from './approval-of-campaign.ts';
import { factsOfCampaign, sizeOf } from './campaign-facts.ts';
import type { WrittenFields } from './check-campaign.ts';
import type { FamilyMember } from './family.store.ts';
import { type HashedFields, stateOf } from './hash-campaign.ts';

/** The report of the checks before sending about a campaign, stored or not. Nothing is changed or reserved. */
export async function checkBeforeSending(
  ctx: Context,
  { design, ...fields }: HashedFields & Pick<WrittenFields, 'design'>,
  scheduledFor: Date | null,
  place: (FamilyMember & { approvedHash: string | null }) | null,
) {
  const { services, db } = ctx;
  const projectId = projectIdOf(ctx);
  const campaign = { ...fields, ...place, projectId };
  const sized = services.database.prisma.$transaction(
    (tx) => sizeOf(tx, campaign, fields.from === services.config.sandboxFrom),
    { timeout: 30_000 },
  );
  const read = factsOfCampaign(ctx, campaign, {
    design: () => design,
    scheduledFor,
    approval: async () =>
      approvalRefusal(services, campaign, await standingOf(db, campaign, async () => (await sized).willSend)),
    size: () => sized,
    sending: null,
  });
  // What takes longest is asked for first: texts are read on a thread, and names are asked for in DNS.
  const [{ willSend, duplicate, hasOthers, isEstimated }] = await Promise.all([
    sized,
    read('reading'),
    read('lacksDmarc'),
  ]);
  const findings = await findingsOf(read);
  const { counts } = await read('bases');
  return {
    hash: (await stateOf(db, projectId, campaign)).hash,
    ok: isInOrder(findings),
    recipients: willSend,
    ...(hasOthers && { duplicates: duplicate }),
    ...(isEstimated && { estimated: true }),
    recipientsByBasis: counts,
    findings,
  };
}
