import { constant, type EmailClass, Prisma, type SqlDb } from '../../base/db/index.ts';
import { newId } from '../../base/lib/ids.ts';
import { exclusions, firstReason, isSimulatedAddress, isWilling } from '../eligibility/index.ts';
import { type AppliedCaps, isCapped } from './caps.ts';
import { priorities } from './ledger.rules.ts';
import { unsendable } from './unsendable.rules.ts';

export interface NewWorkflowEmail {
  id: string;
  projectId: string;
  contactId: string;
  /** a custom address of the step; null: the contact's. Email to the contact's address always needs the subscription */
  customAddress: string | null;
  /** keyed hash of the custom address, by which opt-outs of deleted contacts are found */
  customHash: Buffer | null;
  type: EmailClass;
  contentId: string;
  templateId: string;
  /** null for the sandbox sender */
  domainId: string | null;
  /** a snapshot of every value that its templates can read besides the system variables */
  vars: Record<string, unknown>;
  tracked: boolean;
  /** over one of these it is stored as FAILED */
  caps: AppliedCaps;
  isStorageFull: boolean;
  workflowExecutionId: string;
  workflowStepExecutionId: string;
}

export interface WrittenWorkflowEmail {
  id: string;
  to: string;
  reason: string | null;
  error: string | null;
  createdAt: Date;
}

/**
 * Stores the email of a workflow step with its delivery batch, or a SKIPPED one with its reason, or one that FAILED
 * because of a cap. A step has one email, even if it runs twice.
 *
 * @returns null when the contact was deleted
 */
export async function insertWorkflowEmail(
  db: SqlDb,
  mail: NewWorkflowEmail,
): Promise<WrittenWorkflowEmail | null> {
  const batchId = newId();
  const { caps } = mail;
  const customHash = mail.customHash && Uint8Array.from(mail.customHash);
  const to = { project: constant('c."projectId"'), address: constant('a."to"') };
  const isOwn = constant('a."to" = c."email"');
  const recipient = {
    ...to,
    type: Prisma.sql`${mail.type}::"EmailClass"`,
    subscribed: isWilling({ ...to, subscribed: constant('c."subscribed"') }, isOwn, customHash),
  };
  const reasons = exclusions.filter(
    (reason) => reason !== 'invalid' && (reason !== 'sandbox' || mail.domainId === null),
  );
  const [row] = await db.$queryRaw<WrittenWorkflowEmail[]>`
    WITH recipient AS (
      SELECT c."id" AS "contactId", a."to", a."to" <> c."email" AS "toOther",
        ${firstReason(reasons, recipient)} AS "reason"
      FROM "Contact" c CROSS JOIN LATERAL (SELECT coalesce(${mail.customAddress}::text, c."email") AS "to") a
      WHERE c."id" = ${mail.contactId}::uuid AND c."projectId" = ${mail.projectId}::uuid
    ), capped AS MATERIALIZED (
      SELECT CASE WHEN ${mail.isStorageFull}::boolean AND x."reason" IS NULL THEN ${unsendable.storageLimit}::text WHEN ${isCapped(caps)} AND x."reason" IS NULL AND NOT ${isSimulatedAddress(constant('x."to"'))} AND NOT EXISTS (
          SELECT FROM "Email" e WHERE e."workflowStepExecutionId" = ${mail.workflowStepExecutionId}::uuid)
        THEN (SELECT CASE WHEN r."refusal" = 'billing' THEN ${unsendable.billingLimit}::text WHEN r."refusal" IS NOT NULL THEN ${unsendable.dailyLimit}::text END
          FROM reserve_sends(ARRAY[${mail.projectId}::uuid], '{WORKFLOW}', '{1}', '{1}', ${caps.billed}, ${caps.ramp}::jsonb) r)
      END AS "error", x.* FROM recipient x
    ), email AS (
      INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId", "vars", "tracked", "templateId",
        "workflowExecutionId", "workflowStepExecutionId", "toOther", "status", "reason", "error", "batchId")
      SELECT ${mail.id}::uuid, ${mail.projectId}::uuid, "contactId", "to", ${mail.type}::"EmailClass", 'WORKFLOW', ${mail.contentId}::uuid,
        ${JSON.stringify(mail.vars)}::jsonb, ${mail.tracked}, ${mail.templateId}::uuid,
        ${mail.workflowExecutionId}::uuid, ${mail.workflowStepExecutionId}::uuid, "toOther",
        CASE WHEN "reason" IS NOT NULL THEN 'SKIPPED'::"EmailStatus" WHEN "error" IS NOT NULL THEN 'FAILED' ELSE 'PENDING' END,
        "reason", "error", CASE WHEN "reason" IS NULL AND "error" IS NULL THEN ${batchId}::uuid END
      FROM capped
      ON CONFLICT DO NOTHING
      RETURNING "id", "contactId", "to", "reason", "error", "createdAt"
    ), batch AS (
      INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "domainId", "emailIds")
      SELECT ${batchId}::uuid, ${mail.projectId}::uuid, ${priorities.WORKFLOW}::smallint, ${mail.domainId}::uuid, ARRAY["id"]
      FROM email WHERE "reason" IS NULL AND "error" IS NULL
    )
    SELECT "id", "to", "reason", "error", "createdAt" FROM email
    UNION ALL
    SELECT "id", "to", "reason", "error", "createdAt" FROM "Email"
    WHERE "workflowStepExecutionId" = ${mail.workflowStepExecutionId}::uuid AND "projectId" = ${mail.projectId}::uuid`;
  return row ?? null;
}
