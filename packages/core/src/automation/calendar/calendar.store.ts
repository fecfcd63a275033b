import { type Db, Prisma } from '../../base/db/index.ts';
import type { CalendarItem } from './calendar.schema.ts';

export interface Span {
  from: Date;
  to: Date;
}

interface Place extends Span {
  projectId: string;
  now: Date;
}

export interface CampaignEntry {
  kind: 'campaign' | 'wave' | 'decision';
  id: string;
  name: string;
  at: Date;
  status: CalendarItem['status'];
  recipients: number;
  audienceType: 'ALL' | 'SEGMENT' | 'FILTERED';
  /** of its segment */
  segment: string | null;
  localAt: string | null;
  whenPassed: string | null;
}

const columns = Prisma.sql`c."id", c."name", c."status"::text AS "status", c."audienceType"::text AS "audienceType", c."localAt", c."whenPassed",
  (SELECT s."name" FROM "Segment" s WHERE s."id" = c."segmentId" AND s."projectId" = c."projectId") AS "segment"`;

/** Campaigns that start or have started in a span, their waves that are still to come, and the ends of their tests that run. */
export const findCampaignEntries = (
  db: Db,
  { projectId, from, to, now }: Place,
  limit: number,
): Promise<CampaignEntry[]> => db.$queryRaw`
  SELECT * FROM (
    SELECT 'campaign' AS "kind", coalesce(c."sentAt", c."scheduledFor") AS "at", c."totalRecipients" AS "recipients", ${columns} FROM "Campaign" c
    WHERE c."projectId" = ${projectId}::uuid AND (c."sentAt" >= ${from} AND c."sentAt" < ${to}
      OR c."status" = 'SCHEDULED' AND c."scheduledFor" >= ${from} AND c."scheduledFor" < ${to})
    UNION ALL
    SELECT 'wave', w."dueAt", w."recipients", ${columns} FROM "Campaign" c JOIN "CampaignWave" w ON w."campaignId" = c."id"
    WHERE c."projectId" = ${projectId}::uuid AND c."status" = 'SENDING' AND w."dueAt" > ${now} AND w."dueAt" >= ${from} AND w."dueAt" < ${to}
    UNION ALL
    SELECT 'decision', c."testEndsAt", c."totalRecipients", ${columns} FROM "Campaign" c
    WHERE c."projectId" = ${projectId}::uuid AND c."status" = 'SENDING' AND c."testState" = 'RUNNING' AND c."testEndsAt" >= ${from} AND c."testEndsAt" < ${to}
  ) e ORDER BY "at", "id" LIMIT ${limit}::int`;

export interface ScheduledWorkflow {
  id: string;
  name: string;
  cron: string;
  timeZone: string;
  /** of the segment whose members enter */
  segment: string | null;
  hasFilter: boolean;
}

/** Workflows that take contacts at times of their own. */
export const findScheduledWorkflows = (
  db: Db,
  projectId: string,
  limit: number,
): Promise<ScheduledWorkflow[]> => db.$queryRaw`
  SELECT w."id", w."name", w."triggerConfig" ->> 'cron' AS "cron", coalesce(w."triggerConfig" ->> 'timezone', 'UTC') AS "timeZone",
    w."triggerConfig" ? 'filter' AS "hasFilter",
    (SELECT s."name" FROM "Segment" s WHERE s."id"::text = w."triggerConfig" ->> 'segmentId' AND s."projectId" = w."projectId") AS "segment"
  FROM "Workflow" w
  WHERE w."projectId" = ${projectId}::uuid AND w."enabled" AND w."triggerType" = 'SCHEDULE' AND w."triggerConfig" ->> 'cron' IS NOT NULL
  ORDER BY w."id" LIMIT ${limit}::int`;
