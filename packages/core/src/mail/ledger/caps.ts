import { type Bindable, constant, type ParametersOf, Prisma } from '../../base/db/index.ts';
import { isSimulatedAddress } from '../eligibility/index.ts';

/** The parts of the statement for a group of sends that apply the caps of their projects (behaviour B4.18, B8.1). */
export interface Caps {
  /** the CTE with the refusals that come before the caps, and its column */
  judged: Prisma.Sql;
  judgement: Prisma.Sql;
  /** CTEs that reserve usage and give `checked`, with the `refusal` of each row */
  reserve: Prisma.Sql;
  /** CTEs after the rows are stored */
  giveBack: Prisma.Sql;
}

/** Without billing and daily caps: nothing is reserved. */
export const noCaps: Caps = {
  judged: Prisma.sql`"checked"`,
  judgement: Prisma.sql`"refusal"`,
  reserve: Prisma.empty,
  giveBack: Prisma.empty,
};

/** Which caps apply to a statement. */
export interface AppliedCaps {
  /** those of billing (behaviour B4.18) */
  billed: boolean;
  /** the daily ones of new projects, as `rampOf` gives them; null for none */
  ramp: string | null;
}

export const isCapped = ({ billed, ramp }: AppliedCaps): boolean => billed || ramp !== null;

/**
 * Each request of a group is granted or refused by itself: the refusal of one request does not concern its neighbours. Usage is
 * reserved before idempotency keys are used, so that a refused request uses none; in the rare case that a key was used by another
 * process in the meantime, the usage is given back. Emails of a group have no attachments, so each counts 1 of either cap.
 */
export const groupCaps = ({ billed, ramp }: ParametersOf<AppliedCaps>): Caps => ({
  judged: Prisma.sql`"judged"`,
  judgement: Prisma.sql`"judgement"`,
  reserve: Prisma.sql`"asked" AS MATERIALIZED (
  SELECT "n", "project", "source", count(*) FILTER (WHERE j."reason" IS NULL AND NOT ${isSimulatedAddress(constant('j."address"'))})::int AS "quantity",
    max("scheduledAt") AS "latest"
  FROM "judged" j WHERE "judgement" IS NULL GROUP BY "n", "project", "source"
), "over" AS MATERIALIZED (
  SELECT a.ns[r."n"] AS "n", r."refusal"
  FROM (SELECT array_agg("n" ORDER BY "n") AS ns, array_agg("project" ORDER BY "n") AS projects, array_agg("source" ORDER BY "n") AS sources,
      array_agg("quantity" ORDER BY "n") AS quantities, array_agg("latest" ORDER BY "n") AS latest FROM "asked" HAVING count(*) > 0) a
  CROSS JOIN LATERAL reserve_sends(a.projects, a.sources, a.quantities, a.quantities, ${billed}::boolean, ${ramp}::jsonb, a.latest) r
  WHERE r."refusal" IS NOT NULL
), "checked" AS MATERIALIZED (
  SELECT j.*, coalesce("judgement", '7:' || o."refusal") AS "refusal" FROM "judged" j LEFT JOIN "over" o ON o."n" = j."n"
), `,
  giveBack: Prisma.sql`, "unused" AS MATERIALIZED (
  SELECT a.* FROM "asked" a
  WHERE a."quantity" > 0 AND EXISTS (SELECT FROM "decided" d WHERE d."n" = a."n" AND d."decision" = '6:idempotency')
), "unusedUsage" AS (
  INSERT INTO "UsageEntry" ("id", "projectId", "month", "sourceType", "quantity")
  SELECT uuid7(), "project", date_trunc('month', now() AT TIME ZONE 'UTC'), "source", -"quantity" FROM "unused" WHERE ${billed}::boolean
), "unusedEmails" AS (
  INSERT INTO "SendRampEntry" ("id", "projectId", "day", "quantity")
  SELECT uuid7(), "project", (now() AT TIME ZONE 'UTC')::date, -"quantity" FROM "unused" WHERE ${ramp}::jsonb IS NOT NULL
)`,
});

/** A column that ends a statement with `refuse()` when one request exceeds a cap. */
export const capCheck = (
  { billed, ramp }: ParametersOf<AppliedCaps>,
  request: {
    project: Bindable<string>;
    source: Bindable<string>;
    emails: Prisma.Sql;
    usage: Bindable<number>;
    /** when the last of them is to be sent; null at once */
    latest: Prisma.Sql;
  },
): Prisma.Sql => Prisma.sql`(SELECT refuse(r."refusal") FROM (SELECT ${request.emails} AS "emails") a
  CROSS JOIN LATERAL reserve_sends(ARRAY[${request.project}::uuid], ARRAY[${request.source}::"EmailSource"], ARRAY[a."emails" * ${request.usage}::int],
    ARRAY[a."emails"], ${billed}::boolean, ${ramp}::jsonb, ARRAY[${request.latest}]) r WHERE r."refusal" IS NOT NULL)`;
