import { constant, type Db, Prisma } from '../../base/db/index.ts';
import { figureColumns, knownTags, mostTags, otherTags } from './figures.store.ts';

/** Links of a campaign, template or step that have a row of their own; later ones share one. */
const mostLinks = 1_000;
/** The hash of that row. */
const others = Prisma.sql`'\\x'::bytea`;

const listed = Prisma.raw(figureColumns.map((fact) => `"${fact}"`).join(', '));
const summed = Prisma.raw(figureColumns.map((fact) => `sum(e."${fact}")::int AS "${fact}"`).join(', '));
const added = Prisma.raw(
  figureColumns.map((fact) => `"${fact}" = f."${fact}" + EXCLUDED."${fact}"`).join(', '),
);

/**
 * Adds a batch of a project's entries to its figures and removes them, in one statement: each counts exactly once, also when the process
 * ends meanwhile. Another process that does the same takes other entries; rows are written in the order of their keys.
 *
 * @returns how many entries it was
 */
export async function foldBatch(db: Db, projectId: string, limit: number): Promise<number> {
  const [folded] = await db.$queryRaw<{ count: number }[]>`
WITH taken AS MATERIALIZED (
  DELETE FROM "FigureEntry" e WHERE e."projectId" = ${projectId}::uuid AND e."id" = ANY(ARRAY(
    SELECT o."id" FROM "FigureEntry" o WHERE o."projectId" = ${projectId}::uuid ORDER BY o."id" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))
  RETURNING e.*
), tagged AS MATERIALIZED (
  SELECT t.tag, min(e."id") AS first, EXISTS (${knownTags(projectId)} AND "key" = t.tag) AS known
  FROM taken e CROSS JOIN LATERAL unnest(e."tags") t(tag) GROUP BY t.tag
), tags AS MATERIALIZED (
  SELECT g.tag, CASE WHEN g.known OR row_number() OVER (PARTITION BY g.known ORDER BY g.first)
      + (SELECT count(*) FROM (${knownTags(projectId)}) k) <= ${constant(mostTags)} THEN g.tag ELSE ${otherTags} END AS key
  FROM tagged g
), figures AS (
  INSERT INTO "Figure" AS f ("projectId", "scopeId", "dimension", "unit", "at", "key", ${listed})
  SELECT ${projectId}::uuid, k.scope, k.dimension::"FigureDimension", k.unit::"FigureUnit", k.at, k.key, ${summed}
  FROM taken e
  CROSS JOIN LATERAL (SELECT date_trunc('day', e."at", 'UTC') AS day, 'epoch'::timestamptz AS ever, e."provider" IS NOT NULL AS email) t
  CROSS JOIN LATERAL (VALUES
    (e."campaignId", 'campaign', 'quarter', e."at", CASE WHEN t.email THEN '' END),
    (e."campaignId", 'provider', 'total', t.ever, e."provider"),
    (e."campaignId", 'client', 'total', t.ever, e."client"),
    (e."campaignId", 'device', 'total', t.ever, e."device"),
    (e."campaignId", 'variant', 'total', t.ever, CASE WHEN t.email THEN e."variant"::text END),
    (e."projectId", 'source', 'quarter', e."at", e."source"::text),
    (e."projectId", 'source', 'day', t.day, e."source"::text),
    (e."projectId", 'template', 'quarter', e."at", CASE WHEN t.email THEN e."templateId"::text END),
    (e."projectId", 'template', 'day', t.day, CASE WHEN t.email THEN e."templateId"::text END),
    (e."projectId", 'step', 'quarter', e."at", CASE WHEN t.email THEN e."stepId"::text END),
    (e."projectId", 'step', 'day', t.day, CASE WHEN t.email THEN e."stepId"::text END),
    (e."projectId", 'step_version', 'quarter', e."at", CASE WHEN t.email THEN e."stepId" || '/' || e."version" END),
    (e."projectId", 'step_version', 'day', t.day, CASE WHEN t.email THEN e."stepId" || '/' || e."version" END),
    (e."projectId", 'domain', 'quarter', e."at", e."domain"),
    (e."projectId", 'domain', 'day', t.day, e."domain"),
    (e."projectId", 'provider', 'quarter', e."at", e."provider"),
    (e."projectId", 'provider', 'day', t.day, e."provider"),
    (e."projectId", 'client', 'quarter', e."at", e."client"),
    (e."projectId", 'client', 'day', t.day, e."client"),
    (e."projectId", 'device', 'quarter', e."at", e."device"),
    (e."projectId", 'device', 'day', t.day, e."device")
    UNION ALL
    SELECT e."projectId", 'tag', u.unit, u.at, g.key
    FROM (SELECT DISTINCT tags.key FROM unnest(e."tags") n(tag) JOIN tags ON tags.tag = n.tag) g
    CROSS JOIN (VALUES ('quarter', e."at"), ('day', t.day), ('total', t.ever)) u(unit, at)
  ) k(scope, dimension, unit, at, key)
  WHERE k.scope IS NOT NULL AND k.key IS NOT NULL
  GROUP BY k.scope, k.dimension, k.unit, k.at, k.key ORDER BY 2, 3, 4, 5, 6
  ON CONFLICT ("projectId", "scopeId", "dimension", "unit", "at", "key") DO UPDATE SET ${added}
), clicked AS MATERIALIZED (
  SELECT s.scope, sha256(convert_to(e."link", 'UTF8')) AS hash, min(e."link") AS url, sum(e."clicks")::int AS clicks,
    sum(e."clickers")::int AS clickers
  FROM taken e CROSS JOIN LATERAL (VALUES (e."campaignId"), (e."templateId"), (e."stepId")) s(scope)
  WHERE e."link" IS NOT NULL AND s.scope IS NOT NULL GROUP BY 1, 2
), known AS MATERIALIZED (
  SELECT s.scope, (SELECT count(*) FROM "LinkFigure" l WHERE l."projectId" = ${projectId}::uuid AND l."scopeId" = s.scope) AS links
  FROM (SELECT DISTINCT scope FROM clicked) s
), placed AS (
  SELECT c.*, k.links, EXISTS (SELECT FROM "LinkFigure" l
      WHERE l."projectId" = ${projectId}::uuid AND l."scopeId" = c.scope AND l."hash" = c.hash) AS stored
  FROM clicked c JOIN known k ON k.scope = c.scope
), numbered AS (
  SELECT p.*, p.stored OR p.links + row_number() OVER (PARTITION BY p.scope, p.stored ORDER BY p.clicks DESC, p.hash) <= ${constant(mostLinks)} AS own
  FROM placed p
), links AS (
  INSERT INTO "LinkFigure" AS l ("projectId", "scopeId", "hash", "url", "clicks", "clickers")
  SELECT ${projectId}::uuid, n.scope, CASE WHEN n.own THEN n.hash ELSE ${others} END, min(CASE WHEN n.own THEN n.url END),
    sum(n.clicks), sum(n.clickers)
  FROM numbered n GROUP BY 2, 3 ORDER BY 2, 3
  ON CONFLICT ("projectId", "scopeId", "hash") DO UPDATE SET "clicks" = l."clicks" + EXCLUDED."clicks", "clickers" = l."clickers" + EXCLUDED."clickers"
)
SELECT count(*)::int AS "count" FROM taken`;
  return folded?.count ?? 0;
}

/** Gives the space of removed entries free, unless another process is doing that. Must not run in a transaction. */
export const vacuumEntries = (db: Db): Promise<number> =>
  db.$executeRaw`VACUUM (SKIP_LOCKED, ANALYZE) "FigureEntry"`;
