import type { CampaignStatus, Db } from '../db/index.ts';

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
 * Where one of these references is read: templates by their texts, segments by their condition, open campaigns by their audience or texts,
 * workflows by their trigger or any step. A reference is written as in the `reads` columns: `data.plan`, `event.signup`, `email.open`, `segment.<uuid>`, `subscribed`.
 */
export async function findReferences(
  db: Db,
  projectId: string,
  refs: readonly string[],
): Promise<References> {
  const reads = { hasSome: [...refs] };
  const [templates, segments, campaigns, workflows] = await Promise.all([
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
      where: { projectId, OR: [{ reads }, { textReads: reads }], status: { in: openCampaigns } },
      select: { id: true, name: true, status: true },
      orderBy: [...byName],
    }),
    db.workflow.findMany({
      where: { projectId, OR: [{ reads }, { steps: { some: { OR: [{ reads }, { textReads: reads }] } } }] },
      select: { id: true, name: true },
      orderBy: [...byName],
    }),
  ]);
  return { templates, segments, campaigns, workflows };
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
  const campaignsOf = Map.groupBy(campaigns, ({ templateId }) => templateId);
  const stepsOf = Map.groupBy(steps, ({ templateId }) => templateId);
  return (templateId) => ({
    campaigns: (campaignsOf.get(templateId) ?? []).map(({ id, name, status }) => ({ id, name, status })),
    workflowSteps: (stepsOf.get(templateId) ?? []).map(({ id, name, workflow }) => ({
      workflowId: workflow.id,
      workflowName: workflow.name,
      stepId: id,
      stepName: name,
    })),
  });
}
