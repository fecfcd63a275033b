import type { Pool } from 'pg';
import { constant, Prisma, prepared } from '../../base/db/index.ts';
import { eventRow, insertEvents, storedAs, storedWhere, toldContact } from '../../base/event-types/index.ts';
import { quarterOf } from '../../base/figures/index.ts';
import { isSimulatedAddress } from '../eligibility/index.ts';
import { emailColumnsOf, emailFacts, emailLabels } from '../ledger/index.ts';
import { machine } from './client-names.rules.ts';

/** An open, or a click of `link`; or several alike beyond the limit of rows, which only count. */
export interface Interaction {
  /** becomes the id of its row and of its event, so that a repeated statement does not store it twice */
  id: string;
  type: 'open' | 'click';
  emailId: string;
  link: string | null;
  bot: boolean;
  client: string;
  device: string;
  /** when the request arrived, as `performance.now()` */
  receivedAt: number;
  /** how many it is */
  times: number;
}

export interface StoredInteractions {
  /** ids of those whose email another transaction has locked: not stored */
  busy: string[];
  /** projects in which events were emitted */
  projects: string[];
}

/** More interactions of one email, type and hour are not stored as rows (behaviour B1.5). */
export const mostPerHour = 20;

/** Clicks of different links of one email within this time are a burst, and how long after the hand-over two are enough. In milliseconds. */
export const burstMs = 2_000;
const soonAfterMs = 10_000;
/** A burst is known when a click is this old. Until twice this age it tells of others. */
const keptMs = 3 * burstMs;
/** Clicks that are compared with one, and that one statement judges. */
const mostNear = 60;
const judgedAtOnce = 500;

const ofHit = {
  projectId: constant('h."projectId"'),
  contactId: toldContact('h'),
  emailId: constant('h."id"'),
};

const iso = (column: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What the effects of an interaction need of its email. */
const ofEmail = constant(`e."id", e."projectId", e."campaignId",
    e."status", e."opens", e."clicks", e."openedAt", e."clickedAt", e."sentAt", e."bouncedAt", e."subject", e."contentId", e."messageId",
    e."templateId", e."sourceType", e."contactId", e."workflowStepExecutionId", e."toOther", e."recipientType", e."tags", e."metadata",
    e."status" < 'SENT' OR e."status" = 'UNCERTAIN' AS "proven",
    EXISTS (SELECT FROM "DeliveryBatch" b WHERE b."id" = e."batchId" AND b."token" IS NOT NULL) AS "held"`);

/**
 * What follows the interactions of "done", in the order of "n": figures, emails, campaign counters and events. "clicker" has those that are
 * the first click of their link in their email.
 *
 * An open proves that an email was sent even if the ledger does not know it yet: UNCERTAIN, or PENDING again after
 * that, in which case it leaves the batch in which it waits to be sent again. An email of a held batch stays in it,
 * because its answer is about to be written.
 */
const effects = Prisma.sql`"entered" AS (
  INSERT INTO "FigureEntry" ("projectId", "at", "campaignId", "templateId", "stepId", "client", "device", "link", "opens", "clicks", "clickers")
  SELECT h."projectId", ${quarterOf(constant('h."at"'))}, h."campaignId", h."templateId", s."stepId", h."client", h."device",
    CASE WHEN NOT h."bot" THEN h."link" END, coalesce(sum(h."times") FILTER (WHERE h."kind" = 'open'), 0), coalesce(sum(h."times") FILTER (WHERE h."kind" = 'click'), 0),
    count(*) FILTER (WHERE h."isClicker")
  FROM (SELECT x.*, x."n" IN (SELECT k."n" FROM "clicker" k) AS "isClicker" FROM "done" x) h
  LEFT JOIN LATERAL (SELECT "stepId" FROM "WorkflowStepExecution" WHERE "id" = h."workflowStepExecutionId") s ON true
  WHERE h."sourceType" NOT IN ('TEST', 'SYSTEM') AND h."status" NOT IN ('FAILED', 'SKIPPED')
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
), "sum" AS MATERIALIZED (
  SELECT h."id", h."campaignId", h."status", h."openedAt", h."clickedAt", h."sentAt", h."bouncedAt", h."proven", h."held", min(h."at") AS "at",
    coalesce(sum(h."times") FILTER (WHERE h."kind" = 'open'), 0)::int AS "newOpens",
    coalesce(sum(h."times") FILTER (WHERE h."kind" = 'click'), 0)::int AS "newClicks",
    min(h."at") FILTER (WHERE h."kind" = 'click') AS "newClickedAt",
    CASE WHEN bool_or(h."kind" = 'click') THEN 'CLICKED' ELSE 'OPENED' END::"EmailStatus" AS "reached"
  FROM "done" h WHERE h."counts"
  GROUP BY h."id", h."campaignId", h."status", h."openedAt", h."clickedAt", h."sentAt", h."bouncedAt", h."proven", h."held"
), "raised" AS (
  UPDATE "Email" e SET "opens" = e."opens" + x."newOpens", "clicks" = e."clicks" + x."newClicks",
    "openedAt" = coalesce(e."openedAt", x."at"), "clickedAt" = coalesce(e."clickedAt", x."newClickedAt"),
    "status" = CASE WHEN x."proven" OR e."status" < x."reached" THEN x."reached" ELSE e."status" END,
    "sentAt" = CASE WHEN x."proven" THEN coalesce(e."sentAt", x."at") ELSE e."sentAt" END,
    "error" = CASE WHEN NOT x."proven" THEN e."error" END,
    "batchId" = CASE WHEN x."held" OR NOT x."proven" THEN e."batchId" END,
    "uncertainAt" = CASE WHEN NOT x."proven" THEN e."uncertainAt" END,
    "simulated" = e."simulated" OR ${isSimulatedAddress(constant('e."to"'))},
    "updatedAt" = now()
  FROM "sum" x WHERE e."id" = x."id"
), "change" AS MATERIALIZED (
  SELECT x."campaignId", sum((x."openedAt" IS NULL)::int) AS "opened",
    sum((x."newClicks" > 0 AND x."clickedAt" IS NULL)::int) AS "clicked",
    sum((x."proven" AND x."sentAt" IS NULL)::int) AS "sent",
    sum((x."proven" AND x."sentAt" IS NULL AND x."bouncedAt" IS NOT NULL)::int) AS "refused", sum((x."status" = 'UNCERTAIN')::int) AS "uncertain"
  FROM "sum" x WHERE x."campaignId" IS NOT NULL GROUP BY x."campaignId"
), "counter" AS MATERIALIZED (
  SELECT c."campaignId" FROM "CampaignCounter" c
  WHERE c."campaignId" = ANY (ARRAY(SELECT d."campaignId" FROM "change" d WHERE d."opened" + d."clicked" + d."sent" + d."uncertain" > 0))
  ORDER BY c."campaignId" FOR NO KEY UPDATE
), "counted" AS (
  UPDATE "CampaignCounter" c SET "openedCount" = c."openedCount" + d."opened", "clickedCount" = c."clickedCount" + d."clicked",
    "sentCount" = c."sentCount" + d."sent", "refusedCount" = c."refusedCount" - d."refused", "uncertainCount" = c."uncertainCount" - d."uncertain"
  FROM "counter" x JOIN "change" d ON d."campaignId" = x."campaignId" WHERE c."campaignId" = x."campaignId"
), "news" AS (
  SELECT h.*, sum(h."times") OVER (PARTITION BY h."id", h."kind" ORDER BY h."n") AS "nth"
  FROM "done" h WHERE h."counts" AND h."sourceType" NOT IN ('TEST', 'SYSTEM') AND (NOT h."toOther" OR h."recipientType" IS NOT NULL)
), "emitted" AS (
  ${insertEvents}
  ${eventRow({
    ...storedWhere([[`h."kind" = 'open'`, 'email.open']], 'email.click'),
    ...ofHit,
    id: constant('h."interactionId"'),
    data: Prisma.sql`jsonb_object(ARRAY[${emailFacts(emailColumnsOf('h'))}]) || ${emailLabels('h')}
    || CASE h."kind"
      WHEN 'open' THEN jsonb_build_object('openedAt', ${iso(Prisma.sql`h."at"`)}, 'opens', h."opens" + h."nth",
        'isFirstOpen', h."opens" + h."nth" = h."times")
      ELSE jsonb_build_object('link', h."link", 'clickedAt', ${iso(Prisma.sql`h."at"`)}, 'clicks', h."clicks" + h."nth",
        'isFirstClick', h."clicks" + h."nth" = h."times") END`,
  })}
  FROM "news" h CROSS JOIN LATERAL (SELECT "subject", "from", "fromName" FROM "Content" WHERE "id" = h."contentId") c
  UNION ALL
  -- It proves that an email was sent which the ledger did not know as sent.
  ${eventRow({
    ...storedAs('email.sent'),
    ...ofHit,
    data: Prisma.sql`email_facts(h."id", h."subject", h."messageId", h."templateId", h."campaignId", h."sourceType", h."contentId") || ${emailLabels('h')} || jsonb_build_object('sentAt', ${iso(Prisma.sql`h."at"`)})`,
  })}
  FROM (SELECT DISTINCT ON (h."id") h.* FROM "done" h WHERE h."counts" AND h."proven" AND h."sentAt" IS NULL
    AND h."sourceType" NOT IN ('TEST', 'SYSTEM') ORDER BY h."id", h."at") h
  RETURNING "projectId"
)`;

/*
 * Rows of the same statement are matched by IN, for which PostgreSQL makes a hash table whatever the settings of the pool: joined, each
 * would be compared with all others.
 *
 * Emails are locked first, so that of many opens at once exactly one is the first; those that are locked elsewhere are left out, so
 * that one email never delays the others of the group.
 *
 * A click that may count waits in "RecentClick": only its row is stored here.
 */
const recordGroup = prepared<{ rows: string; isRepeat: boolean }>(
  'record-interactions',
  ({ rows, isRepeat }) => Prisma.sql`
WITH "row" AS MATERIALIZED (
  SELECT r."n", r."id", r."emailId", r."type", r."link", r."bot", r."client", r."device", r."times",
    (now() - r."age" * interval '1 millisecond')::timestamptz(3) AS "at"
  FROM jsonb_to_recordset(${rows}::jsonb)
    AS r("n" int, "id" uuid, "emailId" uuid, "type" "InteractionType", "link" text, "bot" boolean, "client" text, "device" text, "times" int, "age" float8)
  WHERE NOT (${isRepeat}::boolean AND (EXISTS (SELECT FROM "Interaction" i WHERE i."id" = r."id")
    OR EXISTS (SELECT FROM "Event" v WHERE v."id" = r."id") OR EXISTS (SELECT FROM "RecentClick" c WHERE c."id" = r."id")))
), "hit" AS MATERIALIZED (
  SELECT r."n", r."id" AS "interactionId", r."type" AS "kind", r."link", r."bot", r."client", r."device", r."times", r."at", ${ofEmail},
    NOT r."bot" AND e."status" NOT IN ('FAILED', 'SKIPPED') AS "counts"
  FROM "row" r JOIN "Email" e ON e."id" = r."emailId" FOR UPDATE OF e SKIP LOCKED
), "numbered" AS (
  SELECT h.*, row_number() OVER (PARTITION BY h."id", h."kind", date_trunc('hour', h."at", 'UTC') ORDER BY h."n") AS "nth"
  FROM "hit" h
), "kept" AS MATERIALIZED (
  SELECT x.* FROM "numbered" x
  CROSS JOIN LATERAL (
    SELECT count(*) AS "stored" FROM (
      SELECT FROM "Interaction" i WHERE i."emailId" = x."id" AND i."type" = x."kind"
        AND i."at" >= date_trunc('hour', x."at", 'UTC') AND i."at" < date_trunc('hour', x."at", 'UTC') + interval '1 hour'
      LIMIT ${constant(mostPerHour)}
    ) i
  ) before
  WHERE before."stored" + x."nth" <= ${constant(mostPerHour)}
), "noted" AS (
  INSERT INTO "Interaction" ("id", "projectId", "emailId", "type", "link", "bot", "client", "device", "at")
  SELECT x."interactionId", x."projectId", x."id", x."kind", x."link", x."bot", x."client", x."device", x."at" FROM "kept" x
), "waiting" AS (
  INSERT INTO "RecentClick" ("id", "emailId", "link", "client", "device", "times", "at")
  SELECT h."interactionId", h."id", h."link", h."client", h."device", h."times", h."at" FROM "hit" h WHERE h."kind" = 'click' AND h."counts"
), "done" AS MATERIALIZED (
  SELECT h.* FROM "hit" h WHERE h."kind" = 'open' OR NOT h."counts"
), "clicker" AS (
  SELECT NULL::int AS "n" WHERE false
), ${effects}
SELECT
  ARRAY(
    SELECT r."id"::text FROM "row" r
    WHERE r."n" NOT IN (SELECT h."n" FROM "hit" h) AND EXISTS (SELECT FROM "Email" e WHERE e."id" = r."emailId")
  ) AS "busy",
  ARRAY(SELECT DISTINCT v."projectId"::text FROM "emitted" v) AS "projects"`,
);

/**
 * Records opens and clicks in one statement: interactions, emails, campaign counters and events. A click that may count waits for its effects
 * (`storeVerdicts`). Those by bots change nothing but
 * are stored as interactions (behaviour B1.5), as are those of an email that was never sent (FAILED, SKIPPED; behaviour B3.3). Those
 * of emails that do not exist are ignored.
 *
 * @param pool one for groups, since the statement looks everything up by key
 * @param isRepeat whether an earlier statement may have stored some of them; these are left out
 */
export async function storeInteractions(
  pool: Pool,
  interactions: readonly Interaction[],
  { isRepeat = false } = {},
): Promise<StoredInteractions> {
  const now = performance.now();
  const rows = interactions.map(({ receivedAt, ...interaction }, n) => ({
    ...interaction,
    n,
    age: Math.max(0, now - receivedAt),
  }));
  const stored = await pool.query<StoredInteractions>(recordGroup({ rows: JSON.stringify(rows), isRepeat }));
  return stored.rows[0] ?? { busy: [], projects: [] };
}

/*
 * A burst of clicks is that of a machine: three or more links of one email within two seconds, or two soon after it was handed over. What is
 * due was made so long ago that all clicks which could be of the same burst are stored. Rows are locked, so each is judged once, whichever
 * process does it. Of a flood the nearest clicks decide.
 */
const judgeGroup = prepared<{ waitMs: number; most: number }>(
  'judge-clicks',
  ({ waitMs, most }) => Prisma.sql`
WITH "due" AS MATERIALIZED (
  SELECT c.* FROM "RecentClick" c
  WHERE NOT c."judged" AND (c."at" <= now() - ${waitMs}::float8 * interval '1 millisecond'
    -- Written before the clock was set back.
    OR c."at" > now() + interval '1 minute')
  ORDER BY c."at" LIMIT ${most}::int FOR UPDATE SKIP LOCKED
), "numbered" AS MATERIALIZED (
  SELECT d.*, row_number() OVER (ORDER BY d."at", d."id") AS "n" FROM "due" d
), "found" AS MATERIALIZED (
  SELECT d."n", d."id" AS "interactionId", 'click'::"InteractionType" AS "kind", d."link", d."client", d."device", d."times", d."at", ${ofEmail}, e."uncertainAt"
  FROM "numbered" d JOIN "Email" e ON e."id" = d."emailId" FOR UPDATE OF e SKIP LOCKED
), "verdict" AS MATERIALIZED (
  SELECT f.*, EXISTS (
    WITH "near" AS MATERIALIZED (
      SELECT c."link", c."at", c."at" <= coalesce(f."sentAt", f."uncertainAt", 'infinity') + interval '${constant(soonAfterMs)} milliseconds' AS "isSoon"
      FROM "RecentClick" c WHERE c."emailId" = f."id"
        AND c."at" BETWEEN f."at" - interval '${constant(burstMs)} milliseconds' AND f."at" + interval '${constant(burstMs)} milliseconds'
      ORDER BY c."at" LIMIT ${constant(mostNear)}
    )
    SELECT FROM "near" s CROSS JOIN LATERAL (
      SELECT count(DISTINCT b."link") AS "links", count(DISTINCT b."link") FILTER (WHERE b."isSoon") AS "soon"
      FROM "near" b WHERE b."at" BETWEEN s."at" AND s."at" + interval '${constant(burstMs)} milliseconds'
    ) w
    WHERE f."at" BETWEEN s."at" AND s."at" + interval '${constant(burstMs)} milliseconds' AND (w."links" >= 3
      OR w."soon" >= 2 AND f."at" <= coalesce(f."sentAt", f."uncertainAt", 'infinity') + interval '${constant(soonAfterMs)} milliseconds')
  ) AS "bot" FROM "found" f
), "done" AS MATERIALIZED (
  SELECT f."n", f."interactionId", f."kind", f."link", f."bot", CASE WHEN f."bot" THEN '${constant(machine)}' ELSE f."client" END AS "client",
    CASE WHEN f."bot" THEN 'machine' ELSE f."device" END AS "device", f."times", f."at", f."id", f."projectId", f."campaignId", f."status", f."opens",
    f."clicks", f."openedAt", f."clickedAt", f."sentAt", f."bouncedAt", f."subject", f."contentId", f."messageId", f."templateId", f."sourceType",
    f."contactId", f."workflowStepExecutionId", f."toOther", f."recipientType", f."tags", f."metadata", f."proven", f."held", NOT f."bot" AND f."status" NOT IN ('FAILED', 'SKIPPED') AS "counts"
  FROM "verdict" f
), "judged" AS (
  UPDATE "RecentClick" SET "judged" = true WHERE "id" = ANY (ARRAY(SELECT d."interactionId" FROM "done" d))
), "marked" AS (
  UPDATE "Interaction" SET "bot" = true, "client" = '${constant(machine)}', "device" = 'machine'
  WHERE "id" = ANY (ARRAY(SELECT d."interactionId" FROM "done" d WHERE d."bot"))
), "forgotten" AS (
  DELETE FROM "RecentClick" WHERE "id" = ANY (ARRAY(
    SELECT c."id" FROM "RecentClick" c WHERE c."judged" AND c."at" < now() - interval '${constant(keptMs)} milliseconds' LIMIT 2000 FOR UPDATE SKIP LOCKED))
    -- Its email was removed.
    OR "id" = ANY (ARRAY(SELECT d."id" FROM "due" d WHERE NOT EXISTS (SELECT FROM "Email" e WHERE e."id" = d."emailId")))
), "clicker" AS MATERIALIZED (
  SELECT DISTINCT ON (x."id", x."link") x."n" FROM "done" x
  WHERE x."counts" AND EXISTS (SELECT FROM "Interaction" i WHERE i."id" = x."interactionId")
    -- LIMIT makes it a lookup for each; as a join it would read the interactions of all emails.
    AND (SELECT count(*) FROM (
      SELECT FROM "Interaction" i WHERE i."emailId" = x."id" AND i."type" = 'click' AND NOT i."bot" AND i."link" = x."link"
        AND coalesce((SELECT c."judged" FROM "RecentClick" c WHERE c."id" = i."id"), true) LIMIT 1) earlier) = 0
  ORDER BY x."id", x."link", x."n"
), ${effects}
SELECT (SELECT count(*)::int FROM "done") AS "judged",
  (SELECT extract(epoch FROM min(c."at") - now())::float8 * 1000 + ${waitMs}::float8 FROM "RecentClick" c WHERE NOT c."judged" AND c."id" NOT IN (SELECT d."id" FROM "due" d)) AS "nextMs",
  ARRAY(SELECT DISTINCT v."projectId"::text FROM "emitted" v) AS "projects"`,
);

export interface JudgedClicks {
  judged: number;
  /** time until the next click is due; null when none waits */
  nextMs: number | null;
  /** projects in which events were emitted */
  projects: string[];
}

/**
 * Gives clicks that were made `waitMs` ago their effects (status, counters, events), unless they are part of a burst (behaviour B1.5).
 *
 * @param pool one for groups, since the statement looks everything up by key
 */
export async function storeVerdicts(pool: Pool, waitMs: number): Promise<JudgedClicks> {
  const { rows } = await pool.query<JudgedClicks>(judgeGroup({ waitMs, most: judgedAtOnce }));
  return rows[0] ?? { judged: 0, nextMs: null, projects: [] };
}
