import type { Db } from '../../base/db/index.ts';

export interface SetupState {
  hasSubscription: boolean;
  hasVerifiedDomain: boolean;
  contactCount: number;
  lastCampaignSentAt: Date | null;
  hasEnabledWorkflow: boolean;
}

export async function readSetupState(db: Db, projectId: string): Promise<SetupState> {
  const [state] = await db.$queryRaw<SetupState[]>`
    SELECT p."subscription" IS NOT NULL AS "hasSubscription",
      EXISTS (SELECT FROM "Domain" WHERE "projectId" = p."id" AND "status" = 'VERIFIED') AS "hasVerifiedDomain",
      (SELECT count(*)::int FROM "Contact" WHERE "projectId" = p."id") AS "contactCount",
      (SELECT max("sentAt") FROM "Campaign" WHERE "projectId" = p."id") AS "lastCampaignSentAt",
      EXISTS (SELECT FROM "Workflow" WHERE "projectId" = p."id" AND "enabled") AS "hasEnabledWorkflow"
    FROM "Project" p WHERE p."id" = ${projectId}::uuid`;
  if (!state) throw new Error('the project of a request exists');
  return state;
}
