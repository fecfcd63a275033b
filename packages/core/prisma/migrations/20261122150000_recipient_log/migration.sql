CREATE TABLE "RecipientLog" (
  "id" UUID NOT NULL,
  "campaignId" UUID NOT NULL,
  "status" "EmailStatus" NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "firstId" UUID NOT NULL,
  "lastId" UUID NOT NULL,
  "count" INTEGER NOT NULL,
  "emailIds" UUID[],
  CONSTRAINT "RecipientLog_pkey" PRIMARY KEY ("campaignId", "status", "at", "lastId", "id")
);

-- The log of a campaign's recipients: which emails reached which state, in sets, one row per statement, state and time. A trigger writes
-- it, so that no writer can omit it; freezing, which inserts a whole audience, writes its own rows. It is read instead of an index
-- over states and times, which every result would have to update (and which would end HOT updates of Email).
CREATE FUNCTION log_recipients() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on SET enable_nestloop = off AS $$
BEGIN
  INSERT INTO "RecipientLog" ("id", "campaignId", "status", "at", "firstId", "lastId", "count", "emailIds")
  SELECT uuid7(), s."campaignId", s."status", s."at", s.ids[1], s.ids[cardinality(s.ids)], cardinality(s.ids), s.ids
  FROM (
    SELECT a."campaignId", k."status", k."at", array_agg(a."id" ORDER BY a."id") AS ids
    FROM after a JOIN before b ON b."id" = a."id"
    CROSS JOIN LATERAL (VALUES
      ('SENT'::"EmailStatus", a."sentAt", b."sentAt"), ('DELIVERED', a."deliveredAt", b."deliveredAt"),
      ('OPENED', a."openedAt", b."openedAt"), ('CLICKED', a."clickedAt", b."clickedAt"),
      ('BOUNCED', a."bouncedAt", b."bouncedAt"), ('COMPLAINED', a."complainedAt", b."complainedAt"),
      (a."status", CASE WHEN a."status" IN ('PENDING', 'FAILED', 'SKIPPED', 'UNCERTAIN') THEN a."updatedAt" END,
        CASE WHEN a."status" = b."status" THEN b."updatedAt" END)
    ) k("status", "at", "before")
    WHERE a."campaignId" IS NOT NULL AND k."at" IS NOT NULL AND k."at" IS DISTINCT FROM k."before"
    GROUP BY 1, 2, 3
  ) s;
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_recipient_log" AFTER UPDATE ON "Email" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION log_recipients();
ALTER TABLE "RecipientLog" ALTER COLUMN "emailIds" SET STORAGE EXTERNAL;

INSERT INTO "RecipientLog" ("id", "campaignId", "status", "at", "firstId", "lastId", "count", "emailIds")
SELECT uuid7(), s."campaignId", s."status", s."at", s.ids[1], s.ids[cardinality(s.ids)], cardinality(s.ids), s.ids
FROM (
  SELECT e."campaignId", k."status", k."at", array_agg(e."id" ORDER BY e."id") AS ids
  FROM "Email" e
  CROSS JOIN LATERAL (VALUES
    ('SENT'::"EmailStatus", e."sentAt"), ('DELIVERED', e."deliveredAt"), ('OPENED', e."openedAt"), ('CLICKED', e."clickedAt"),
    ('BOUNCED', e."bouncedAt"), ('COMPLAINED', e."complainedAt"),
    (e."status", CASE WHEN e."status" IN ('PENDING', 'FAILED', 'SKIPPED', 'UNCERTAIN') THEN e."updatedAt" END)
  ) k("status", "at")
  WHERE e."campaignId" IS NOT NULL AND k."at" IS NOT NULL
  GROUP BY 1, 2, 3
) s;

-- A retry that is too large for one request: the rest is requeued in the background.
ALTER TABLE "Campaign" ADD COLUMN "retryStatuses" "EmailStatus"[] DEFAULT ARRAY[]::"EmailStatus"[],
  ADD COLUMN "retryBefore" TIMESTAMPTZ(3);

-- Repeated turns of an execution that ended with the loss of their worker.
ALTER TABLE "WorkflowExecution" ADD COLUMN "lostTurns" SMALLINT NOT NULL DEFAULT 0;
