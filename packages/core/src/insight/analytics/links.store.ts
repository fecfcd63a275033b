import type { Db } from '../../base/db/index.ts';

export interface LinkSums {
  /** null: links after the first 1,000 of the campaign, template or step */
  url: string | null;
  clicks: number;
  clickers: number;
}

interface LinkScope {
  projectId: string;
  /** id of a campaign, a template or a workflow step */
  scopeId: string;
}

/** The links of a campaign, template or step by clicks, most first; the entries that are not added up yet included. */
export const topLinks = (db: Db, { projectId, scopeId }: LinkScope, limit: number): Promise<LinkSums[]> =>
  db.$queryRaw<LinkSums[]>`
    SELECT l."url", sum(l."clicks")::int AS "clicks", sum(l."clickers")::int AS "clickers" FROM (
      SELECT "url", "clicks", "clickers" FROM "LinkFigure"
      WHERE "projectId" = ${projectId}::uuid AND "scopeId" = ${scopeId}::uuid
      UNION ALL
      SELECT "link", "clicks", "clickers" FROM "FigureEntry"
      WHERE "projectId" = ${projectId}::uuid AND "link" IS NOT NULL
        AND ${scopeId}::uuid IN ("campaignId", "templateId", "stepId")
    ) l GROUP BY l."url" ORDER BY 2 DESC, 3 DESC, 1 LIMIT ${limit}::int`;
