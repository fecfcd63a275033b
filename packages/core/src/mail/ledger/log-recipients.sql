-- The log of a campaign's recipients: which emails reached which state, in sets, one row per statement, state and time. A trigger writes
-- it, so that no writer can omit it; freezing, which inserts a whole audience, writes its own rows. It is read instead of an index
-- over states and times, which every result would have to update (and which would end HOT updates of Email).
CREATE FUNCTION log_recipients() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on SET enable_nestloop = off AS $$
BEGIN
  INSERT INTO "RecipientLog" ("id", "campaignId", "status", "at", "firstId", "lastId", "count", "emailIds")
  WITH changed AS MATERIALIZED (
    SELECT a."id", a."campaignId", a."status",
      CASE WHEN a."sentAt" IS DISTINCT FROM b."sentAt" THEN a."sentAt" END AS sent,
      CASE WHEN a."deliveredAt" IS DISTINCT FROM b."deliveredAt" THEN a."deliveredAt" END AS delivered,
      CASE WHEN a."openedAt" IS DISTINCT FROM b."openedAt" THEN a."openedAt" END AS opened,
      CASE WHEN a."clickedAt" IS DISTINCT FROM b."clickedAt" THEN a."clickedAt" END AS clicked,
      CASE WHEN a."bouncedAt" IS DISTINCT FROM b."bouncedAt" THEN a."bouncedAt" END AS bounced,
      CASE WHEN a."complainedAt" IS DISTINCT FROM b."complainedAt" THEN a."complainedAt" END AS complained,
      CASE WHEN a."status" IN ('PENDING', 'FAILED', 'SKIPPED', 'UNCERTAIN')
        AND (a."status" <> b."status" OR a."updatedAt" IS DISTINCT FROM b."updatedAt") THEN a."updatedAt" END AS other
    FROM after a JOIN before b ON b."id" = a."id" WHERE a."campaignId" IS NOT NULL
  )
  SELECT uuid7(), s."campaignId", s."status", s."at", s.ids[1], s.ids[cardinality(s.ids)], cardinality(s.ids), s.ids
  FROM (
    SELECT f."campaignId", f."status", f."at", array_agg(f."id" ORDER BY f."id") AS ids
    FROM (
      SELECT "id", "campaignId", 'SENT'::"EmailStatus" AS "status", sent AS "at" FROM changed WHERE sent IS NOT NULL
      UNION ALL SELECT "id", "campaignId", 'DELIVERED', delivered FROM changed WHERE delivered IS NOT NULL
      UNION ALL SELECT "id", "campaignId", 'OPENED', opened FROM changed WHERE opened IS NOT NULL
      UNION ALL SELECT "id", "campaignId", 'CLICKED', clicked FROM changed WHERE clicked IS NOT NULL
      UNION ALL SELECT "id", "campaignId", 'BOUNCED', bounced FROM changed WHERE bounced IS NOT NULL
      UNION ALL SELECT "id", "campaignId", 'COMPLAINED', complained FROM changed WHERE complained IS NOT NULL
      UNION ALL SELECT "id", "campaignId", "status", other FROM changed WHERE other IS NOT NULL
    ) f GROUP BY 1, 2, 3
  ) s;
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_recipient_log" AFTER UPDATE ON "Email" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION log_recipients();
