import type { EmailClass, SqlDb } from '../../db/index.ts';
import { newId } from '../../kernel/ids.ts';
import { priorities } from '../sending.rules.ts';

export interface NewWorkflowEmail {
  id: string;
  projectId: string;
  contactId: string;
  /** a custom address of the step; null: the contact's. Email to the contact's address always needs the subscription */
  customAddress: string | null;
  type: EmailClass;
  contentId: string;
  templateId: string;
  domainId: string;
  /** a snapshot of every value that its templates can read besides the system variables */
  vars: Record<string, unknown>;
  tracked: boolean;
  workflowExecutionId: string;
  workflowStepExecutionId: string;
}

export interface WrittenWorkflowEmail {
  id: string;
  to: string;
  reason: string | null;
  createdAt: Date;
}

/**
 * Stores the email of a workflow step with its delivery batch, or a SKIPPED one with its reason. A step has one email, even if it runs twice.
 *
 * @returns null when the contact was deleted
 */
export async function insertWorkflowEmail(
  db: SqlDb,
  mail: NewWorkflowEmail,
): Promise<WrittenWorkflowEmail | null> {
  const batchId = newId();
  const [row] = await db.$queryRaw<WrittenWorkflowEmail[]>`
    WITH recipient AS (
      SELECT c."id" AS "contactId", a."to",
        CASE
          WHEN ${mail.type}::"EmailClass" <> 'TRANSACTIONAL' AND a."to" = c."email" AND NOT c."subscribed" THEN 'unsubscribed'
          WHEN EXISTS (SELECT FROM "Suppression" s WHERE s."projectId" = c."projectId" AND s."email" = a."to") THEN 'suppressed'
        END AS "reason"
      FROM "Contact" c CROSS JOIN LATERAL (SELECT coalesce(${mail.customAddress}::text, c."email") AS "to") a
      WHERE c."id" = ${mail.contactId}::uuid AND c."projectId" = ${mail.projectId}::uuid
    ), email AS (
      INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId", "vars", "tracked", "templateId",
        "workflowExecutionId", "workflowStepExecutionId", "status", "reason", "batchId")
      SELECT ${mail.id}::uuid, ${mail.projectId}::uuid, "contactId", "to", ${mail.type}::"EmailClass", 'WORKFLOW', ${mail.contentId}::uuid,
        ${JSON.stringify(mail.vars)}::jsonb, ${mail.tracked}, ${mail.templateId}::uuid,
        ${mail.workflowExecutionId}::uuid, ${mail.workflowStepExecutionId}::uuid,
        CASE WHEN "reason" IS NULL THEN 'PENDING'::"EmailStatus" ELSE 'SKIPPED' END, "reason",
        CASE WHEN "reason" IS NULL THEN ${batchId}::uuid END
      FROM recipient
      ON CONFLICT DO NOTHING
      RETURNING "id", "to", "reason", "createdAt"
    ), batch AS (
      INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "domainId", "emailIds")
      SELECT ${batchId}::uuid, ${mail.projectId}::uuid, ${priorities.WORKFLOW}::smallint, ${mail.domainId}::uuid, ARRAY["id"]
      FROM email WHERE "reason" IS NULL
    )
    SELECT * FROM email
    UNION ALL
    SELECT "id", "to", "reason", "createdAt" FROM "Email"
    WHERE "workflowStepExecutionId" = ${mail.workflowStepExecutionId}::uuid AND "projectId" = ${mail.projectId}::uuid`;
  return row ?? null;
}
