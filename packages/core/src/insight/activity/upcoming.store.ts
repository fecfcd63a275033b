import { readDefinitionsOf, shardOf } from '../../automation/workflows/index.ts';
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

/**
 * Waiting executions that go on to a SEND_EMAIL step, by the version that they run, when their delay ends or the event that they wait for
 * does not come.
 */
export async function findUpcomingEmails(
  db: Db,
  { projectId, until, limit }: UpcomingSearch,
): Promise<UpcomingEmail[]> {
  const ofVersions = await nextEmails(db, projectId);
  return db.$queryRaw<UpcomingEmail[]>`
    WITH ways AS MATERIALIZED (
      SELECT n."version", n."fromStepId", n."name", n."templateId"
      FROM jsonb_to_recordset(${JSON.stringify(ofVersions)}::jsonb) AS n("version" int, "fromStepId" uuid, "name" text, "templateId" uuid)
      UNION ALL
      SELECT NULL, t."fromStepId", s."name", s."templateId" FROM "WorkflowTransition" t
      JOIN "WorkflowStep" s ON s."id" = t."toStepId" AND s."projectId" = t."projectId" AND s."type" = 'SEND_EMAIL'
      WHERE t."projectId" = ${projectId}::uuid AND t."waitOutcome" IS DISTINCT FROM 'EVENT'
    ), next AS MATERIALIZED (
      SELECT w.*, m."subject" FROM ways w LEFT JOIN "Template" m ON m."id" = w."templateId" AND m."projectId" = ${projectId}::uuid
    )
    SELECT x."id" AS "executionId", w."id" AS "workflowId", w."name" AS "workflowName", c."id" AS "contactId", c."email" AS "contactEmail",
      x."dueAt" AS "resumeAt", x."stepName", x."subject"
    FROM "Workflow" w CROSS JOIN LATERAL (
      SELECT x."id", x."contactId", x."dueAt", n."name" AS "stepName", n."subject" FROM "WorkflowExecution" x
      JOIN next n ON n."fromStepId" = x."currentStepId" AND n."version" IS NOT DISTINCT FROM x."version"
      WHERE ${shardOf(constant('x."projectId"'))} = ${shardOf(Prisma.sql`${projectId}::uuid`)} AND x."projectId" = ${projectId}::uuid
        AND x."workflowId" = w."id" AND x."dueAt" <= ${until} AND x."status" = 'WAITING'
      ORDER BY x."dueAt", x."id" LIMIT ${limit}::int) x
    CROSS JOIN LATERAL (SELECT "id", "email" FROM "Contact" WHERE "id" = x."contactId" AND ${ofProject('"projectId"', projectId)} OFFSET 0) c
    WHERE w."projectId" = ${projectId}::uuid
    ORDER BY x."dueAt", x."id" LIMIT ${limit}::int`;
}

interface NextEmail {
  /** with which the executions began */
  version: number;
  fromStepId: string;
  name: string;
  templateId: string | null;
}

/** The steps of versions that lead to an email without an event: what they run may be another version by now. */
async function nextEmails(db: Db, projectId: string): Promise<NextEmail[]> {
  const began = await db.workflowVersion.findMany({
    where: { projectId, entered: true },
    select: { workflowId: true, version: true },
  });
  const lineageOf = await readDefinitionsOf(db, began);
  return began.flatMap((key) => {
    const { steps, transitions } = lineageOf(key)?.runs ?? { steps: [], transitions: [] };
    const emails = new Map(steps.filter(({ type }) => type === 'SEND_EMAIL').map((step) => [step.id, step]));
    return transitions.flatMap(({ fromStepId, toStepId, waitOutcome }) => {
      const email = emails.get(toStepId);
      if (!email || waitOutcome === 'EVENT') return [];
      const { name, templateId } = email;
      return { version: key.version, fromStepId, name, templateId };
    });
  });
}
