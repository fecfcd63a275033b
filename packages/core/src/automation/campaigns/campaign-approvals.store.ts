import { type ApprovalStatus, type Db, Prisma } from '../../base/db/index.ts';
import { presentActor } from '../../people/audit/index.ts';
import { type HashedCampaign, statesOf } from './hash-campaign.ts';

/** The approval of a campaign by a second person (behaviour B13.9). An approval of a call of an agent is none. */
export interface CampaignApproval {
  id: string;
  campaignId: string;
  status: ApprovalStatus;
  /** of the state that was asked for */
  hash: string;
  records: string | null;
  summary: string;
  actorType: string;
  actorId: string | null;
  keyName: string | null;
  requestedByEmail: string | null;
  decidedById: string | null;
  decidedByEmail: string | null;
  decidedAt: Date | null;
}

/** The latest approval of each campaign that has one: earlier ones do not count any more. */
async function findLatest(
  db: Db,
  projectId: string,
  campaignIds: readonly string[],
): Promise<Map<string, CampaignApproval>> {
  if (campaignIds.length === 0) return new Map();
  const rows = await db.$queryRaw<CampaignApproval[]>`
    SELECT a."id", a."campaignId", a."status"::text AS "status", a."hash", a."records", a."summary", a."actorType", a."actorId", a."keyName",
      r."email" AS "requestedByEmail", a."decidedById", u."email" AS "decidedByEmail", a."decidedAt"
    FROM unnest(${campaignIds}::uuid[]) AS c("id")
    CROSS JOIN LATERAL (
      SELECT * FROM "Approval" a WHERE a."campaignId" = c."id" AND a."projectId" = ${projectId}::uuid AND a."input" IS NULL
      ORDER BY a."createdAt" DESC, a."id" DESC LIMIT 1) a
    LEFT JOIN "User" u ON u."id" = a."decidedById"
    LEFT JOIN "User" r ON a."actorType" = 'user' AND r."id" = a."actorId"`;
  return new Map(rows.map((row) => [row.campaignId, row]));
}

export async function findLatestApproval(
  db: Db,
  projectId: string,
  campaignId: string,
): Promise<CampaignApproval | null> {
  return (await findLatest(db, projectId, [campaignId])).get(campaignId) ?? null;
}

/** Ends what was asked for and not decided: the campaign was changed, or it is not to be sent any more. */
export async function endAsking(db: Db, projectId: string, campaignIds: readonly string[]): Promise<void> {
  if (campaignIds.length === 0) return;
  await db.$executeRaw(Prisma.sql`
    UPDATE "Approval" SET "status" = 'EXPIRED'
    WHERE "campaignId" = ANY(${campaignIds}::uuid[]) AND "projectId" = ${projectId}::uuid AND "status" = 'PENDING' AND "input" IS NULL`);
}

/** What a campaign is, when it is compared with its approval. */
export type ApprovableCampaign = HashedCampaign & {
  id: string;
  status: string;
  approvedHash: string | null;
};

export interface PresentedApproval {
  id: string;
  status: ApprovalStatus;
  valid: boolean;
  changed: string[];
  requestedBy: ReturnType<typeof presentActor>;
  decidedBy: ReturnType<typeof presentActor> | null;
  decidedAt: Date | null;
}

const isOpen = ({ status }: ApprovableCampaign): boolean => status === 'DRAFT' || status === 'SCHEDULED';

/** The latest approvals of campaigns of one project, by the ids of those that have one. */
export async function approvalsOf(
  db: Db,
  projectId: string,
  campaigns: readonly ApprovableCampaign[],
): Promise<Map<string, PresentedApproval>> {
  const latest = await findLatest(
    db,
    projectId,
    campaigns.map(({ id }) => id),
  );
  const open = campaigns.filter((campaign) => latest.has(campaign.id) && isOpen(campaign));
  const states = open.length === 0 ? [] : await statesOf(db, projectId, open);
  const stateById = new Map(open.map(({ id }, index) => [id, states[index]]));
  return new Map(
    campaigns.flatMap((campaign): [string, PresentedApproval][] => {
      const approval = latest.get(campaign.id);
      if (!approval) return [];
      const state = stateById.get(campaign.id);
      // What was sent has not changed since.
      const isPresent = state ? state.hash === approval.hash : campaign.approvedHash === approval.hash;
      const changed = state && !isPresent ? changedSince(approval, state.digests()) : [];
      return [[campaign.id, present(approval, isPresent, changed)]];
    }),
  );
}

/** What is kept of a campaign with its approval, beside the hash. */
interface ApprovalFacts {
  recipients: number;
  digests: Record<string, string>;
}

export const factsOfApproval = ({ records }: Pick<CampaignApproval, 'records'>): ApprovalFacts => {
  const { recipients = 0, digests = {} } = JSON.parse(records ?? '{}') as Partial<ApprovalFacts>;
  return { recipients, digests };
};

const changedSince = (approval: CampaignApproval, digests: Record<string, string>): string[] => {
  const { digests: before } = factsOfApproval(approval);
  return Object.keys(digests)
    .filter((field) => digests[field] !== before[field])
    .sort();
};

const present = (approval: CampaignApproval, isPresent: boolean, changed: string[]): PresentedApproval => ({
  id: approval.id,
  status: approval.status,
  valid: approval.status === 'APPROVED' && isPresent,
  changed,
  requestedBy: presentActor({ ...approval, actorEmail: approval.requestedByEmail, keyId: null }),
  decidedBy:
    approval.decidedById === null
      ? null
      : presentActor({
          ...{ actorType: 'user', actorId: approval.decidedById, keyName: null, keyId: null },
          actorEmail: approval.decidedByEmail,
        }),
  decidedAt: approval.decidedAt,
});
