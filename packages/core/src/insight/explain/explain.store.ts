import { generalNumber } from '../../audience/topics/topics.rules.ts';
import { type Database, type Db, type EmailClass, ofProject, Prisma } from '../../base/db/index.ts';
import { excluded } from '../../mail/eligibility/index.ts';
import { endFactOf } from './checks/ends.rules.ts';
import type { TopicFact } from './checks/facts.rules.ts';

/**
 * Plans of an explanation look rows up by index, whatever statistics say of tables that were filled a moment ago, or of a project with
 * millions of rows: the same settings as for statements that store groups of requests.
 */
const byIndex = Prisma.sql`set_config('transaction_read_only', 'on', true), set_config('jit', 'off', true),
  set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
  set_config('enable_memoize', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true), set_config('statement_timeout', '10s', true)`;

/** Reads facts in one transaction that changes nothing and sees one moment. */
export const readFacts = <T>({ prisma }: Database, read: (db: Db) => Promise<T>): Promise<T> =>
  prisma.$transaction(
    async (db) => {
      await db.$queryRaw`SELECT ${byIndex}`;
      return read(db);
    },
    { isolationLevel: 'RepeatableRead', maxWait: 10_000, timeout: 20_000 },
  );

/** The moment, and what is recorded of the project itself. */
export async function readProject(db: Db, projectId: string) {
  const project = await db.project.findUniqueOrThrow({
    where: { id: projectId },
    select: { disabled: true, disabledReason: true },
  });
  const suspensions = await db.suspension.findMany({
    where: { projectId },
    orderBy: { at: 'desc' },
    take: 10,
    select: { reason: true, at: true, liftedAt: true },
  });
  const resets = await db.projectRemoval.findMany({
    where: { projectId, kind: 'RESET' },
    orderBy: { createdAt: 'desc' },
    take: 5,
    select: { before: true, createdAt: true },
  });
  return {
    now: new Date(),
    ...project,
    suspensions,
    resets: resets.map(({ before, createdAt: at }) => ({ before, at })),
  };
}

/** What the record of an email has that the API does not show. */
export async function readUncertainty(
  db: Db,
  projectId: string,
  emailId: string,
): Promise<{ uncertainAt: Date | null; autoResent: boolean }> {
  const [row] = await db.$queryRaw<{ uncertainAt: Date | null; autoResent: boolean }[]>`
    SELECT "uncertainAt", "autoResent" FROM "Email" WHERE "id" = ${emailId}::uuid AND ${ofProject('"projectId"', projectId)}`;
  return row ?? { uncertainAt: null, autoResent: false };
}

/** The sender's domain, if the project has it, and the pause of its email at the mail server. */
export async function readSender(db: Db, projectId: string, from: string, routeId: string) {
  const name = from.slice(from.lastIndexOf('@') + 1).toLowerCase();
  const row = await db.domain.findUnique({
    where: { projectId_domain: { projectId, domain: name } },
    select: {
      id: true,
      domain: true,
      status: true,
      failedChecks: true,
      recordsFound: true,
      lastCheckedAt: true,
    },
  });
  if (!row) return { domain: null, sender: null };
  const { recordsFound, ...domain } = row;
  const pause = await db.senderPause.findUnique({
    where: { routeId_sender: { routeId, sender: row.id } },
    select: { pausedAt: true, reason: true },
  });
  return {
    domain: { ...domain, found: recordsFound as Record<string, unknown> },
    sender: pause && { since: pause.pausedAt, reason: pause.reason },
  };
}

/** The workflow, the step and the execution that wrote an email; null where one of them is gone. */
export async function readStepOfEmail(
  db: Db,
  projectId: string,
  executionId: string,
  stepExecutionId: string | null,
) {
  const execution = await db.workflowExecution.findUnique({
    where: { id: executionId },
    select: { projectId: true, workflowId: true, endedBy: true, completedAt: true },
  });
  const run =
    stepExecutionId === null
      ? null
      : await db.workflowStepExecution.findUnique({
          where: { id: stepExecutionId },
          select: { stepId: true },
        });
  if (execution?.projectId !== projectId || !run) return null;
  const workflow = await db.workflow.findUnique({
    where: { projectId_id: { projectId, id: execution.workflowId } },
    select: { name: true },
  });
  const step = await db.workflowStep.findUnique({ where: { id: run.stepId }, select: { name: true } });
  if (!workflow) return null;
  return {
    workflowId: execution.workflowId,
    workflowName: workflow.name,
    executionId,
    stepId: run.stepId,
    stepName: step?.name ?? 'deleted since',
    end: endFactOf(execution.endedBy),
    endedAt: execution.completedAt,
  };
}

/** The topic of email of a type; null without one. */
export async function readTopic(
  db: Db,
  projectId: string,
  type: EmailClass,
  topicId: string | null,
): Promise<TopicFact | null> {
  const isTransactional = type === 'TRANSACTIONAL';
  if (topicId === null && isTransactional) return null;
  const row = await db.topic.findFirst({
    where: { projectId, ...(topicId === null ? { number: generalNumber } : { id: topicId }) },
    select: { key: true, number: true, default: true },
  });
  return row && { ...row, isTransactional };
}

/** The topic of the content of an email. */
export async function readTopicOfEmail(
  db: Db,
  projectId: string,
  { type, contentId }: { type: EmailClass; contentId: string },
): Promise<TopicFact | null> {
  const content = await db.content.findUnique({ where: { id: contentId }, select: { topicId: true } });
  return readTopic(db, projectId, type, content?.topicId ?? null);
}

/** A campaign without its texts; null when the project has no such campaign. */
export async function readCampaign(db: Db, projectId: string, id: string) {
  const row = await db.campaign.findUnique({
    where: { projectId_id: { projectId, id } },
    select: {
      id: true,
      name: true,
      from: true,
      type: true,
      status: true,
      statusReason: true,
      pausedAt: true,
      pauseReason: true,
      topicId: true,
      audienceType: true,
      audienceCondition: true,
      segmentId: true,
      scheduledFor: true,
      sentAt: true,
      frozenAt: true,
      frozenToCreatedAt: true,
      frozenToId: true,
      updatedAt: true,
    },
  });
  if (!row) return null;
  const { frozenToCreatedAt: createdAt, frozenToId, topicId, ...campaign } = row;
  const topic = await readTopic(db, projectId, campaign.type, topicId);
  return { ...campaign, topic, frozenTo: createdAt && frozenToId ? { createdAt, id: frozenToId } : null };
}

export const readMembership = (
  db: Db,
  segmentId: string,
  contactId: string,
): Promise<{ enteredAt: Date; exitedAt: Date | null } | null> =>
  db.segmentMembership.findUnique({
    where: { segmentId_contactId: { segmentId, contactId } },
    select: { enteredAt: true, exitedAt: true },
  });

/** Emails of a contact that went to an address, newest first. */
export const readLastEmails = (
  db: Db,
  projectId: string,
  contactId: string,
  limit: number,
): Promise<{ id: string; status: string; at: Date }[]> => db.$queryRaw`
  SELECT "id", "status"::text AS "status", "createdAt" AS "at" FROM "Email"
  WHERE "projectId" = ${projectId}::uuid AND "contactId" IS NOT NULL AND "sourceType" <> 'SYSTEM'
    AND ("contactId", "createdAt") >= (${contactId}::uuid, '-infinity'::timestamptz) AND ("contactId", "createdAt") <= (${contactId}::uuid, 'infinity'::timestamptz)
  ORDER BY "contactId" DESC, "createdAt" DESC LIMIT ${limit}::int`;

/** Emails to an address that no contact has, such as the custom address of a step; newest first. */
export const readEmailsTo = (
  db: Db,
  projectId: string,
  address: string,
  limit: number,
): Promise<{ id: string; status: string; at: Date }[]> => db.$queryRaw`
  SELECT e."id", e."status"::text AS "status", e."createdAt" AS "at" FROM (
    SELECT "id", "status", "createdAt" FROM "Email"
    WHERE ${ofProject('"projectId"', projectId)} AND "to" = ${address} AND "sourceType" <> 'SYSTEM'
      AND ("contactId" IS NULL OR "sourceType" = 'WORKFLOW' OR "readdressed") OFFSET 0) e
  ORDER BY e."createdAt" DESC LIMIT ${limit}::int`;

/** Whether no mail server takes an address of this form. */
export async function isInvalidAddress(db: Db, address: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ isInvalid: boolean }[]>`
    SELECT ${excluded.invalid({ address: Prisma.sql`${address}::text` })} AS "isInvalid"`;
  return row?.isInvalid ?? false;
}
