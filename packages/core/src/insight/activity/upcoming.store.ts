import { shardOf } from '../../automation/workflows/index.ts';
import { constant, type Db, ofProject, Prisma } from '../../base/db/index.ts';

export interface UpcomingSearch {
  projectId: string;
  until: Date;
  limit: number;
}

export interface UpcomingCampaign {
  id: string;
  name: string;
  subject: string;
  scheduledFor: Date;
  totalRecipients: number;
  segmentName: string | null;
  audienceType: string;
}

export const findUpcomingCampaigns = (
  db: Db,
  { projectId, until, limit }: UpcomingSearch,
): Promise<UpcomingCampaign[]> =>
  db.$queryRaw<UpcomingCampaign[]>`
    SELECT c."id", c."name", c."subject", c."scheduledFor", c."totalRecipients", s."name" AS "segmentName",
      c."audienceType"::text AS "audienceType"
    FROM "Campaign" c LEFT JOIN "Segment" s ON s."id" = c."segmentId" AND s."projectId" = c."projectId"
    WHERE c."projectId" = ${projectId}::uuid AND c."status" = 'SCHEDULED' AND c."scheduledFor" <= ${until}
    ORDER BY c."scheduledFor", c."id" LIMIT ${limit}::int`;

export interface UpcomingEmail {
  executionId: string;
  workflowId: string;
  workflowName: string;
  contactId: string;
  contactEmail: string;
  resumeAt: Date;
  stepName: string;
  subject: string | null;
}

/** Waiting executions that go on to a SEND_EMAIL step, when their delay ends or the event that they wait for does not come. */
export const findUpcomingEmails = (
  db: Db,
  { projectId, until, limit }: UpcomingSearch,
): Promise<UpcomingEmail[]> =>
  db.$queryRaw<UpcomingEmail[]>`
    WITH next AS MATERIALIZED (
      SELECT t."fromStepId", s."name", m."subject"
      FROM "WorkflowTransition" t
      JOIN "WorkflowStep" s ON s."id" = t."toStepId" AND s."projectId" = t."projectId" AND s."type" = 'SEND_EMAIL'
      LEFT JOIN "Template" m ON m."id" = s."templateId" AND m."projectId" = t."projectId"
      WHERE t."projectId" = ${projectId}::uuid AND t."waitOutcome" IS DISTINCT FROM 'EVENT'
    )
    SELECT x."id" AS "executionId", w."id" AS "workflowId", w."name" AS "workflowName", c."id" AS "contactId", c."email" AS "contactEmail",
      x."dueAt" AS "resumeAt", x."stepName", x."subject"
    FROM "Workflow" w CROSS JOIN LATERAL (
      SELECT x."id", x."contactId", x."dueAt", n."name" AS "stepName", n."subject" FROM "WorkflowExecution" x
      JOIN next n ON n."fromStepId" = x."currentStepId"
      WHERE ${shardOf(constant('x."projectId"'))} = ${shardOf(Prisma.sql`${projectId}::uuid`)} AND x."projectId" = ${projectId}::uuid
        AND x."workflowId" = w."id" AND x."dueAt" <= ${until} AND x."status" = 'WAITING'
      ORDER BY x."dueAt", x."id" LIMIT ${limit}::int) x
    CROSS JOIN LATERAL (SELECT "id", "email" FROM "Contact" WHERE "id" = x."contactId" AND ${ofProject('"projectId"', projectId)} OFFSET 0) c
    WHERE w."projectId" = ${projectId}::uuid
    ORDER BY x."dueAt", x."id" LIMIT ${limit}::int`;
