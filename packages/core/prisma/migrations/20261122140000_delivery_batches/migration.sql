-- Batches replace the rows per email: queue entry, claim, lease and progress of up to 500 emails are one row.
CREATE TABLE "DeliveryBatch" (
  "id" UUID NOT NULL,
  "projectId" UUID NOT NULL,
  "campaignId" UUID,
  "domainId" UUID,
  "priority" SMALLINT NOT NULL,
  "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "firstAnsweredAt" TIMESTAMPTZ(3),
  "token" UUID,
  "worker" TEXT,
  "leaseUntil" TIMESTAMPTZ(3),
  "stopped" BOOLEAN NOT NULL DEFAULT false,
  "begun" BYTEA,
  "answered" BYTEA,
  "written" BYTEA,
  "results" JSONB,
  "progressAt" TIMESTAMPTZ(3),
  "emailIds" UUID[],
  CONSTRAINT "DeliveryBatch_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "DeliveryBatch" ALTER COLUMN "emailIds" SET STORAGE EXTERNAL;
ALTER TABLE "DeliveryBatch" SET (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

ALTER TABLE "Email" ADD COLUMN "batchId" UUID, ADD COLUMN "uncertainAt" TIMESTAMPTZ(3);
UPDATE "Email" SET "uncertainAt" = "updatedAt" WHERE "status" = 'UNCERTAIN';

ALTER TABLE "CampaignCounter"
  ADD COLUMN "skippedUnsubscribed" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "skippedSuppressed" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "skippedInvalid" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "skippedCancelled" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "skippedProjectDisabled" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "skippedDuplicate" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "skippedSandbox" INTEGER NOT NULL DEFAULT 0;
UPDATE "CampaignCounter" c SET
  "skippedUnsubscribed" = s."unsubscribed", "skippedSuppressed" = s."suppressed", "skippedInvalid" = s."invalid",
  "skippedCancelled" = s."cancelled", "skippedProjectDisabled" = s."projectDisabled", "skippedDuplicate" = s."duplicate"
FROM (
  SELECT "campaignId", count(*) FILTER (WHERE "reason" = 'unsubscribed') AS "unsubscribed",
    count(*) FILTER (WHERE "reason" = 'suppressed') AS "suppressed", count(*) FILTER (WHERE "reason" = 'invalid') AS "invalid",
    count(*) FILTER (WHERE coalesce("reason", 'cancelled') = 'cancelled') AS "cancelled",
    count(*) FILTER (WHERE "reason" = 'project_disabled') AS "projectDisabled",
    count(*) FILTER (WHERE "reason" = 'duplicate') AS "duplicate"
  FROM "Email" WHERE "status" = 'SKIPPED' AND "campaignId" IS NOT NULL GROUP BY "campaignId"
) s WHERE s."campaignId" = c."campaignId";

-- Waiting emails, and claimed ones whose transfer had not begun: one batch each outside of campaigns, batches of 500 for campaigns.
-- The priorities of campaigns move from 3 to 4 (first attempts); 3 is for their retries.
CREATE TEMPORARY TABLE "Moved" ON COMMIT DROP AS
SELECT d."emailId", d."projectId", d."campaignId", d."domainId", d."nextAttemptAt", d."firstAnsweredAt",
  CASE WHEN d."priority" < 3 THEN d."priority" WHEN d."firstAnsweredAt" IS NULL THEN 4 ELSE 3 END::smallint AS "priority",
  CASE WHEN d."dataStartedAt" IS NOT NULL THEN d."token" END AS "token",
  CASE WHEN d."campaignId" IS NOT NULL AND (d."token" IS NULL OR d."dataStartedAt" IS NULL)
    THEN (row_number() OVER (PARTITION BY d."campaignId", d."domainId", d."firstAnsweredAt", d."nextAttemptAt",
      d."token" IS NOT NULL AND d."dataStartedAt" IS NOT NULL ORDER BY d."emailId") - 1) / 500 END AS "part"
FROM "Delivery" d;
INSERT INTO "DeliveryBatch" ("id", "projectId", "campaignId", "domainId", "priority", "nextAttemptAt", "firstAnsweredAt", "emailIds")
SELECT uuid7(), "projectId", "campaignId", "domainId", "priority", "nextAttemptAt", "firstAnsweredAt", array_agg("emailId" ORDER BY "emailId")
FROM "Moved" WHERE "token" IS NULL
GROUP BY "projectId", "campaignId", "domainId", "priority", "nextAttemptAt", "firstAnsweredAt", "part",
  CASE WHEN "part" IS NULL THEN "emailId" END;
-- A transfer that had begun stays held by a lease that is over: it becomes UNCERTAIN, and a late answer still counts.
INSERT INTO "DeliveryBatch" ("id", "projectId", "campaignId", "domainId", "priority", "nextAttemptAt", "firstAnsweredAt", "emailIds",
  "token", "worker", "leaseUntil", "begun", "answered", "written", "progressAt")
SELECT uuid7(), "projectId", "campaignId", "domainId", "priority", "nextAttemptAt", "firstAnsweredAt", ARRAY["emailId"],
  "token", 'before the migration', now(), '\x01', '\x00', '\x00', now()
FROM "Moved" WHERE "token" IS NOT NULL;
UPDATE "Email" e SET "batchId" = b."id"
FROM (SELECT "id", unnest("emailIds") AS "emailId" FROM "DeliveryBatch") b WHERE e."id" = b."emailId";

DROP TABLE "Delivery";
DROP TABLE "DeliveryLease";
DROP TABLE "Outbox";

CREATE INDEX "DeliveryBatch_waiting" ON "DeliveryBatch" ("projectId", "priority", "nextAttemptAt", "id") WHERE "token" IS NULL;
CREATE INDEX "DeliveryBatch_held" ON "DeliveryBatch" ("leaseUntil") WHERE "token" IS NOT NULL;
CREATE INDEX "DeliveryBatch_campaign" ON "DeliveryBatch" ("campaignId") WHERE "campaignId" IS NOT NULL;
CREATE INDEX "DeliveryBatch_domain" ON "DeliveryBatch" ("domainId") WHERE "domainId" IS NOT NULL;

-- Claims due batches for several projects; claim.store.ts documents its contract. A function, because each project takes several
-- statements that depend on each other. Returns one row per batch and, with a null id, one per project.
CREATE FUNCTION claim_batches(projects uuid[], limits int[], bulk boolean, fence uuid, claimer text, lease_ms float8, default_rate float8)
RETURNS TABLE ("id" uuid, "projectId" uuid, "campaignId" uuid, "count" int, "more" boolean, "tokensInMs" int)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  levels CONSTANT int[] := CASE WHEN bulk THEN '{3,4}'::int[] ELSE '{0,1,2}'::int[] END;
  -- Batches of campaigns are large: a few of them are enough for one claim.
  most_batches CONSTANT int := CASE WHEN bulk THEN 16 ELSE 1000 END;
  project uuid;
  most int;
  rate float8;
  available float8;
  counted_at timestamptz;
  read_at timestamptz;
  due_at timestamptz;
  reserved int;
  capacity int;
  claimed int;
  room int;
  needed float8;
  taken int;
  fits boolean;
  head_id uuid;
  head_size int;
  part_id uuid;
BEGIN
  FOR project, most IN SELECT * FROM unnest(projects, limits) LOOP
    "projectId" := project;
    "id" := NULL;
    "campaignId" := NULL;
    "count" := NULL;
    "more" := false;
    "tokensInMs" := NULL;

    SELECT b."tokens", b."updatedAt", coalesce(p."sendRate", default_rate), clock_timestamp() INTO available, counted_at, rate, read_at
      FROM "SendBucket" b LEFT JOIN "Project" p ON p."id" = b."projectId" WHERE b."projectId" = project
      FOR UPDATE OF b SKIP LOCKED;
    IF NOT FOUND THEN
      rate := coalesce((SELECT p."sendRate" FROM "Project" p WHERE p."id" = project), default_rate);
      available := rate;
      read_at := clock_timestamp();
      counted_at := read_at;
      INSERT INTO "SendBucket" ("projectId", "tokens", "updatedAt") VALUES (project, rate, read_at) ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN
        -- Another process is claiming for this project.
        "more" := true;
        "tokensInMs" := 20;
        RETURN NEXT;
        CONTINUE;
      END IF;
    END IF;
    available := least(rate, available + greatest(0, extract(epoch FROM read_at - counted_at)) * rate);
    reserved := CASE WHEN bulk THEN floor(rate / 5) ELSE 0 END;
    capacity := greatest(1, floor(rate) - reserved);
    -- The time of a new batch is rounded to a millisecond, possibly upwards.
    due_at := read_at + interval '1 millisecond';

    IF bulk AND EXISTS (
      SELECT FROM unnest('{0,1,2}'::int[]) AS direct(n)
      CROSS JOIN LATERAL (
        SELECT FROM "DeliveryBatch" b
        WHERE b."projectId" = project AND b."priority" = direct.n AND b."token" IS NULL AND b."nextAttemptAt" <= due_at LIMIT 1
      ) b
    ) THEN
      "more" := true;
      "tokensInMs" := 20;
      RETURN NEXT;
      CONTINUE;
    END IF;

    claimed := 0;
    taken := 0;
    head_id := NULL;
    head_size := NULL;
    room := least(floor(available) - reserved, most);
    IF room > 0 THEN
      FOR "id", "campaignId", "count", fits IN
        WITH due AS MATERIALIZED (
          SELECT l.n AS level, b.* FROM unnest(levels) AS l(n)
          CROSS JOIN LATERAL (
            SELECT b."id", b."campaignId", b."nextAttemptAt", cardinality(b."emailIds") AS size FROM "DeliveryBatch" b
            WHERE b."projectId" = project AND b."priority" = l.n AND b."token" IS NULL AND b."nextAttemptAt" <= due_at
            ORDER BY b."nextAttemptAt", b."id" LIMIT least(room, most_batches) FOR UPDATE SKIP LOCKED
          ) b
        ), ranked AS MATERIALIZED (
          SELECT d.*, sum(d.size) OVER (ORDER BY d.level, d."nextAttemptAt", d."id") AS total FROM due d
        ), claim AS (
          UPDATE "DeliveryBatch" b SET "token" = fence, "worker" = claimer, "stopped" = false, "results" = NULL, "progressAt" = read_at,
            "leaseUntil" = clock_timestamp() + lease_ms * interval '1 millisecond',
            "begun" = f.zero, "answered" = f.zero, "written" = f.zero
          FROM (SELECT r."id", decode(repeat('00', (r.size + 7) / 8), 'hex') AS zero FROM ranked r WHERE r.total <= room) f
          WHERE b."id" = ANY(ARRAY[f."id"])
        )
        SELECT r."id", r."campaignId", r.size, r.total <= room FROM ranked r ORDER BY r.total
      LOOP
        IF NOT fits THEN
          head_id := "id";
          head_size := "count";
          EXIT;
        END IF;
        claimed := claimed + "count";
        taken := taken + 1;
        RETURN NEXT;
      END LOOP;
    END IF;

    -- Whether more is due is not known yet when nothing, or as much as the limit, was looked at.
    IF head_id IS NULL AND taken >= least(greatest(room, 0), most_batches) THEN
      SELECT h."id", h.size INTO head_id, head_size
        FROM unnest(levels) AS l(n)
        CROSS JOIN LATERAL (
          SELECT b."id", cardinality(b."emailIds") AS size FROM "DeliveryBatch" b
          WHERE b."projectId" = project AND b."priority" = l.n AND b."token" IS NULL AND b."nextAttemptAt" <= due_at
          ORDER BY b."nextAttemptAt", b."id" LIMIT 1
        ) h ORDER BY l.n LIMIT 1;
    END IF;
    room := room - claimed;

    -- A batch larger than the limit, or than the bucket can ever hold, is split; direct email does not wait for enough tokens either.
    IF head_size > room AND room > 0 AND claimed = 0 AND (NOT bulk OR room >= least(capacity, most)) THEN
      SELECT b."token" IS NULL INTO fits FROM "DeliveryBatch" b WHERE b."id" = head_id FOR UPDATE SKIP LOCKED;
      IF fits THEN
        INSERT INTO "DeliveryBatch" AS n ("id", "projectId", "campaignId", "domainId", "priority", "nextAttemptAt", "firstAnsweredAt",
          "token", "worker", "leaseUntil", "begun", "answered", "written", "progressAt", "emailIds")
        SELECT uuid7(), b."projectId", b."campaignId", b."domainId", b."priority", b."nextAttemptAt", b."firstAnsweredAt", fence, claimer,
          clock_timestamp() + lease_ms * interval '1 millisecond', z.zero, z.zero, z.zero, read_at, b."emailIds"[1:room]
        FROM "DeliveryBatch" b CROSS JOIN (SELECT decode(repeat('00', (room + 7) / 8), 'hex') AS zero) z WHERE b."id" = head_id
        RETURNING n."id", n."campaignId", room INTO part_id, "campaignId", "count";
        UPDATE "DeliveryBatch" b SET "emailIds" = b."emailIds"[room + 1:] WHERE b."id" = head_id;
        UPDATE "Email" e SET "batchId" = part_id
          FROM (SELECT unnest(b."emailIds") AS "emailId" FROM "DeliveryBatch" b WHERE b."id" = part_id) part
          WHERE e."id" = ANY(ARRAY[part."emailId"]) AND e."batchId" = head_id;
        "id" := part_id;
        RETURN NEXT;
        claimed := room;
      END IF;
    END IF;

    IF claimed > 0 THEN
      UPDATE "SendBucket" b SET "tokens" = available - claimed, "updatedAt" = read_at WHERE b."projectId" = project;
    END IF;
    "id" := NULL;
    "campaignId" := NULL;
    "count" := NULL;
    IF head_id IS NOT NULL THEN
      "more" := true;
      -- Claims that wait for tokens wait for a fifth of a second of them: one claim per token would cost more than the email.
      needed := least(capacity, greatest(1, rate / 5, CASE WHEN bulk THEN head_size ELSE 0 END));
      IF available - reserved - claimed < needed THEN
        "tokensInMs" := 1 + ceil((needed - (available - reserved - claimed)) * 1000 / rate);
      ELSIF claimed = 0 THEN
        "tokensInMs" := 20;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
