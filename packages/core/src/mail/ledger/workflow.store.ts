import { choicesOf } from '../../audience/topics/index.ts';
import { constant, type EmailClass, ofProject, Prisma, type SqlDb } from '../../base/db/index.ts';
import { currentTrace } from '../../base/kernel/traces.ts';
import { newId } from '../../base/lib/ids.ts';
import {
  declines,
  exclusions,
  firstReason,
  isOutsideSandbox,
  isSimulatedAddress,
  isSuppressedByRow,
  isTopicOff,
  isWilling,
  orGeneral,
} from '../eligibility/index.ts';
import { type AppliedCaps, isCapped } from './caps.ts';
import { priorities } from './ledger.rules.ts';
import { unsendable } from './unsendable.rules.ts';

/** What the emails of one step have in common. */
export interface WorkflowMailContent {
  contentId: string;
  templateId: string;
  /** null for the sandbox sender */
  domainId: string | null;
  type: EmailClass;
  /** of its topic; null without one */
  topicNumber: number | null;
  /** whether who has no choice receives it; null without one */
  topicIsIn: boolean | null;
  tracked: boolean;
}

export interface NewWorkflowEmail {
  id: string;
  content: WorkflowMailContent;
  contactId: string;
  /** a custom address of the step; null: the contact's. Email to the contact's address always needs the subscription */
  customAddress: string | null;
  /** keyed hash of the custom address in hex, by which opt-outs of deleted contacts are found */
  customHash: string | null;
  /** a snapshot of every value that its templates can read besides the system variables */
  vars: Record<string, unknown>;
  workflowExecutionId: string;
  workflowStepExecutionId: string;
}

export interface NewWorkflowEmails {
  projectId: string;
  mails: readonly NewWorkflowEmail[];
  /** over one of these an email is stored as FAILED */
  caps: AppliedCaps;
  isStorageFull: boolean;
}

export interface WrittenWorkflowEmail {
  id: string;
  to: string;
  reason: string | null;
  error: string | null;
  createdAt: Date;
}

/** Emails of one delivery batch. */
const batchSize = 500;

/** Emails of one sender and content share batches. @returns the id of the batch of each */
function batchesOf(mails: readonly NewWorkflowEmail[]): string[] {
  const open = new Map<string, { id: string; free: number }>();
  return mails.map(({ content: { domainId, contentId, tracked } }) => {
    const key = `${domainId} ${contentId} ${tracked}`;
    let batch = open.get(key);
    if (!batch || batch.free === 0) {
      batch = { id: newId(), free: batchSize };
      open.set(key, batch);
    }
    batch.free -= 1;
    return batch.id;
  });
}

/** Reserves the caps for each email by itself, in their order: those over a cap do not concern the others. */
const capped = (projectId: string, { billed, ramp }: AppliedCaps): Prisma.Sql => Prisma.sql`
  SELECT a.ns[r."n"] AS "n", CASE r."refusal" WHEN 'billing' THEN ${unsendable.billingLimit}::text ELSE ${unsendable.dailyLimit}::text END AS "error"
  FROM (SELECT array_agg(x."n" ORDER BY x."n") AS ns, count(*)::int AS "count" FROM "recipient" x
    WHERE x."reason" IS NULL AND NOT ${isSimulatedAddress(constant('x."to"'))} AND NOT EXISTS (
      SELECT FROM "Email" e WHERE e."workflowStepExecutionId" = x."workflowStepExecutionId")
    HAVING count(*) > 0) a
  CROSS JOIN LATERAL reserve_sends(array_fill(${projectId}::uuid, ARRAY[a."count"]), array_fill('WORKFLOW'::"EmailSource", ARRAY[a."count"]),
    array_fill(1, ARRAY[a."count"]), array_fill(1, ARRAY[a."count"]), ${billed}, ${ramp}::jsonb) r
  WHERE r."refusal" IS NOT NULL`;

/** An email with what it is decided by, in the form of a row. */
type RecipientRow = Omit<NewWorkflowEmail, 'content'> & WorkflowMailContent;

/**
 * The recipients of emails of steps, each with the first reason to skip its email: the relation `recipient`.
 *
 * @param contact a subquery with "email", "subscribed" and the choices of the contact of the row `m`
 */
function recipientsOf(projectId: string, rows: readonly RecipientRow[], contact: Prisma.Sql): Prisma.Sql {
  const project = Prisma.sql`${projectId}::uuid`;
  const to = { project, address: constant('a."to"') };
  const isOwn = constant('a."to" = c."email"');
  const choices = choicesOf('c');
  const recipient = {
    ...to,
    type: constant('m."type"'),
    choices: {
      ...choices,
      subscribed: isWilling({ ...to, ...choices }, isOwn, constant(`decode(m."customHash", 'hex')`)),
    },
    topic: { number: constant('m."topicNumber"'), isIn: constant('m."topicIsIn"') },
  };
  // Whoever is at another address need not receive the topic, but may have said no to it.
  const topic = Prisma.sql`(CASE WHEN ${isOwn} THEN ${isTopicOff({ ...recipient, choices })} WHEN ${recipient.type} = 'TRANSACTIONAL'
    THEN ${declines(constant('o."topicsOff"'), recipient.topic)} ELSE ${declines(constant('o."topicsOff"'), orGeneral(recipient.topic))} END)`;
  const reasons = exclusions.filter((reason) => reason !== 'invalid');
  const reason = firstReason(reasons, recipient, {
    topic,
    suppressed: isSuppressedByRow(to),
    sandbox: Prisma.sql`(m."domainId" IS NULL AND ${isOutsideSandbox(to)})`,
  });
  return Prisma.sql`
    SELECT m.*, a."to", a."to" <> c."email" AS "toOther", ${reason} AS "reason"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS m("n" int, "id" uuid, "contactId" uuid, "customAddress" text, "customHash" text,
      "contentId" uuid, "templateId" uuid, "domainId" uuid, "type" "EmailClass", "topicNumber" smallint, "topicIsIn" boolean, "tracked" boolean,
      "vars" jsonb, "workflowExecutionId" uuid, "workflowStepExecutionId" uuid, "batchId" uuid, "email" text, "subscribed" boolean,
      "topicsOn" smallint[], "topicsOff" smallint[], "topicDefaults" boolean)
    CROSS JOIN LATERAL (${contact}) c
    CROSS JOIN LATERAL (SELECT coalesce(m."customAddress", c."email") AS "to") a
    LEFT JOIN LATERAL (
      SELECT k."topicsOff" FROM "Contact" k WHERE k."projectId" = ${project} AND k."email" = a."to" AND a."to" <> c."email" LIMIT 1) o ON true`;
}

/** An email that is not written, of a contact that is given. */
export interface TriedWorkflowEmail {
  content: WorkflowMailContent;
  customAddress: string | null;
  customHash: string | null;
  /** of the contact, with its choices */
  email: string;
  subscribed: boolean;
  topicsOn: readonly number[];
  topicsOff: readonly number[];
  topicDefaults: boolean;
}

/**
 * Decides for emails that are not written to whom they would go, and why they would be skipped, as `insertWorkflowEmails` does. It only reads.
 *
 * @returns one for each, in their order
 */
export async function judgeEmailsOfSteps(
  db: SqlDb,
  projectId: string,
  mails: readonly TriedWorkflowEmail[],
): Promise<Pick<WrittenWorkflowEmail, 'to' | 'reason'>[]> {
  if (mails.length === 0) return [];
  const rows = mails.map(({ content, ...mail }, n) => ({
    n,
    ...content,
    ...mail,
  })) as unknown as RecipientRow[];
  const given = constant('SELECT m."email", m."subscribed", m."topicsOn", m."topicsOff", m."topicDefaults"');
  return db.$queryRaw<Pick<WrittenWorkflowEmail, 'to' | 'reason'>[]>`
    SELECT r."to", r."reason" FROM (${recipientsOf(projectId, rows, given)}) r ORDER BY r."n"`;
}

/**
 * Stores the emails of workflow steps with their delivery batches, or SKIPPED ones with their reason, or ones that FAILED because of a cap, in
 * one statement. A step of an execution has one email, even if it runs twice.
 *
 * @returns one for each, in their order; null when its contact was deleted
 */
export async function insertWorkflowEmails(
  db: SqlDb,
  { projectId, mails, caps, isStorageFull }: NewWorkflowEmails,
): Promise<(WrittenWorkflowEmail | null)[]> {
  const batches = batchesOf(mails);
  const rows = mails.map(({ content, ...mail }, n) => ({ n, ...content, ...mail, batchId: batches[n] }));
  const project = Prisma.sql`${projectId}::uuid`;
  const contact = Prisma.sql`
    SELECT c."email", c."subscribed", c."topicsOn", c."topicsOff", c."topicDefaults" FROM "Contact" c WHERE c."id" = m."contactId" AND ${ofProject('c."projectId"', projectId)} OFFSET 0`;
  const over = isStorageFull
    ? Prisma.sql`SELECT x."n", ${unsendable.storageLimit}::text AS "error" FROM "recipient" x WHERE x."reason" IS NULL`
    : isCapped(caps)
      ? capped(projectId, caps)
      : Prisma.sql`SELECT NULL::int AS "n", NULL::text AS "error" WHERE false`;
  const written = await db.$queryRaw<(WrittenWorkflowEmail & { stepExecutionId: string })[]>`
    WITH "recipient" AS MATERIALIZED (${recipientsOf(projectId, rows, contact)}
    ), "over" AS MATERIALIZED (${over}
    ), "email" AS (
      INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId", "vars", "tracked", "templateId",
        "workflowExecutionId", "workflowStepExecutionId", "toOther", "status", "reason", "error", "batchId")
      SELECT x."id", ${project}, x."contactId", x."to", x."type", 'WORKFLOW', x."contentId", x."vars", x."tracked", x."templateId",
        x."workflowExecutionId", x."workflowStepExecutionId", x."toOther",
        CASE WHEN x."reason" IS NOT NULL THEN 'SKIPPED'::"EmailStatus" WHEN o."error" IS NOT NULL THEN 'FAILED' ELSE 'PENDING' END,
        x."reason", o."error", CASE WHEN x."reason" IS NULL AND o."error" IS NULL THEN x."batchId" END
      FROM "recipient" x LEFT JOIN LATERAL (SELECT "error" FROM "over" WHERE "n" = x."n" LIMIT 1) o ON true
      ORDER BY x."n"
      ON CONFLICT DO NOTHING
      RETURNING "id", "to", "reason", "error", "createdAt", "batchId", "workflowStepExecutionId"
    ), "batch" AS (
      INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "domainId", "trace", "emailIds")
      SELECT e."batchId", ${project}, ${priorities.WORKFLOW}::smallint,
        (SELECT x."domainId" FROM "recipient" x WHERE x."batchId" = e."batchId" LIMIT 1), ${currentTrace()}::bytea, array_agg(e."id" ORDER BY e."id")
      FROM "email" e WHERE e."batchId" IS NOT NULL GROUP BY e."batchId"
    )
    SELECT "id", "to", "reason", "error", "createdAt", "workflowStepExecutionId" AS "stepExecutionId" FROM "email"
    UNION ALL
    SELECT e."id", e."to", e."reason", e."error", e."createdAt", e."workflowStepExecutionId" FROM "recipient" x
    CROSS JOIN LATERAL (SELECT * FROM "Email" e WHERE e."workflowStepExecutionId" = x."workflowStepExecutionId"
      AND ${ofProject('e."projectId"', projectId)} OFFSET 0) e`;
  const byStep = new Map(written.map(({ stepExecutionId, ...row }) => [stepExecutionId, row]));
  return mails.map(({ workflowStepExecutionId }) => byStep.get(workflowStepExecutionId) ?? null);
}
