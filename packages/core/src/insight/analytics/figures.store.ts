import { type Db, type FigureDimension, Prisma } from '../../base/db/index.ts';
import { partsOf, quarterInterval } from '../../base/figures/index.ts';
import type { Period } from './period.rules.ts';

/** The counted columns of `FigureEntry` and `Figure`. */
export const figureColumns = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'refused',
  'complained',
  'unsubscribed',
  'opens',
  'clicks',
] as const;
export type Sums = Record<(typeof figureColumns)[number], number>;
export type KeyedSums = Sums & { key: string };

export const noSums: Sums = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  refused: 0,
  complained: 0,
  unsubscribed: 0,
  opens: 0,
  clicks: 0,
};

const listed = Prisma.raw(figureColumns.map((column) => `"${column}"`).join(', '));
/** A provider that became known between two facts of an email can have more of one fact taken back than it had. */
const summed = Prisma.raw(
  figureColumns.map((column) => `greatest(0, sum(f."${column}"))::int AS "${column}"`).join(', '),
);

/**
 * Tags of a project that have figures of their own; those that come later share the ones of `otherTags`. Two processes that add up
 * at the same time can let in a few more.
 */
export const mostTags = 200;
export const otherTags = '(other)';

/** SQL: the tags of a project that have figures of their own. Each has one row of all times. */
export const knownTags = (projectId: string): Prisma.Sql => Prisma.sql`
  SELECT "key" FROM "Figure" WHERE "projectId" = ${projectId}::uuid AND "scopeId" = ${projectId}::uuid AND "dimension" = 'tag'
    AND "unit" = 'total' AND "at" = 'epoch' AND "key" <> ${otherTags}`;

/** Where an entry has the key of a dimension. Interactions have no provider, emails no client. */
const keyOfEntry: Record<Exclude<FigureDimension, 'campaign' | 'tag'>, Prisma.Sql> = {
  source: Prisma.sql`"source"::text`,
  template: Prisma.sql`CASE WHEN "provider" IS NOT NULL THEN "templateId"::text END`,
  step: Prisma.sql`CASE WHEN "provider" IS NOT NULL THEN "stepId"::text END`,
  step_version: Prisma.sql`CASE WHEN "provider" IS NOT NULL THEN "stepId" || '/' || "version" END`,
  variant: Prisma.sql`CASE WHEN "provider" IS NOT NULL THEN "variant"::text END`,
  domain: Prisma.sql`"domain"`,
  provider: Prisma.sql`"provider"`,
  client: Prisma.sql`"client"`,
  device: Prisma.sql`"device"`,
};

export interface FigureSearch {
  projectId: string;
  dimension: keyof typeof keyOfEntry | 'tag';
  keys?: readonly string[] | undefined;
}

/**
 * Sums by key over a period of whole quarters of an hour, as of one moment: what is added up, and the entries that are not yet.
 * Keys without anything are left out.
 */
export function sumFigures(
  db: Db,
  { projectId, dimension, keys }: FigureSearch,
  period: Period,
): Promise<KeyedSums[]> {
  const { days, quarters } = partsOf(period);
  const ranges = [
    ...(days ? [{ unit: 'day', ...days }] : []),
    ...quarters.map((quarter) => ({ unit: 'quarter', ...quarter })),
  ];
  const stored = ranges.map(
    ({ unit, from, to }) => Prisma.sql`
      SELECT "key", ${listed} FROM "Figure" WHERE "projectId" = ${projectId}::uuid AND "scopeId" = ${projectId}::uuid
        AND "dimension" = ${dimension}::"FigureDimension" AND "unit" = ${unit}::"FigureUnit" AND "at" >= ${from} AND "at" < ${to}`,
  );
  const wanted = keys ? Prisma.sql`AND f."key" = ANY(${[...keys]})` : Prisma.empty;
  return db.$queryRaw<KeyedSums[]>`
    SELECT f."key", ${summed} FROM (
      ${Prisma.join(stored, ' UNION ALL ')}
      UNION ALL
      SELECT ${dimension === 'tag' ? Prisma.sql`g."key"` : keyOfEntry[dimension]}, ${listed} FROM "FigureEntry" e
      ${dimension === 'tag' ? tagsOfEntry(projectId) : Prisma.empty}
      WHERE "projectId" = ${projectId}::uuid AND "at" >= ${period.from} AND "at" < ${period.to}
    ) f WHERE f."key" IS NOT NULL ${wanted}
    GROUP BY f."key"`;
}

/** SQL: a row for each tag that an entry `e` counts under. One that has no figures yet gets its own while there is room. */
const tagsOfEntry = (projectId: string): Prisma.Sql => Prisma.sql`
  CROSS JOIN (SELECT coalesce(array_agg(k."key"), '{}') AS "known" FROM (${knownTags(projectId)}) k) k
  CROSS JOIN LATERAL (
    SELECT DISTINCT CASE WHEN t.tag = ANY(k."known") OR cardinality(k."known") < ${mostTags} THEN t.tag ELSE ${otherTags} END AS "key"
    FROM unnest(e."tags") t(tag)
  ) g`;

interface CampaignScope {
  projectId: string;
  campaignId: string;
}

/** As entered: `placedCounts` makes counts of them. */
const entered = Prisma.raw(
  figureColumns.map((column) => `sum(f."${column}")::int AS "${column}"`).join(', '),
);

/** Sums of one campaign by provider, client or device, over all time. Those of a provider can be negative. */
export const sumOfCampaign = (
  db: Db,
  { projectId, campaignId }: CampaignScope,
  dimension: 'provider' | 'client' | 'device',
): Promise<KeyedSums[]> =>
  db.$queryRaw<KeyedSums[]>`
    SELECT f."key", ${entered} FROM (
      SELECT "key", ${listed} FROM "Figure" WHERE "projectId" = ${projectId}::uuid AND "scopeId" = ${campaignId}::uuid
        AND "dimension" = ${dimension}::"FigureDimension" AND "unit" = 'total'
      UNION ALL
      SELECT ${keyOfEntry[dimension]}, ${listed} FROM "FigureEntry"
      WHERE "projectId" = ${projectId}::uuid AND "campaignId" = ${campaignId}::uuid
    ) f WHERE f."key" IS NOT NULL GROUP BY f."key"`;

/**
 * The emails of one campaign in each bucket, by the position of the bucket; empty ones are left out.
 *
 * @param starts when each bucket starts, in order
 * @param end where the last one ends
 */
export const campaignSeries = (
  db: Db,
  { projectId, campaignId }: CampaignScope,
  starts: readonly Date[],
  end: Date,
): Promise<(Sums & { bucket: number })[]> => {
  const edges = starts.map((start) => start.toISOString());
  return db.$queryRaw<(Sums & { bucket: number })[]>`
    SELECT width_bucket(f."at", ${edges}::timestamptz[]) - 1 AS "bucket", ${summed} FROM (
      SELECT "at", ${listed} FROM "Figure" WHERE "projectId" = ${projectId}::uuid AND "scopeId" = ${campaignId}::uuid
        AND "dimension" = 'campaign' AND "unit" = 'quarter' AND "at" >= ${edges[0]}::timestamptz AND "at" < ${end}
      UNION ALL
      SELECT "at", ${listed} FROM "FigureEntry" WHERE "projectId" = ${projectId}::uuid AND "campaignId" = ${campaignId}::uuid
        AND "provider" IS NOT NULL AND "at" >= ${edges[0]}::timestamptz AND "at" < ${end}
    ) f GROUP BY 1`;
};

/** What happened to the emails of a campaign in one hour, counted from the quarter of an hour in which it was sent. */
export interface CurvePoint {
  campaignId: string;
  hour: number;
  opened: number;
  clicked: number;
}

/** The first opens and clicks of campaigns by the hours since each was sent; hours without any are left out. */
export const campaignCurves = (
  db: Db,
  projectId: string,
  campaigns: readonly { id: string; sentAt: Date }[],
  lastHour: number,
): Promise<CurvePoint[]> => {
  if (campaigns.length === 0) return Promise.resolve([]);
  const ids = campaigns.map(({ id }) => id);
  const starts = campaigns.map(({ sentAt }) => sentAt.toISOString());
  return db.$queryRaw<CurvePoint[]>`
    SELECT c."id"::text AS "campaignId", p.* FROM (
      SELECT s."id", date_bin(${quarterInterval}, s."at", 'epoch') AS "start"
      FROM unnest(${ids}::uuid[], ${starts}::timestamptz[]) AS s("id", "at")
    ) c CROSS JOIN LATERAL (
      SELECT floor(extract(epoch FROM f."at" - c."start") / 3600)::int AS "hour",
        greatest(0, sum(f."opened"))::int AS "opened", greatest(0, sum(f."clicked"))::int AS "clicked"
      FROM (
        SELECT "at", "opened", "clicked" FROM "Figure" WHERE "projectId" = ${projectId}::uuid AND "scopeId" = c."id"
          AND "dimension" = 'campaign' AND "unit" = 'quarter' AND "at" >= c."start" AND "at" < c."start" + ${lastHour + 1}::int * interval '1 hour'
        UNION ALL
        SELECT "at", "opened", "clicked" FROM "FigureEntry" WHERE "projectId" = ${projectId}::uuid AND "campaignId" = c."id"
          AND "provider" IS NOT NULL AND "at" >= c."start" AND "at" < c."start" + ${lastHour + 1}::int * interval '1 hour'
      ) f GROUP BY 1) p`;
};

/**
 * Sums of the campaigns of a project over a period of whole quarters of an hour, with their names. Those without anything are left out.
 *
 * @param ids null for all
 */
export const sumCampaigns = (
  db: Db,
  projectId: string,
  period: Period,
  ids: readonly string[] | null,
): Promise<(KeyedSums & { name: string })[]> => {
  const wanted = ids === null ? Prisma.empty : Prisma.sql`AND c."id" = ANY(${[...ids]}::uuid[])`;
  return db.$queryRaw<(KeyedSums & { name: string })[]>`
    SELECT c."id"::text AS "key", c."name", s.* FROM "Campaign" c CROSS JOIN LATERAL (
      SELECT ${summed}, count(*)::int AS "rows" FROM (
        SELECT ${listed} FROM "Figure" WHERE "projectId" = ${projectId}::uuid AND "scopeId" = c."id"
          AND "dimension" = 'campaign' AND "unit" = 'quarter' AND "at" >= ${period.from} AND "at" < ${period.to}
        UNION ALL
        SELECT ${listed} FROM "FigureEntry" WHERE "projectId" = ${projectId}::uuid AND "campaignId" = c."id"
          AND "provider" IS NOT NULL AND "at" >= ${period.from} AND "at" < ${period.to}
      ) f) s
    WHERE c."projectId" = ${projectId}::uuid AND c."sentAt" < ${period.to} AND s."rows" > 0 ${wanted}`;
};
