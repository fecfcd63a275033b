import { type Bindable, Prisma } from '../../db/index.ts';

/** The parts of the statement for a group of sends that apply the caps of their projects (behaviour B4.18). */
export interface Caps {
  /** the CTE with the refusals that come before the caps, and its column */
  judged: Prisma.Sql;
  judgement: Prisma.Sql;
  /** CTEs that reserve usage and give `checked`, with the `refusal` of each row */
  reserve: Prisma.Sql;
  /** CTEs after the rows are stored */
  giveBack: Prisma.Sql;
}

/** Without billing: nothing is reserved. */
export const noCaps: Caps = {
  judged: Prisma.sql`"checked"`,
  judgement: Prisma.sql`"refusal"`,
  reserve: Prisma.empty,
  giveBack: Prisma.empty,
};

/**
 * Each request of a group is granted its usage or refused by itself: 402 of one request is no matter of its neighbours. Usage is
 * reserved before idempotency keys are used, so that a refused request uses none; in the rare case that a key was used by another
 * process in the meantime, the usage is given back.
 */
export const groupCaps: Caps = {
  judged: Prisma.sql`"judged"`,
  judgement: Prisma.sql`"judgement"`,
  reserve: Prisma.sql`"asked" AS MATERIALIZED (
  SELECT "n", "project", "source", count(*) FILTER (WHERE NOT EXISTS (
    SELECT FROM "Suppression" s WHERE s."projectId" = j."project" AND s."email" = j."address"))::int AS "quantity"
  FROM "judged" j WHERE "judgement" IS NULL GROUP BY "n", "project", "source"
), "over" AS MATERIALIZED (
  SELECT a.ns[r."n"] AS "n"
  FROM (SELECT array_agg("n" ORDER BY "n") AS ns, array_agg("project" ORDER BY "n") AS projects, array_agg("source" ORDER BY "n") AS sources,
      array_agg("quantity" ORDER BY "n") AS quantities FROM "asked") a
  CROSS JOIN LATERAL reserve_usage(a.projects, a.sources, a.quantities, true) r WHERE NOT r."granted"
), "checked" AS MATERIALIZED (
  SELECT j.*, coalesce("judgement", CASE WHEN j."n" IN (SELECT "n" FROM "over") THEN '7:billing' END) AS "refusal" FROM "judged" j
), `,
  giveBack: Prisma.sql`, "unused" AS (
  INSERT INTO "UsageEntry" ("id", "projectId", "month", "sourceType", "quantity")
  SELECT uuid7(), a."project", date_trunc('month', now() AT TIME ZONE 'UTC'), a."source", -a."quantity" FROM "asked" a
  WHERE a."quantity" > 0 AND EXISTS (SELECT FROM "decided" d WHERE d."n" = a."n" AND d."decision" = '6:idempotency')
)`,
};

/** A column that ends a statement with `refuse('billing')` when the usage of one request exceeds a cap. */
export const capCheck = (
  project: Bindable<string>,
  source: Bindable<string>,
  quantity: Prisma.Sql,
): Prisma.Sql => Prisma.sql`(SELECT CASE WHEN NOT r."granted" THEN refuse('billing') END
  FROM reserve_usage(ARRAY[${project}::uuid], ARRAY[${source}::"EmailSource"], ARRAY[${quantity}], true) r)`;
