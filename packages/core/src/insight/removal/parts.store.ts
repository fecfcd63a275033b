import { computeSegmentJob } from '../../audience/segments/segments.jobs.ts';
import { generalNumber } from '../../audience/topics/topics.rules.ts';
import { deliverCampaignJob } from '../../automation/campaigns/campaigns.jobs.ts';
import { type TriggerType, triggerDefinition } from '../../automation/workflows/contract.ts';
import { keepScheduleJob } from '../../automation/workflows/workflows.jobs.ts';
import { type Db, Prisma } from '../../base/db/index.ts';
import { quarterOf } from '../../base/figures/index.ts';
import type { JobContract, Services } from '../../base/kernel/index.ts';
import { watchDomainJob } from '../../people/domains/domains.jobs.ts';
import { removeRequests } from '../requests/index.ts';
import { removeContacts } from './contacts.store.ts';

/** What a removal removes: rows of this project that were created at this time or before. */
export interface Scope {
  projectId: string;
  before: Date;
}

/** A workflow to be signalled, because its row is gone and it should end. */
export interface Ended {
  signal(services: Services): Promise<unknown>;
}

export interface Batch {
  /** removed rows, apart from those that belong to one of them; 0 when none is left */
  count: number;
  ended?: Ended[];
}

/** Some tables whose rows are removed together, in batches of one short transaction each. */
export interface Part {
  name: string;
  tables: readonly (Prisma.ModelName | 'RequestEntry' | 'RequestCount')[];
  remove(db: Db, scope: Scope, services: Services): Promise<Batch>;
}

const endedOf =
  <Input>(job: JobContract<Input>, inputOf: (id: string) => Input) =>
  (id: string): Ended => ({ signal: (services) => services.workflows.signal(job, inputOf(id)) });

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** A name of the schema as SQL; never given from outside. */
const name = (text: string): Prisma.Sql => Prisma.raw(`"${text}"`);

/** A table that no other depends on. `time`: the column that says when a row was created; without it all rows are removed. */
const rows = (table: Prisma.ModelName, time?: string, limit = 2_000): Part => ({
  name: table,
  tables: [table],
  async remove(db, { projectId, before }) {
    const created = time === undefined ? Prisma.empty : Prisma.sql`AND ${name(time)} <= ${before}`;
    const count = await db.$executeRaw`
      DELETE FROM ${name(table)} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${name(table)} WHERE "projectId" = ${projectId}::uuid ${created} LIMIT ${limit}::int))`;
    return { count };
  },
});

/** As `rows`, of a table in slices, in which `ctid` names a row of one slice only. */
const rowsInSlices = (table: Prisma.ModelName, time: string): Part => ({
  name: table,
  tables: [table],
  async remove(db, { projectId, before }) {
    const count = await db.$executeRaw`
      DELETE FROM ${name(table)} WHERE "id" = ANY(ARRAY(
        SELECT "id" FROM ${name(table)} WHERE "projectId" = ${projectId}::uuid AND ${name(time)} <= ${before} LIMIT 2000))`;
    return { count };
  },
});

/**
 * Counts of the quarters of an hour that were over at this time. Those of the present one were removed with the call: what it has now came later.
 */
const counts = (table: Prisma.ModelName): Part => ({
  name: table,
  tables: [table],
  async remove(db, { projectId, before }) {
    const count = await db.$executeRaw`
      DELETE FROM ${name(table)} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${name(table)} WHERE "projectId" = ${projectId}::uuid AND "at" < ${quarterOf(Prisma.sql`${before}::timestamptz`)}
        LIMIT 2000))`;
    return { count };
  },
});

/** Figures of the project until this time, as with `counts`; those of a campaign, or of links, when what they are about is removed. */
const figures: Part = {
  name: 'Figure',
  tables: ['Figure', 'LinkFigure'],
  async remove(db, { projectId, before }) {
    const count = await db.$executeRaw`
      DELETE FROM "Figure" WHERE ctid = ANY(ARRAY(
        SELECT f.ctid FROM "Figure" f WHERE f."projectId" = ${projectId}::uuid AND CASE WHEN f."scopeId" = f."projectId"
          THEN f."at" < CASE f."unit" WHEN 'day' THEN date_trunc('day', ${before}::timestamptz, 'UTC')
            ELSE ${quarterOf(Prisma.sql`${before}::timestamptz`)} END
          ELSE NOT EXISTS (SELECT FROM "Campaign" c WHERE c."id" = f."scopeId") END
        LIMIT 2000))`;
    const links = await db.$executeRaw`
      DELETE FROM "LinkFigure" WHERE ctid = ANY(ARRAY(
        SELECT f.ctid FROM "LinkFigure" f WHERE f."projectId" = ${projectId}::uuid
          AND NOT EXISTS (SELECT FROM "Campaign" c WHERE c."id" = f."scopeId")
          AND NOT EXISTS (SELECT FROM "Template" t WHERE t."id" = f."scopeId")
          AND NOT EXISTS (SELECT FROM "WorkflowStep" s WHERE s."id" = f."scopeId")
        LIMIT 2000))`;
    return { count: count + links };
  },
};

/** Figures of workflows that were removed. */
const stepFigures: Part = {
  name: 'StepFigure',
  tables: ['StepFigure', 'StepFigureEntry'],
  async remove(db, { projectId }) {
    const ofRemoved = (table: Prisma.ModelName) => db.$executeRaw`
      DELETE FROM ${name(table)} WHERE ctid = ANY(ARRAY(
        SELECT f.ctid FROM ${name(table)} f WHERE f."projectId" = ${projectId}::uuid
          AND NOT EXISTS (SELECT FROM "Workflow" w WHERE w."id" = f."workflowId")
        LIMIT 2000))`;
    // Entries first, which would still be added to figures.
    const entries = await ofRemoved('StepFigureEntry');
    return { count: entries + (await ofRemoved('StepFigure')) };
  },
};

const jobs: Part = {
  name: 'jobs',
  tables: ['Job', 'JobFile', 'JobContact', 'ExportChunk', 'ImportFailedRows'],
  async remove(db, { projectId, before }) {
    const ids = idsOf(
      await db.$queryRaw`SELECT "id" FROM "Job" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before} LIMIT 10`,
    );
    await db.$executeRaw`DELETE FROM "JobFile" WHERE "jobId" = ANY(${ids}::uuid[])`;
    // The contacts of a bulk change can be a million: in batches of their own, before its row.
    const contacts = await db.$executeRaw`
      DELETE FROM "JobContact" WHERE ctid = ANY(ARRAY(SELECT ctid FROM "JobContact" WHERE "jobId" = ANY(${ids}::uuid[]) LIMIT 5000))`;
    if (contacts > 0) return { count: contacts };
    return { count: await db.$executeRaw`DELETE FROM "Job" WHERE "id" = ANY(${ids}::uuid[])` };
  },
};

/** Waiting batches; those that delivery processes hold end with their lease. A batch with a later email stays: the others are missing. */
const batches: Part = {
  name: 'batches',
  tables: ['DeliveryBatch'],
  async remove(db, { projectId, before }) {
    const late = Prisma.sql`EXISTS (SELECT FROM "Email" e WHERE e."id" = ANY(b."emailIds") AND e."createdAt" > ${before})`;
    const waiting = await db.$executeRaw`
      DELETE FROM "DeliveryBatch" WHERE "id" IN (
        SELECT b."id" FROM "DeliveryBatch" b WHERE b."projectId" = ${projectId}::uuid AND b."token" IS NULL AND NOT b."held" AND NOT ${late}
        ORDER BY b."priority", b."nextAttemptAt", b."id" LIMIT 500 FOR UPDATE OF b SKIP LOCKED)`;
    if (waiting > 0) return { count: waiting };
    return {
      count: await db.$executeRaw`
        DELETE FROM "DeliveryBatch" WHERE "id" IN (
          SELECT b."id" FROM "DeliveryBatch" b WHERE b."projectId" = ${projectId}::uuid AND b."held" AND NOT ${late}
          ORDER BY b."campaignId", b."id" LIMIT 500 FOR UPDATE OF b SKIP LOCKED)`,
    };
  },
};

const workflows: Part = {
  name: 'workflows',
  tables: ['Workflow', 'WorkflowDraft', 'WorkflowStep', 'WorkflowTransition', 'WorkflowVersion'],
  async remove(db, { projectId, before }) {
    const gone = await db.$queryRaw<{ id: string; triggerType: TriggerType }[]>`
      DELETE FROM "Workflow" WHERE "id" IN (
        SELECT "id" FROM "Workflow" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before} ORDER BY "id" LIMIT 50 FOR UPDATE)
      RETURNING "id", "triggerType"::text AS "triggerType"`;
    const ended = gone.filter(({ triggerType }) => triggerDefinition(triggerType).isScheduled);
    return {
      count: gone.length,
      ended: idsOf(ended).map(endedOf(keepScheduleJob, (workflowId) => ({ workflowId }))),
    };
  },
};

/** Executions whose workflow is removed, also those that started later, and then what else such workflows know of contacts. */
const executions: Part = {
  name: 'executions',
  tables: [
    'WorkflowExecution',
    'WorkflowStepExecution',
    'StepRequest',
    'ExecutionConversion',
    'WorkflowEntry',
    'WorkflowDue',
  ],
  async remove(db, { projectId }) {
    const ids = idsOf(
      await db.$queryRaw`
        SELECT x."id" FROM "WorkflowExecution" x WHERE x."projectId" = ${projectId}::uuid
          AND NOT EXISTS (SELECT FROM "Workflow" w WHERE w."id" = x."workflowId")
        ORDER BY x."workflowId", x."createdAt" DESC LIMIT 500 FOR UPDATE OF x`,
    );
    await db.$executeRaw`DELETE FROM "StepRequest" WHERE "executionId" = ANY(${ids}::uuid[])`;
    await db.$executeRaw`DELETE FROM "WorkflowStepExecution" WHERE "executionId" = ANY(${ids}::uuid[])`;
    await db.$executeRaw`DELETE FROM "ExecutionConversion" WHERE "executionId" = ANY(${ids}::uuid[])`;
    const count = await db.$executeRaw`DELETE FROM "WorkflowExecution" WHERE "id" = ANY(${ids}::uuid[])`;
    if (count > 0) return { count };
    for (const table of ['WorkflowEntry', 'WorkflowDue'] as const) {
      const left = await db.$executeRaw`
        DELETE FROM ${name(table)} WHERE ctid = ANY(ARRAY(
          SELECT n.ctid FROM ${name(table)} n WHERE n."projectId" = ${projectId}::uuid
            AND NOT EXISTS (SELECT FROM "Workflow" w WHERE w."id" = n."workflowId") LIMIT 5000))`;
      if (left > 0) return { count: left };
    }
    return { count: 0 };
  },
};

const emails: Part = {
  name: 'emails',
  tables: ['Email', 'EmailTag', 'Interaction', 'MessageSource', 'SimulatorTask'],
  async remove(db, { projectId, before }) {
    const ids = idsOf(
      await db.$queryRaw`
        SELECT "id" FROM (
          SELECT "id" FROM "Email" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before}
          ORDER BY "createdAt", "id" LIMIT 1000) page ORDER BY "id"`,
    );
    // In the order in which delivery processes lock them.
    await db.$queryRaw`SELECT count(*) FROM (SELECT FROM "Email" WHERE "id" = ANY(${ids}::uuid[]) ORDER BY "id" FOR UPDATE) locked`;
    await db.$executeRaw`DELETE FROM "Interaction" WHERE "emailId" = ANY(${ids}::uuid[])`;
    await db.$executeRaw`
      DELETE FROM "EmailTag" t USING "Email" e WHERE e."id" = ANY(${ids}::uuid[])
        AND t."projectId" = e."projectId" AND t."tag" = ANY(e."tags") AND t."createdAt" = e."createdAt" AND t."emailId" = e."id"`;
    await db.$executeRaw`DELETE FROM "MessageSource" WHERE "emailId" = ANY(${ids}::uuid[])`;
    await db.$executeRaw`DELETE FROM "SimulatorTask" WHERE "emailId" = ANY(${ids}::uuid[])`;
    return { count: await db.$executeRaw`DELETE FROM "Email" WHERE "id" = ANY(${ids}::uuid[])` };
  },
};

const campaigns: Part = {
  name: 'campaigns',
  tables: ['Campaign', 'CampaignCounter', 'CampaignSkip', 'CampaignWave', 'RecipientLog'],
  async remove(db, { projectId, before }) {
    const gone = await db.$queryRaw<{ id: string }[]>`
      DELETE FROM "Campaign" WHERE "id" IN (
        SELECT "id" FROM "Campaign" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before} ORDER BY "id" LIMIT 10 FOR UPDATE)
      RETURNING "id"`;
    const ids = idsOf(gone);
    await db.$executeRaw`DELETE FROM "RecipientLog" WHERE "campaignId" = ANY(${ids}::uuid[])`;
    await db.$executeRaw`DELETE FROM "CampaignCounter" WHERE "campaignId" = ANY(${ids}::uuid[])`;
    await db.$executeRaw`DELETE FROM "CampaignSkip" WHERE "campaignId" = ANY(${ids}::uuid[])`;
    await db.$executeRaw`DELETE FROM "CampaignWave" WHERE "campaignId" = ANY(${ids}::uuid[])`;
    return {
      count: ids.length,
      ended: ids.map(endedOf(deliverCampaignJob, (campaignId) => ({ campaignId }))),
    };
  },
};

/** Goals, and what they counted. */
const goals: Part = {
  name: 'goals',
  tables: ['Goal', 'Conversion', 'RecipientConversion'],
  async remove(db, { projectId, before }) {
    const counted = await db.$executeRaw`
      DELETE FROM "Conversion" WHERE ctid = ANY(ARRAY(
        SELECT c.ctid FROM "Conversion" c WHERE c."projectId" = ${projectId}::uuid
          AND (c."at" <= ${before} OR EXISTS (SELECT FROM "Goal" g WHERE g."id" = c."goalId" AND g."createdAt" <= ${before})) LIMIT 2000))`;
    if (counted > 0) return { count: counted };
    const recipients = await db.$executeRaw`
      DELETE FROM "RecipientConversion" WHERE ctid = ANY(ARRAY(
        SELECT c.ctid FROM "RecipientConversion" c WHERE c."projectId" = ${projectId}::uuid
          AND (c."at" <= ${before} OR EXISTS (SELECT FROM "Goal" g WHERE g."id" = c."goalId" AND g."createdAt" <= ${before})) LIMIT 2000))`;
    if (recipients > 0) return { count: recipients };
    return {
      count: await db.$executeRaw`
        DELETE FROM "Goal" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before}`,
    };
  },
};

/** Topics but `general`: their rows stay, so that no later one gets their number, which contacts may have chosen. */
const topics: Part = {
  name: 'topics',
  tables: ['Topic'],
  async remove(db, { projectId, before }) {
    return {
      count: await db.$executeRaw`
        UPDATE "Topic" SET "deletedAt" = now(), "updatedAt" = now()
        WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before} AND "deletedAt" IS NULL AND "number" <> ${generalNumber}`,
    };
  },
};

const segments: Part = {
  name: 'segments',
  tables: ['Segment'],
  async remove(db, { projectId, before }) {
    const gone = await db.$queryRaw<{ id: string }[]>`
      DELETE FROM "Segment" WHERE "id" IN (
        SELECT "id" FROM "Segment" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before} ORDER BY "id" LIMIT 50 FOR UPDATE)
      RETURNING "id"`;
    return {
      count: gone.length,
      ended: idsOf(gone).map(endedOf(computeSegmentJob, (segmentId) => ({ segmentId }))),
    };
  },
};

/** Memberships of removed segments, and the moments of their contacts. */
const memberships: Part = {
  name: 'memberships',
  tables: ['SegmentMembership', 'SegmentDue'],
  async remove(db, { projectId }) {
    for (const table of ['SegmentMembership', 'SegmentDue'] as const) {
      const count = await db.$executeRaw`
        DELETE FROM ${name(table)} WHERE ctid = ANY(ARRAY(
          SELECT m.ctid FROM ${name(table)} m WHERE m."projectId" = ${projectId}::uuid
            AND NOT EXISTS (SELECT FROM "Segment" s WHERE s."id" = m."segmentId") LIMIT 2000))`;
      if (count > 0) return { count };
    }
    return { count: 0 };
  },
};

/** Names that removed workflows, segments and goals waited for. */
const interests: Part = {
  name: 'interests',
  tables: ['EventInterest'],
  async remove(db, { projectId }) {
    const count = await db.$executeRaw`
      DELETE FROM "EventInterest" i WHERE i."projectId" = ${projectId}::uuid
        AND NOT EXISTS (SELECT FROM "Workflow" w WHERE w."id" = i."sourceId")
        AND NOT EXISTS (SELECT FROM "WorkflowStep" s WHERE s."id" = i."sourceId")
        AND NOT EXISTS (SELECT FROM "Segment" s WHERE s."id" = i."sourceId")
        AND NOT EXISTS (SELECT FROM "Goal" g WHERE g."id" = i."sourceId")`;
    return { count };
  },
};

const events: Part = {
  name: 'events',
  tables: ['Event', 'EventDispatch'],
  async remove(db, { projectId, before }) {
    const ids = idsOf(
      await db.$queryRaw`
        SELECT "id" FROM "Event" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before}
        ORDER BY "createdAt", "id" LIMIT 2000`,
    );
    await db.$executeRaw`DELETE FROM "EventDispatch" WHERE "eventId" = ANY(${ids}::uuid[])`;
    return { count: await db.$executeRaw`DELETE FROM "Event" WHERE "id" = ANY(${ids}::uuid[])` };
  },
};

const contacts: Part = {
  name: 'contacts',
  tables: ['Contact', 'TouchedContact', 'ContactLimit'],
  remove: async (db, scope, { secrets }) => ({ count: await removeContacts(db, secrets, scope) }),
};

const templates: Part = {
  name: 'templates',
  tables: ['Template', 'TemplateVersion'],
  async remove(db, { projectId, before }) {
    const gone = await db.$queryRaw<{ id: string }[]>`
      DELETE FROM "Template" WHERE "id" IN (
        SELECT "id" FROM "Template" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before} ORDER BY "id" LIMIT 50 FOR UPDATE)
      RETURNING "id"`;
    await db.$executeRaw`DELETE FROM "TemplateVersion" WHERE "templateId" = ANY(${idsOf(gone)}::uuid[])`;
    return { count: gone.length };
  },
};

const uploads: Part = {
  name: 'uploads',
  tables: ['Upload'],
  async remove(db, { projectId }, { files }) {
    const page = await db.upload.findMany({
      where: { projectId },
      select: { id: true, key: true },
      orderBy: { id: 'asc' },
      take: 50,
    });
    await Promise.all(page.map(({ key }) => files.remove(key)));
    const { count } = await db.upload.deleteMany({ where: { id: { in: idsOf(page) } } });
    return { count };
  },
};

const domains: Part = {
  name: 'domains',
  tables: ['Domain', 'DomainKey'],
  async remove(db, { projectId }) {
    const gone = await db.$queryRaw<{ id: string; keyId: string }[]>`
      DELETE FROM "Domain" WHERE "id" IN (
        SELECT "id" FROM "Domain" WHERE "projectId" = ${projectId}::uuid ORDER BY "id" LIMIT 100) RETURNING "id", "keyId"`;
    await db.domainKey.deleteMany({ where: { id: { in: gone.map(({ keyId }) => keyId) } } });
    return {
      count: gone.length,
      ended: idsOf(gone).map(endedOf(watchDomainJob, (domainId) => ({ domainId }))),
    };
  },
};

/** Ended at the payment provider before the column is cleared: an interrupted batch ends it again, which has no effect. */
const subscription: Part = {
  name: 'subscription',
  tables: [],
  async remove(db, { projectId }, { payments, log }) {
    const project = await db.project.findUnique({ where: { id: projectId }, select: { subscription: true } });
    if (!project || project.subscription === null) return { count: 0 };
    if (!payments) {
      log.warn(
        { projectId, ...project },
        'billing is off: the subscription of a deleted project was not ended',
      );
      return { count: 0 };
    }
    await payments.endSubscription(project.subscription);
    await db.project.update({ where: { id: projectId }, data: { subscription: null } });
    return { count: 1 };
  },
};

/** The deletion itself stays in the log for as long as other entries are kept. */
const audit: Part = {
  name: 'audit',
  tables: ['AuditLog'],
  async remove(db, { projectId }) {
    const count = await db.$executeRaw`
      DELETE FROM "AuditLog" WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM "AuditLog" WHERE "projectId" = ${projectId}::uuid AND "operation" <> 'projects.delete' LIMIT 2000))`;
    return { count };
  },
};

/** Rows of tables by day, so that no row is found by its place alone. */
const requests: Part = {
  name: 'requests',
  tables: ['RequestEntry', 'RequestCount'],
  remove: async (db, { projectId }) => ({ count: await removeRequests(db, projectId) }),
};

/**
 * What a reset removes, in this order: first what would write more. Contents and attachments remain: email of the same week may share
 * them, and retention clears them (behaviour B8.5).
 */
export const resetParts: readonly Part[] = [
  rows('Approval', 'createdAt'),
  jobs,
  batches,
  workflows,
  executions,
  emails,
  campaigns,
  segments,
  goals,
  memberships,
  interests,
  events,
  rowsInSlices('WebhookDelivery', 'createdAt'),
  contacts,
  templates,
  topics,
  rows('SavedBlock', 'createdAt'),
  rows('Suppression', 'createdAt'),
  // Its emails were a year older than the reset.
  rows('ExpiredEmails'),
  counts('FigureEntry'),
  figures,
  stepFigures,
  counts('ContactCount'),
  rows('CachedFigure', 'computedAt'),
];

/** What a deletion removes beside that. */
export const furtherParts: readonly Part[] = [
  subscription,
  rows('Content'),
  rows('Blob', undefined, 20),
  rows('OptOut'),
  rows('ConsentAct'),
  rows('ErasedContact'),
  rows('Erasure'),
  rows('SubscriptionRequest'),
  rows('FormSubmission'),
  rows('PublicAttempt'),
  rows('FormFigure'),
  rows('FormVersion'),
  rows('Form'),
  rows('Wording'),
  rows('Topic'),
  rows('EventCount'),
  rows('EventDispatch'),
  rows('EventTrace'),
  rows('TouchedContact'),
  rows('ContactLimit'),
  rows('MergedContact'),
  rows('FieldDefinition'),
  uploads,
  domains,
  rows('IdempotencyKey'),
  rows('RateWindow'),
  rows('SendBucket'),
  rows('ReputationCheck'),
  rows('Suspension'),
  rows('UsageCounter'),
  rows('UsageEntry'),
  rows('UsageReservation'),
  rows('SendRamp'),
  rows('SendRampEntry'),
  rows('BillingState'),
  rows('LiveListener'),
  rows('Invitation'),
  rows('ApiKey'),
  rows('PersistedDocument'),
  rows('SourceRef'),
  rows('WebhookEndpoint'),
  rows('Member'),
  audit,
  requests,
  // Last: what is removed before enters something.
  rows('EmailTallyEntry'),
  rows('EmailTally'),
  rows('StorageEntry'),
  rows('StorageUsage'),
];

/** Removes the row of a deleted project once delivery processes hold nothing of it. @returns false while they do */
export async function removeProject(db: Db, projectId: string): Promise<boolean> {
  const held = await db.deliveryBatch.findFirst({ where: { projectId }, select: { id: true } });
  if (held) return false;
  await db.project.deleteMany({ where: { id: projectId, deletedAt: { not: null } } });
  return true;
}
