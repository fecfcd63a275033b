import type { Pool } from 'pg';

/** The topic that the measured email and filters name. */
const newsNumber = 2;

/**
 * Inserts contacts with the act that subscribed each, or made it leave: nine of ten are subscribed, and three of ten have chosen a topic. Without
 * triggers, since the acts are written beside.
 */
export async function fillConsents(db: Pool, projectId: string, contacts: number): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    await client.query(
      `INSERT INTO "Topic" ("id", "projectId", "number", "key", "name", "default", "position", "updatedAt")
       VALUES (uuid7(), $1, ${newsNumber}, 'news', '{"en": "News"}', 'OUT', 1, now())`,
      [projectId],
    );
    await client.query(
      `WITH "made" AS (
         SELECT uuid7() AS id, n, nextval('"ConsentSeq"') AS seq, n % 10 <> 0 AS subscribed, date_trunc('milliseconds', now()) AS at,
           CASE WHEN n % 10 < 3 THEN '{${newsNumber}}' ELSE '{}' END::smallint[] AS chosen
         FROM generate_series(1, $2::int) n
       ), "written" AS (
         INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "stated", "optOutBy", "topicsOn", "consentSeq", "consentBasis", "consentedAt", "data",
           "createdAt", "updatedAt")
         SELECT id, $1, 'p' || n || '@people.test', subscribed, true, CASE WHEN NOT subscribed THEN 'recipient' END::"OptOutBy", chosen, seq,
           CASE WHEN subscribed THEN 'given' END::"ConsentBasis", CASE WHEN subscribed THEN at END,
           jsonb_build_object('plan', (ARRAY['free','pro','team'])[1 + n % 3], 'score', n % 1000), now() - (n % 4320000) * interval '1 second', now()
         FROM "made"
       )
       INSERT INTO "ConsentAct" ("seq", "projectId", "contactId", "at", "action", "effect", "source", "actor", "basis", "optOutBy", "topicsOn")
       SELECT seq, $1, id, at, CASE WHEN subscribed THEN 'subscribe' ELSE 'unsubscribe' END::"ConsentAction", 'changed', 'api', 'key',
         CASE WHEN subscribed THEN 'given' END::"ConsentBasis", CASE WHEN NOT subscribed THEN 'recipient' END::"OptOutBy", nullif(chosen, '{}')
       FROM "made"`,
      [projectId, contacts],
    );
  } finally {
    client.release(true);
  }
  await db.query('VACUUM ANALYZE "Contact"');
  await db.query('VACUUM ANALYZE "ConsentAct"');
}

/** Adds acts without effect, so that each contact has as many as given. */
export async function addActs(db: Pool, projectId: string, each: number): Promise<void> {
  await db.query(
    `INSERT INTO "ConsentAct" ("seq", "projectId", "contactId", "action", "effect", "source", "actor")
     SELECT nextval('"ConsentSeq"'), $1, c."id", 'subscribe', 'unchanged', 'page', 'recipient'
     FROM generate_series(2, $2::int) turn CROSS JOIN "Contact" c WHERE c."projectId" = $1`,
    [projectId, each],
  );
  await db.query('VACUUM ANALYZE "ConsentAct"');
}

/** Has each contact change its mind back and forth, so that it ends in the state that it had. Twice as many acts with effect as given. */
export async function addTurns(db: Pool, projectId: string, pairs: number): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    await client.query(
      `INSERT INTO "ConsentAct" ("seq", "projectId", "contactId", "at", "action", "effect", "source", "actor", "basis", "optOutBy")
       SELECT nextval('"ConsentSeq"'), $1, t."id", date_trunc('milliseconds', now()), CASE WHEN t."enters" THEN 'subscribe' ELSE 'unsubscribe' END::"ConsentAction",
         'changed', 'page', 'recipient', CASE WHEN t."enters" THEN 'given' END::"ConsentBasis", CASE WHEN NOT t."enters" THEN 'recipient' END::"OptOutBy"
       FROM (SELECT c."id", (turn % 2 = 0) = c."subscribed" AS "enters" FROM generate_series(1, 2 * $2::int) turn CROSS JOIN "Contact" c
         WHERE c."projectId" = $1 ORDER BY turn OFFSET 0) t`,
      [projectId, pairs],
    );
    await client.query(
      `UPDATE "Contact" c SET "consentSeq" = a."seq", "consentedAt" = CASE WHEN c."subscribed" THEN a."at" END FROM (
         SELECT DISTINCT ON ("contactId") "contactId", "seq", "at" FROM "ConsentAct" WHERE "projectId" = $1 AND "effect" = 'changed'
         ORDER BY "contactId", "seq" DESC) a
       WHERE c."id" = a."contactId"`,
      [projectId],
    );
  } finally {
    client.release(true);
  }
  await db.query('VACUUM ANALYZE "Contact"');
  await db.query('VACUUM ANALYZE "ConsentAct"');
}

/** Reads the acts with an effect in the order in which they are folded, and does nothing with them. */
export async function walkActs(db: Pool, projectId: string): Promise<void> {
  const client = await db.connect();
  try {
    await client.query(`CREATE FUNCTION pg_temp.walk_acts(project uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
      DECLARE act record; seen bigint := 0;
      BEGIN
        FOR act IN SELECT * FROM "ConsentAct" a WHERE a."projectId" = project AND a."effect" = 'changed' ORDER BY a."contactId", a."seq" LOOP
          seen := seen + 1;
        END LOOP;
        RETURN seen;
      END $$`);
    await client.query('SELECT pg_temp.walk_acts($1)', [projectId]);
  } finally {
    client.release(true);
  }
}

/** Ids of contacts all over the project. */
export async function someContacts(db: Pool, projectId: string, count: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT "id" FROM "Contact" WHERE "projectId" = $1 ORDER BY md5("email") LIMIT $2`,
    [projectId, count],
  );
  return rows.map(({ id }) => id);
}

/** Inserts a campaign with the status SENDING that is not frozen yet. @param topic the key of its topic; null without one */
export async function insertCampaign(
  db: Pool,
  project: { id: string; from: string },
  campaignId: string,
  topic: string | null,
): Promise<void> {
  await db.query(
    `INSERT INTO "Campaign" ("id", "projectId", "name", "subject", "body", "from", "audienceType", "status", "sentAt", "topicId")
     VALUES ($1, $2, 'Bench', 'News', '<p>News</p>', $3, 'ALL', 'SENDING', now(),
       (SELECT "id" FROM "Topic" WHERE "projectId" = $2 AND "key" = $4 AND "deletedAt" IS NULL))`,
    [campaignId, project.id, project.from, topic],
  );
}
