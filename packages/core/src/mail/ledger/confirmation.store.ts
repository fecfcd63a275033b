import { Prisma, type SqlDb } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import { isSimulatedAddress } from '../eligibility/index.ts';
import { type AppliedCaps, isCapped } from './caps.ts';
import { priorities } from './ledger.rules.ts';
import { unsendable } from './unsendable.rules.ts';

export interface NewConfirmation {
  id: string;
  projectId: string;
  contactId: string;
  to: string;
  contentId: string;
  /** null for the sandbox sender */
  domainId: string | null;
  templateId: string | null;
  /** the values of its variables: nothing of the contact is read */
  vars: Record<string, unknown>;
}

const reserved = (
  project: Prisma.Sql,
  address: Prisma.Sql,
  { billed, ramp }: AppliedCaps,
): Prisma.Sql => Prisma.sql`
  SELECT CASE r."refusal" WHEN 'billing' THEN ${unsendable.billingLimit}::text ELSE ${unsendable.dailyLimit}::text END AS "error"
  FROM reserve_sends(ARRAY[${project}], '{TRANSACTIONAL}'::"EmailSource"[], ARRAY[CASE WHEN ${isSimulatedAddress(address)} THEN 0 ELSE 1 END],
    ARRAY[CASE WHEN ${isSimulatedAddress(address)} THEN 0 ELSE 1 END], ${billed}::boolean, ${ramp}::jsonb) r
  WHERE r."refusal" IS NOT NULL`;

/**
 * Stores an email that a form or a subscription request causes, with its delivery batch: to somebody who need not be subscribed, and
 * untracked. Over a cap of its project it is one that FAILED.
 */
export async function insertConfirmation(db: SqlDb, mail: NewConfirmation, caps: AppliedCaps): Promise<void> {
  const project = Prisma.sql`${mail.projectId}::uuid`;
  const over = isCapped(caps)
    ? reserved(project, Prisma.sql`${mail.to}::text`, caps)
    : Prisma.sql`SELECT NULL::text AS "error" WHERE false`;
  const batchId = newId();
  await db.$executeRaw`
    WITH "over" AS MATERIALIZED (${over}
    ), "email" AS (
      INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId", "vars", "tracked", "templateId", "status", "error", "batchId")
      SELECT ${mail.id}::uuid, ${project}, ${mail.contactId}::uuid, ${mail.to}, 'TRANSACTIONAL', 'TRANSACTIONAL', ${mail.contentId}::uuid,
        ${JSON.stringify(mail.vars)}::jsonb, false, ${mail.templateId}::uuid,
        CASE WHEN o."error" IS NULL THEN 'PENDING' ELSE 'FAILED' END::"EmailStatus", o."error", CASE WHEN o."error" IS NULL THEN ${batchId}::uuid END
      FROM (SELECT 1) one LEFT JOIN "over" o ON true
      RETURNING "id", "batchId"
    )
    INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "domainId", "emailIds")
    SELECT e."batchId", ${project}, ${priorities.TRANSACTIONAL}::smallint, ${mail.domainId}::uuid, ARRAY[e."id"] FROM "email" e WHERE e."batchId" IS NOT NULL`;
}
