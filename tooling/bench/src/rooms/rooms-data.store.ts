import type { Pool, PoolClient } from 'pg';
import type { RoomIds } from './rooms-requests.ts';

export interface RoomsData {
  projectId: string;
  contacts: number;
  log(line: string): void;
}

/** Contacts inserted by one statement, so that none of them takes gigabytes. */
const perStatement = 250_000;
const eventsPerContact = 2;
const segments = 300;
const staticSegments = 30;
/** Together with the times of the workflows, as many items as a calendar shows. */
const sentCampaigns = 500;
const scheduledWorkflows = 50;

/** A hash of `n`, from 0 up to and without `below`: the same data in each run, without a pattern between columns. */
const random = (salt: number, below: number): string =>
  `(abs(hashtextextended(n::text, ${salt})) % ${below})`;

const one = (salt: number, ...values: string[]): string =>
  `(ARRAY[${values.map((value) => `'${value}'`).join(',')}])[1 + ${random(salt, values.length)}]`;

/** 15 keys of all types: few and many values, one in a hundred contacts with `churned`, and one in ten thousand with `beta`. */
const data = `jsonb_strip_nulls(jsonb_build_object(
  'firstName', 'First' || ${random(1, 5_000)}, 'lastName', 'Last' || ${random(2, 80_000)}, 'company', 'Company ' || ${random(3, 120_000)},
  'plan', ${one(4, 'free', 'free', 'free', 'pro', 'team', 'business')}, 'city', 'City ' || ${random(5, 8_000)}, 'country', 'C' || ${random(6, 180)},
  'language', ${one(7, 'en', 'en', 'de', 'fr', 'es', 'it', 'pt', 'ja')}, 'source', ${one(8, 'signup', 'import', 'checkout', 'webinar', 'partner')},
  'score', ${random(9, 1_000)}, 'seats', 1 + ${random(10, 200)}, 'lifetimeValue', ${random(11, 500_000)} / 100.0, 'vip', ${random(12, 20)} = 0,
  'signedUpOn', to_char(date '2026-11-01' - ${random(13, 1_500)}::int, 'YYYY-MM-DD'),
  'lastOrderAt', to_char(timestamp '2026-11-01' - ${random(14, 40_000_000)} * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  'tags', 'tag' || ${random(15, 40)} || ',tag' || ${random(16, 40)},
  'churned', CASE WHEN ${random(17, 100)} = 0 THEN true END, 'beta', CASE WHEN ${random(18, 10_000)} = 0 THEN 'wave 1' END))`;

/**
 * Fills a project with contacts, events, segments, suppressions, imports, campaigns and workflows, by statements over sets and without triggers, and
 * then with the rows that the triggers would have written.
 */
export async function loadRooms(db: Pool, given: RoomsData): Promise<void> {
  const { projectId, contacts, log } = given;
  const client = await db.connect();
  try {
    await client.query(
      "SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '256MB'; SET jit = off",
    );
    for (let from = 0; from < contacts; from += perStatement) {
      await insertContacts(client, given, from, Math.min(contacts, from + perStatement));
      log(`${Math.min(contacts, from + perStatement)} contacts`);
    }
    for (let turn = 0; turn < eventsPerContact; turn += 1) {
      await insertEvents(client, projectId, turn);
      log(`${(turn + 1) * contacts} events`);
    }
    for (const statement of others) await client.query(statement, [projectId]);
    await client.query(sumsOfContacts, [projectId]);
    await client.query(sumsOfEvents, [projectId]);
    for (const table of ['Contact', 'Event', 'SegmentMembership', 'Suppression', 'Job'])
      await client.query(`VACUUM (ANALYZE) "${table}"`);
    log('written');
  } finally {
    client.release(true);
  }
}

/** Created over a year, one after another. */
const insertContacts = (client: PoolClient, { projectId, contacts }: RoomsData, from: number, to: number) =>
  client.query(
    `INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "data", "createdAt", "updatedAt")
     SELECT uuid7(), $1, 'person' || n || '@' || (ARRAY['gmail.com','gmail.com','outlook.com','yahoo.com','icloud.com','firm' || n % 5000 || '.test'])[1 + n % 6],
       n % 20 <> 0, ${data}, now() - (1 - n::float8 / $4) * interval '1 year', now()
     FROM generate_series($2::int, $3::int - 1) n`,
    [projectId, from, to, contacts],
  );

const insertEvents = (client: PoolClient, projectId: string, turn: number) =>
  client.query(
    `INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "createdAt")
     SELECT uuid7(), $1, 'CUSTOM', CASE WHEN n % 5 < 2 THEN 'viewed' WHEN n % 5 = 2 THEN 'bought' ELSE 'event ' || ${random(21, 200)} END,
       jsonb_build_object('amount', ${random(22, 10_000)}, 'page', '/p/' || ${random(23, 500)}), "id",
       now() - ${random(24, 7_776_000)} * interval '1 second'
     FROM (SELECT "id", row_number() OVER () * 2 + $2::int AS n FROM "Contact" WHERE "projectId" = $1) c`,
    [projectId, turn],
  );

const filterOf = (field: string, operator: string, value: string): string =>
  `jsonb_build_object('logic', 'AND', 'groups', jsonb_build_array(jsonb_build_object('filters', jsonb_build_array(
    jsonb_build_object('field', ${field}, 'operator', '${operator}', 'value', ${value})))))`;

const others = [
  `INSERT INTO "Suppression" ("projectId", "email", "reason", "createdAt")
   SELECT $1, "email", (ARRAY['BOUNCE','COMPLAINT','MANUAL'])[1 + abs(hashtext("email")) % 3]::"SuppressionReason", now() - abs(hashtext("email")) % 80000 * interval '1 minute'
   FROM "Contact" WHERE "projectId" = $1 AND abs(hashtextextended("email", 3)) % 20 = 0`,
  `INSERT INTO "Segment" ("id", "projectId", "name", "slug", "type", "condition", "reads", "memberCount", "computedAt", "createdAt")
   SELECT uuid7(), $1, 'Segment ' || n, 'segment-' || n, CASE WHEN n <= ${staticSegments} THEN 'STATIC' ELSE 'DYNAMIC' END::"SegmentType",
     CASE WHEN n <= ${staticSegments} THEN NULL WHEN n % 3 = 0 THEN ${filterOf(`'data.city'`, 'equals', `'City ' || n`)}
       WHEN n % 3 = 1 THEN ${filterOf(`'data.score'`, 'greaterThan', 'n')} ELSE ${filterOf(`'data.country'`, 'equals', `'C' || n % 180`)} END,
     CASE WHEN n <= ${staticSegments} THEN '{}' WHEN n % 3 = 0 THEN '{data.city}' WHEN n % 3 = 1 THEN '{data.score}' ELSE '{data.country}' END::text[],
     0, now(), now() - n * interval '1 hour' FROM generate_series(1, ${segments}) n`,
  `INSERT INTO "SegmentMembership" ("projectId", "segmentId", "contactId", "enteredAt")
   SELECT $1, s."id", c."id", c."createdAt" FROM "Segment" s
   JOIN (SELECT "id", "createdAt", row_number() OVER () AS n FROM "Contact" WHERE "projectId" = $1) c
     ON CASE WHEN s."name" = 'Segment 1' THEN c.n % 4 = 0 ELSE c.n % 1000 = abs(hashtext(s."name")) % 1000 END
   WHERE s."projectId" = $1 AND s."type" = 'STATIC'`,
  `UPDATE "Segment" s SET "memberCount" = (SELECT count(*) FROM "SegmentMembership" m WHERE m."segmentId" = s."id")
   WHERE s."projectId" = $1 AND s."type" = 'STATIC'`,
  `INSERT INTO "Job" ("id", "projectId", "kind", "state", "progress", "result", "createdAt", "completedAt", "fileName")
   SELECT uuid7(), $1, 'import', 'completed', 100,
     '{"totalRows":1000,"successCount":1000,"createdCount":900,"updatedCount":100,"failureCount":0,"errors":[]}', now() - n * interval '1 hour', now(),
     'contacts ' || n || '.csv' FROM generate_series(1, 1000) n`,
  `INSERT INTO "Campaign" ("id", "projectId", "name", "subject", "body", "from", "audienceType", "segmentId", "status", "totalRecipients", "sentAt", "closedAt")
   SELECT uuid7(), $1, 'Campaign ' || n, 'News', '<p>News</p>', 'hello@sender.test', 'SEGMENT', s."id", 'SENT', n, now() - n * interval '40 minutes', now()
   FROM generate_series(1, ${sentCampaigns}) n, (SELECT "id" FROM "Segment" WHERE "projectId" = $1 AND "name" = 'Segment 1') s`,
  // At half past an hour that is half a day away, so that none begins meanwhile.
  `INSERT INTO "Workflow" ("id", "projectId", "name", "triggerType", "triggerConfig", "enabled")
   SELECT uuid7(), $1, 'Workflow ' || n, 'SCHEDULE',
     jsonb_build_object('cron', '30 ' || (extract(hour FROM now() AT TIME ZONE 'UTC')::int + 12) % 24 || ' * * *', 'segmentId', s."id"), true
   FROM generate_series(1, ${scheduledWorkflows}) n, (SELECT "id" FROM "Segment" WHERE "projectId" = $1 AND "name" = 'Segment 1') s`,
];

const sumsOfContacts = `
  INSERT INTO "ContactCount" ("id", "projectId", "at", "created", "removed")
  SELECT uuid7(), "projectId", date_bin('15 minutes', "createdAt", 'epoch'), count(*), 0 FROM "Contact" WHERE "projectId" = $1 GROUP BY 2, 3`;

const sumsOfEvents = `
  INSERT INTO "EventCount" ("id", "projectId", "name", "day", "count")
  SELECT uuid7(), "projectId", "name", ("createdAt" AT TIME ZONE 'UTC')::date, count(*) FROM "Event"
  WHERE "projectId" = $1 GROUP BY 2, 3, 4`;

/** Discards the figures that are cached for a project. */
export async function forgetFigures(db: Pool, projectId: string): Promise<void> {
  await db.query('DELETE FROM "CachedFigure" WHERE "projectId" = $1', [projectId]);
}

/** Makes a user the owner of the project, with a proven address. */
export async function joinProject(db: Pool, projectId: string, email: string): Promise<void> {
  await db.query('UPDATE "User" SET "emailVerified" = true WHERE "email" = $1', [email]);
  await db.query(
    `INSERT INTO "Member" ("projectId", "userId", "role") SELECT $1, "id", 'OWNER' FROM "User" WHERE "email" = $2`,
    [projectId, email],
  );
}

/** A contact, segments, a campaign and an import of the project; the campaign is made. */
export async function findIds(db: Pool, projectId: string): Promise<RoomIds> {
  await db.query(
    `INSERT INTO "Campaign" ("id", "projectId", "name", "subject", "body", "from", "audienceType", "status")
     VALUES (uuid7(), $1, 'News', 'News', '<p>News</p>', 'hello@sender.test', 'ALL', 'DRAFT')`,
    [projectId],
  );
  const { rows } = await db.query<RoomIds>(
    `SELECT c."id" AS "contact", c."email", (SELECT "id" FROM "Segment" WHERE "projectId" = $1 AND "name" = 'Segment 100') AS "dynamicSegment",
       (SELECT "id" FROM "Segment" WHERE "projectId" = $1 AND "name" = 'Segment 1') AS "staticSegment",
       (SELECT "id" FROM "Campaign" WHERE "projectId" = $1 AND "status" = 'DRAFT' LIMIT 1) AS "campaign",
       (SELECT "id" FROM "Job" WHERE "projectId" = $1 LIMIT 1) AS "importJob"
     FROM "Contact" c WHERE c."projectId" = $1 ORDER BY c."id" OFFSET 5000 LIMIT 1`,
    [projectId],
  );
  if (!rows[0]) throw new Error('There are too few contacts.');
  return rows[0];
}
