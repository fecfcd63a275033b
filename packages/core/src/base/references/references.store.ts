import { type CampaignStatus, type Db, Prisma } from '../db/index.ts';

/** A named record that a user can open. */
export interface Referrer {
  id: string;
  name: string;
}

export interface CampaignReferrer extends Referrer {
  status: CampaignStatus;
}

/** The records that use something. Finished campaigns are not included. */
export interface References {
  /** by their texts, as the campaigns and workflows */
  templates: Referrer[];
  segments: Referrer[];
  campaigns: CampaignReferrer[];
  workflows: Referrer[];
  /** by the event that they count */
  goals: Referrer[];
}

export interface StepReferrer {
  workflowId: string;
  workflowName: string;
  stepId: string;
  stepName: string;
}

/** States in which a campaign may still read its audience or its template (behaviour B4.5 "in use"). */
const openCampaigns: CampaignStatus[] = ['DRAFT', 'SCHEDULED', 'SENDING'];

const byName = [{ name: 'asc' }, { id: 'asc' }] as const;

/**
 * Where one of these references is read: templates by their texts, segments by their condition, open campaigns by their audience, texts or goal,
 * workflows by their trigger, goals, exit rules or any step, goals by their event. A reference is written as in the `reads` columns: `data.plan`, `event.signup`, `email.open`, `segment.<uuid>`, `goal.<uuid>`, `subscribed`.
 */
export async function findReferences(
  db: Db,
  projectId: string,
  refs: readonly string[],
): Promise<References> {
  const reads = { hasSome: [...refs] };
  const goalIds = refs.flatMap((ref) => (ref.startsWith('goal.') ? ref.slice('goal.'.length) : []));
  const events = refs.flatMap((ref) => (ref.startsWith('event.') ? ref.slice('event.'.length) : []));
  const [templates, segments, campaigns, workflows, goals] = await Promise.all([
    db.template.findMany({
      where: { projectId, textReads: reads },
      select: { id: true, name: true },
      orderBy: [...byName],
    }),
    db.segment.findMany({
      where: { projectId, reads },
      select: { id: true, name: true },
      orderBy: [...byName],
    }),
    db.campaign.findMany({
      where: {
        projectId,
        OR: [{ reads }, { textReads: reads }, { goalId: { in: goalIds } }],
        status: { in: openCampaigns },
      },
      select: { id: true, name: true, status: true },
      orderBy: [...byName],
    }),
    db.workflow.findMany({
      where: {
        projectId,
        OR: [
          { reads },
          { steps: { some: { OR: [{ reads }, { textReads: reads }] } } },
          { draft: { reads } },
          {
            id: { in: await workflowsThatRun(db, projectId, Prisma.sql`v."reads" && ${[...refs]}::text[]`) },
          },
        ],
      },
      select: { id: true, name: true },
      orderBy: [...byName],
    }),
    db.goal.findMany({
      where: { projectId, eventName: { in: events }, deletedAt: null },
      select: { id: true, name: true },
      orderBy: [...byName],
    }),
  ]);
  return { templates, segments, campaigns, workflows, goals };
}

/**
 * Workflows with active executions of a version for which the condition holds: of one that they began with, or one to which they were
 * moved.
 */
async function workflowsThatRun(db: Db, projectId: string, condition: Prisma.Sql): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE "run" AS (
      SELECT v."workflowId", v."version" FROM "WorkflowVersion" v
      WHERE v."projectId" = ${projectId}::uuid AND v."movedTo" IS NULL AND ${condition}
      UNION
      SELECT v."workflowId", v."version" FROM "run" r JOIN "WorkflowVersion" v ON v."workflowId" = r."workflowId" AND v."movedTo" = r."version"
    )
    SELECT DISTINCT r."workflowId"::text AS "id" FROM "run" r WHERE EXISTS (
      SELECT FROM "WorkflowExecution" x WHERE x."projectId" = ${projectId}::uuid AND x."workflowId" = r."workflowId"
        AND x."version" = r."version" AND x."status" IN ('RUNNING', 'WAITING'))`;
  return rows.map(({ id }) => id);
}

/** The steps that send a template in drafts, and in versions with active executions. */
async function stepsOfDefinitions(
  db: Db,
  projectId: string,
  templateIds: string[],
): Promise<(StepReferrer & { templateId: string })[]> {
  const sent = Prisma.sql`v."templateIds" && ${templateIds}::uuid[]`;
  const running = await workflowsThatRun(db, projectId, sent);
  const steps = Prisma.sql`CROSS JOIN jsonb_to_recordset(v."definition" -> 'steps') AS s("id" uuid, "name" text, "templateId" uuid)
    JOIN "Workflow" w ON w."id" = v."workflowId" WHERE v."projectId" = ${projectId}::uuid AND ${sent} AND s."templateId" = ANY(${templateIds}::uuid[])`;
  const columns = Prisma.sql`w."id"::text AS "workflowId", w."name" AS "workflowName", s."id"::text AS "stepId", s."name" AS "stepName", s."templateId"::text AS "templateId"`;
  return db.$queryRaw<(StepReferrer & { templateId: string })[]>`
    SELECT DISTINCT ON ("templateId", "stepId") * FROM (
      SELECT ${columns} FROM "WorkflowDraft" v ${steps}
      UNION ALL SELECT ${columns} FROM "WorkflowVersion" v ${steps} AND v."movedTo" IS NULL AND w."id" = ANY(${running}::uuid[])) s
    ORDER BY "templateId", "stepId"`;
}

/** Whether the project has texts that were not read since they were stored, which an upgrade does within minutes. */
export async function hasUnreadTexts(db: Db, projectId: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ unread: boolean }[]>`
    SELECT EXISTS (SELECT FROM "Template" WHERE "projectId" = ${projectId}::uuid AND "textReads" IS NULL)
      OR EXISTS (SELECT FROM "Campaign" WHERE "projectId" = ${projectId}::uuid AND "textReads" IS NULL)
      OR EXISTS (SELECT FROM "WorkflowStep" WHERE "projectId" = ${projectId}::uuid AND "textReads" IS NULL) AS "unread"`;
  return row?.unread ?? false;
}

/** Webhook endpoints that ask for one of these types by its name. Their addresses may hold secrets: only the host names an endpoint without a description. */
export async function findEndpointReferences(
  db: Db,
  projectId: string,
  types: readonly string[],
): Promise<Referrer[]> {
  const endpoints = await db.webhookEndpoint.findMany({
    where: { projectId, types: { hasSome: [...types] } },
    select: { id: true, description: true, url: true },
    orderBy: { id: 'asc' },
  });
  return endpoints.map(({ id, description, url }) => ({ id, name: description || new URL(url).host }));
}

export interface TemplateReferences {
  campaigns: CampaignReferrer[];
  workflowSteps: StepReferrer[];
}

/** Uses of each template: campaigns created from it in any state, and workflow steps that send it. */
export async function findTemplateReferences(
  db: Db,
  projectId: string,
  templateIds: string[],
): Promise<(templateId: string) => TemplateReferences> {
  const used = { projectId, templateId: { in: templateIds } };
  const [campaigns, steps] = await Promise.all([
    db.campaign.findMany({
      where: used,
      select: { id: true, name: true, status: true, templateId: true },
      orderBy: [...byName],
    }),
    db.workflowStep.findMany({
      where: used,
      select: { id: true, name: true, templateId: true, workflow: { select: { id: true, name: true } } },
      orderBy: [{ workflow: { name: 'asc' } }, { name: 'asc' }, { id: 'asc' }],
    }),
  ]);
  const live = new Set(steps.map(({ id, templateId }) => `${templateId}/${id}`));
  const others = (await stepsOfDefinitions(db, projectId, templateIds)).filter(
    ({ stepId, templateId }) => !live.has(`${templateId}/${stepId}`),
  );
  const othersOf = Map.groupBy(others, ({ templateId }) => templateId);
  const campaignsOf = Map.groupBy(campaigns, ({ templateId }) => templateId);
  const stepsOf = Map.groupBy(steps, ({ templateId }) => templateId);
  return (templateId) => ({
    campaigns: (campaignsOf.get(templateId) ?? []).map(({ id, name, status }) => ({ id, name, status })),
    workflowSteps: [
      ...(stepsOf.get(templateId) ?? []).map(({ id, name, workflow }) => ({
        workflowId: workflow.id,
        workflowName: workflow.name,
        stepId: id,
        stepName: name,
      })),
      ...(othersOf.get(templateId) ?? []).map(({ templateId: _, ...step }) => step),
    ],
  });
}
