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
