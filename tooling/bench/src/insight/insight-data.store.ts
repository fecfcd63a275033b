import type { Pool, PoolClient } from 'pg';

export interface InsightData {
  projectId: string;
  emails: number;
  log(line: string): void;
}

const days = 90;
const emailsPerContact = 5;
const campaigns = 200;
/** Emails inserted by one statement, so that none of them takes gigabytes. */
const perStatement = 500_000;

/** A hash of `n`, from 0 up to and without `below`: the same data in each run, without a pattern between columns. */
const random = (salt: string, below: number): string =>
  `(abs(hashtextextended(n::text, ${salt})) % ${below})`;

/**
 * Fills a project with emails of 90 days and four events for each of them, by statements over sets and without triggers, and then with
 * the rows that the triggers would have written. Half of the emails are of campaigns, the others of templates and workflow steps.
 */
export async function loadInsight(db: Pool, { projectId, emails, log }: InsightData): Promise<void> {
  const client = await db.connect();
  try {
    await client.query(
      "SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '256MB'",
    );
    await insertOwners(client, projectId, Math.ceil(emails / emailsPerContact));
    for (let from = 0; from < emails; from += perStatement) {
      await insertEmails(client, projectId, from, Math.min(emails, from + perStatement), emails);
      log(`${Math.min(emails, from + perStatement)} emails`);
    }
    for (const statement of eventStatements) await timed(client, statement, [projectId], log);
    for (const statement of sumStatements) await timed(client, statement, [projectId], log);
    await timed(client, 'VACUUM (ANALYZE) "Email"', [], log);
    await timed(client, 'VACUUM (ANALYZE) "Event"', [], log);
    await client.query('VACUUM (ANALYZE) "Contact"; ANALYZE').catch(() => client.query('ANALYZE'));
  } finally {
    client.release(true);
  }
}

async function timed(
  client: PoolClient,
  sql: string,
  values: readonly unknown[],
  log: (line: string) => void,
): Promise<void> {
  const { rowCount } = await client.query(sql, [...values]);
  log(`${rowCount ?? 0} rows: ${sql.trim().slice(0, 60).replace(/\s+/g, ' ')}`);
}

async function insertOwners(client: PoolClient, projectId: string, contacts: number): Promise<void> {
  await client.query(
    `INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "createdAt")
     SELECT uuid7(), $1, 'person' || n || '@' || (ARRAY['gmail.com','gmail.com','outlook.com','yahoo.com','icloud.com','firm' || n % 5000 || '.test'])[1 + n % 6],
       n % 20 <> 0, now() - ${random('1', days * 86_400)} * interval '1 second'
     FROM generate_series(1, $2::int) n`,
    [projectId, contacts],
  );
  await client.query(
    `INSERT INTO "Template" ("id", "projectId", "name", "subject", "body", "from")
     SELECT uuid7(), $1, 'Template ' || n, 'Template ' || n, '', 'hello@sender.test' FROM generate_series(1, 50) n`,
    [projectId],
  );
  await client.query(
    `INSERT INTO "Content" ("id", "projectId", "hash", "type", "sourceType", "subject", "body", "from", "projectName")
     SELECT uuid7(), $1, int4send(n), 'MARKETING', 'CAMPAIGN', 'News number ' || n, '', 'hello@sender.test', 'Insight' FROM generate_series(1, ${2 * campaigns}) n`,
    [projectId],
  );
  await client.query(
    `INSERT INTO "Campaign" ("id", "projectId", "name", "subject", "body", "from", "status", "audienceType", "contentId", "sentAt", "closedAt")
     SELECT uuid7(), $1, 'Campaign ' || n, 'News number ' || n, '', 'hello@sender.test', 'SENT', 'ALL',
       (SELECT "id" FROM "Content" WHERE "projectId" = $1 AND "hash" = int4send(n)),
       now() - (n - 0.5) * interval '${days} days' / ${campaigns}, now() FROM generate_series(1, ${campaigns}) n`,
    [projectId],
  );
}

/** Campaigns follow one another; other email is spread over the time. 40 percent are opened, most of them within a day. */
async function insertEmails(
  client: PoolClient,
  projectId: string,
  from: number,
  to: number,
  all: number,
): Promise<void> {
  await client.query(
    `WITH contact AS MATERIALIZED (
       SELECT "id", "email", row_number() OVER (ORDER BY "id") - 1 AS nth FROM "Contact" WHERE "projectId" = $1
     ), owned AS MATERIALIZED (SELECT count(*) AS contacts FROM contact
     ), campaign AS MATERIALIZED (
       SELECT "id", "contentId", "sentAt", row_number() OVER (ORDER BY "sentAt") - 1 AS nth FROM "Campaign" WHERE "projectId" = $1
     ), template AS MATERIALIZED (
       SELECT "id", row_number() OVER (ORDER BY "id") - 1 AS nth FROM "Template" WHERE "projectId" = $1
     ), content AS MATERIALIZED (
       SELECT "id", row_number() OVER (ORDER BY "id") - 1 AS nth FROM "Content" WHERE "projectId" = $1 AND "hash" > int4send(${campaigns})
     ), made AS (
       SELECT n, k."id" AS "campaignId", coalesce(k."contentId", o."id") AS "contentId", t."id" AS "templateId", c."id" AS "contactId", c."email",
         coalesce(k."sentAt" + ${random('2', 1_200)} * interval '1 second',
           now() - interval '${days} days' + (n::float8 / $4) * interval '${days} days') AS "sentAt",
         CASE WHEN ${random('3', 100)} < 40 THEN (power(${random('4', 1_000)} / 1000.0, 4) * 3 * 86400 + 30) * interval '1 second' END AS "opened",
         ${random('5', 100)} < 10 AS "isClicked", ${random('6', 1_000)} AS dice
       FROM generate_series($2::int, $3::int - 1) n
       LEFT JOIN campaign k ON n % 2 = 0 AND k.nth = n::bigint * ${campaigns} / $4::int
       LEFT JOIN template t ON n % 2 = 1 AND t.nth = n / 2 % 50
       LEFT JOIN content o ON n % 2 = 1 AND o.nth = n / 2 % ${campaigns}
       JOIN contact c ON c.nth = (n::bigint * 7919) % (SELECT contacts FROM owned)
     )
     INSERT INTO "Email" ("id", "projectId", "contactId", "to", "type", "sourceType", "contentId", "templateId", "campaignId", "status", "opens",
       "clicks", "sentAt", "deliveredAt", "openedAt", "clickedAt", "bouncedAt", "complainedAt", "unsubscribed", "createdAt", "updatedAt")
     SELECT uuid7(), $1, m."contactId", m."email", 'MARKETING', CASE WHEN m."campaignId" IS NULL THEN 'TRANSACTIONAL' ELSE 'CAMPAIGN' END::"EmailSource",
       m."contentId", m."templateId", m."campaignId", CASE WHEN m.dice < 5 THEN 'BOUNCED' WHEN m."sentAt" + m."opened" < now() THEN 'OPENED' ELSE 'DELIVERED' END::"EmailStatus",
       coalesce(m."sentAt" + m."opened" < now(), false)::int, coalesce(m."sentAt" + m."opened" < now() AND m."isClicked", false)::int, m."sentAt",
       CASE WHEN m.dice >= 5 THEN m."sentAt" + interval '2 seconds' END, CASE WHEN m."sentAt" + m."opened" < now() THEN m."sentAt" + m."opened" END,
       CASE WHEN m."isClicked" AND m."sentAt" + m."opened" < now() THEN m."sentAt" + m."opened" + interval '1 millisecond' END,
       CASE WHEN m.dice < 5 THEN m."sentAt" + interval '3 seconds' END, NULL, m.dice > 994, m."sentAt" - interval '1 second', m."sentAt"
     FROM made m`,
    [projectId, from, to, all],
  );
}

/** A delay after an email was sent, but not in the future. */
const soon = (delay: string): string =>
  `least(e."sentAt" + interval '${delay}', e."sentAt" + (now() - e."sentAt") / 2)`;

/** Four events for each email: sent, delivered or bounced, the first open or an event of the customer, and another of those. */
const eventStatements = [
  ...[
    [
      `'SYSTEM', 'email.sent', jsonb_build_object('emailId', e."id", 'campaignId', e."campaignId")`,
      'e."sentAt"',
    ],
    [
      `'SYSTEM', CASE WHEN e."bouncedAt" IS NULL THEN 'email.delivery' ELSE 'email.bounce' END, jsonb_build_object('emailId', e."id")`,
      `coalesce(e."deliveredAt", e."bouncedAt")`,
    ],
    [
      `CASE WHEN e."openedAt" IS NULL THEN 'CUSTOM' ELSE 'SYSTEM' END::"EventKind", CASE WHEN e."openedAt" IS NULL THEN 'visited' ELSE 'email.open' END,
        '{"isFirstOpen": true}'::jsonb`,
      `coalesce(e."openedAt", ${soon('1 hour')})`,
    ],
    [
      `CASE WHEN e."clickedAt" IS NULL THEN CASE WHEN e."unsubscribed" THEN 'SYSTEM' ELSE 'CUSTOM' END ELSE 'SYSTEM' END::"EventKind",
        CASE WHEN e."clickedAt" IS NULL THEN CASE WHEN e."unsubscribed" THEN 'contact.unsubscribed' ELSE 'bought' END ELSE 'email.click' END,
        '{"isFirstClick": true, "link": "https://shop.test/spring"}'::jsonb`,
      `coalesce(e."clickedAt", ${soon('2 hours')})`,
    ],
  ].map(
    ([what = '', at = '']) => `
      INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId", "createdAt")
      SELECT uuid7(), e."projectId", ${what}, e."contactId", e."id", ${at} FROM "Email" e WHERE e."projectId" = $1`,
  ),
  `INSERT INTO "Interaction" ("id", "projectId", "emailId", "type", "client", "device", "at")
   SELECT uuid7(), "projectId", "id", 'open', 'Apple Mail', 'mobile', "openedAt" FROM "Email" WHERE "projectId" = $1 AND "openedAt" IS NOT NULL`,
];

const facts = `(e."sentAt", 1, 0, 0, 0, 0, 0), (e."deliveredAt", 0, 1, 0, 0, 0, 0), (e."openedAt", 0, 0, 1, 0, 0, 0),
  (e."clickedAt", 0, 0, 0, 1, 0, 0), (e."bouncedAt", 0, 0, 0, 0, 1, 0), (e."complainedAt", 0, 0, 0, 0, 0, 1)`;

/** What the triggers and the records of interactions would have written. */
const sumStatements = [
  `INSERT INTO "FigureEntry" ("projectId", "at", "source", "campaignId", "templateId", "stepId", "domain", "provider", "sent", "delivered", "opened",
     "clicked", "bounced", "complained", "unsubscribed")
   SELECT e."projectId", date_bin('15 minutes', f."at", 'epoch'), e."sourceType", e."campaignId", e."templateId", e."templateId", 'sender.test',
     coalesce(m."provider", 'other'), sum(f.sent), sum(f.delivered), sum(f.opened), sum(f.clicked), sum(f.bounced), sum(f.complained),
     sum(e."unsubscribed"::int * f.sent)
   FROM "Email" e LEFT JOIN "MailboxDomain" m ON m."domain" = split_part(e."to", '@', 2)
   CROSS JOIN LATERAL (VALUES ${facts}) f("at", sent, delivered, opened, clicked, bounced, complained)
   WHERE e."projectId" = $1 AND f."at" IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
  `INSERT INTO "FigureEntry" ("projectId", "at", "campaignId", "templateId", "client", "device", "link", "opens", "clicks", "clickers")
   SELECT e."projectId", date_bin('15 minutes', e."openedAt", 'epoch'), e."campaignId", e."templateId",
     (ARRAY['Apple Mail','Outlook','Chrome','Safari','Gmail image proxy','Machine'])[1 + get_byte(uuid_send(e."id"), 15) % 6],
     (ARRAY['mobile','desktop','desktop','mobile','proxy','machine'])[1 + get_byte(uuid_send(e."id"), 15) % 6],
     CASE WHEN e."clickedAt" IS NOT NULL THEN 'https://shop.test/page/' || get_byte(uuid_send(e."id"), 14) % 40 END,
     sum(e."opens"), sum(e."clicks"), sum(e."clicks")
   FROM "Email" e WHERE e."projectId" = $1 AND e."openedAt" IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  `INSERT INTO "ContactCount" ("id", "projectId", "at", "created", "removed")
   SELECT uuid7(), "projectId", date_bin('15 minutes', "createdAt", 'epoch'), count(*), 0 FROM "Contact" WHERE "projectId" = $1 GROUP BY 2, 3`,
  `INSERT INTO "EventCount" ("id", "projectId", "name", "day", "count")
   SELECT uuid7(), "projectId", "name", ("createdAt" AT TIME ZONE 'UTC')::date, count(*) FROM "Event"
   WHERE "projectId" = $1 AND "kind" <> 'ACTIVITY' GROUP BY 2, 3, 4`,
  `INSERT INTO "CampaignCounter" ("campaignId", "projectId", "sentCount", "deliveredCount", "openedCount", "clickedCount", "bouncedCount")
   SELECT "campaignId", "projectId", count(*), count("deliveredAt"), count("openedAt"), count("clickedAt"), count("bouncedAt")
   FROM "Email" WHERE "projectId" = $1 AND "campaignId" IS NOT NULL GROUP BY 1, 2 ON CONFLICT DO NOTHING`,
];

export async function middleCampaign(db: Pool, projectId: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT "id" FROM "Campaign" WHERE "projectId" = $1 ORDER BY "sentAt" DESC OFFSET 20 LIMIT 1',
    [projectId],
  );
  return rows[0]?.id ?? '';
}

const entering = 'BEGIN';

/** Turns the entries of figures off or on, in the function that counts emails. */
export async function enterFigures(db: Pool, isOn: boolean): Promise<void> {
  const { rows } = await db.query<{ source: string }>(
    `SELECT pg_get_functiondef('count_updated_emails'::regproc) AS source`,
  );
  const source = rows[0]?.source ?? '';
  const off = 'BEGIN RETURN NULL;';
  const changed = isOn ? source.replace(off, entering) : source.replace(entering, off);
  if (changed !== source) await db.query(changed);
}

/** How many rows are there. */
export async function countRows(db: Pool, projectId: string): Promise<Record<string, number>> {
  const tables = ['Email', 'Event', 'Contact', 'Interaction', 'Figure', 'FigureEntry'];
  const counted: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM "${table}" WHERE "projectId" = $1`,
      [projectId],
    );
    counted[table] = rows[0]?.count ?? 0;
  }
  return counted;
}
