import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase } from '../testing/test-database.ts';
import { readMigrations } from './schema-engine.ts';

/** The migration that replaced one delivery row per email by batches keeps everything that waits, and forgets no transfer. */
const name = '20261122140000_delivery_batches';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [project, campaign, token] = [id(1), id(2), id(3)];

it('converts waiting, claimed and begun deliveries, and the counts of skipped emails', async () => {
  const { migrationDirectories } = await readMigrations();
  for (const { path, migrationFile } of migrationDirectories)
    if (path < name) await client.query(migrationFile.content.value);

  const emails = [
    ...Array.from({ length: 501 }, (_, n) => ({ n, campaign, status: 'PENDING', reason: null })),
    ...[501, 502].map((n) => ({ n, campaign: null, status: 'PENDING', reason: null })),
    { n: 503, campaign, status: 'PENDING', reason: null },
    { n: 504, campaign, status: 'SKIPPED', reason: 'suppressed' },
    { n: 505, campaign, status: 'SKIPPED', reason: null },
    { n: 506, campaign, status: 'UNCERTAIN', reason: null },
  ];
  for (const email of emails)
    await client.query(
      `INSERT INTO "Email" ("id", "projectId", "to", "toHash", "type", "sourceType", "contentId", "campaignId", "status", "reason")
       VALUES ($1, $2, 'a@people.test', uuid_send($1), 'MARKETING', 'CAMPAIGN', $2, $3, $4::"EmailStatus", $5)`,
      [id(100 + email.n), project, email.campaign, email.status, email.reason],
    );
  await client.query(
    `INSERT INTO "Delivery" ("emailId", "projectId", "priority", "campaignId", "nextAttemptAt", "token", "dataStartedAt")
     SELECT "id", "projectId", CASE WHEN "campaignId" IS NULL THEN 1 ELSE 3 END, "campaignId", '2026-11-22',
       CASE WHEN "id" IN ($1, $2) THEN $3::uuid END, CASE WHEN "id" = $2 THEN now() END
     FROM "Email" WHERE "status" = 'PENDING'`,
    [id(100), id(603), token],
  );
  await client.query(
    `INSERT INTO "CampaignCounter" ("campaignId", "projectId", "skippedCount") VALUES ($1, $2, 2)`,
    [campaign, project],
  );

  const migration = migrationDirectories.find(({ path }) => path === name);
  await client.query(migration?.migrationFile.content.value ?? '');

  const { rows: batches } = await client.query(
    `SELECT "campaignId", "priority", "token", "begun", "answered", "leaseUntil" <= now() AS over, cardinality("emailIds") AS size,
       (SELECT count(*)::int FROM "Email" e WHERE e."batchId" = b."id" AND e."id" = ANY(b."emailIds")) AS emails
     FROM "DeliveryBatch" b ORDER BY size DESC, "priority", "token"`,
  );
  const waiting = { token: null, begun: null, answered: null, over: null };
  expect(batches).toEqual([
    { ...waiting, campaignId: campaign, priority: 4, size: 500, emails: 500 },
    { ...waiting, campaignId: null, priority: 1, size: 1, emails: 1 },
    { ...waiting, campaignId: null, priority: 1, size: 1, emails: 1 },
    {
      campaignId: campaign,
      priority: 4,
      token,
      begun: Buffer.of(1),
      answered: Buffer.of(0),
      over: true,
      size: 1,
      emails: 1,
    },
    { ...waiting, campaignId: campaign, priority: 4, size: 1, emails: 1 },
  ]);
  const { rows: open } = await client.query(
    `SELECT count(*)::int AS count FROM "Email" WHERE ("status" = 'PENDING') <> ("batchId" IS NOT NULL)`,
  );
  expect(open).toEqual([{ count: 0 }]);
  const { rows: doubtful } = await client.query(`SELECT "id" FROM "Email" WHERE "uncertainAt" IS NOT NULL`);
  expect(doubtful).toEqual([{ id: id(606) }]);
  const { rows: counters } = await client.query(
    `SELECT "skippedSuppressed", "skippedCancelled" FROM "CampaignCounter"`,
  );
  expect(counters).toEqual([{ skippedSuppressed: 1, skippedCancelled: 1 }]);
});
