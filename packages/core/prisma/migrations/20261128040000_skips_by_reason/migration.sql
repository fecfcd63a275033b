-- Skipped emails of a campaign are counted in a row for each reason, so that a new reason needs no column.
CREATE TABLE "CampaignSkip" (
    "campaignId" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "CampaignSkip_pkey" PRIMARY KEY ("campaignId", "reason")
);

ALTER TABLE "CampaignSkip" SET (fillfactor = 50);

INSERT INTO "CampaignSkip" ("campaignId", "reason", "count")
SELECT c."campaignId", s."reason", s."count" FROM "CampaignCounter" c
CROSS JOIN LATERAL (VALUES ('unsubscribed', c."skippedUnsubscribed"), ('suppressed', c."skippedSuppressed"), ('invalid', c."skippedInvalid"),
  ('cancelled', c."skippedCancelled"), ('project_disabled', c."skippedProjectDisabled"), ('duplicate', c."skippedDuplicate"),
  ('sandbox', c."skippedSandbox")) AS s("reason", "count")
WHERE s."count" <> 0;

ALTER TABLE "CampaignCounter"
    DROP COLUMN "skippedUnsubscribed",
    DROP COLUMN "skippedSuppressed",
    DROP COLUMN "skippedInvalid",
    DROP COLUMN "skippedCancelled",
    DROP COLUMN "skippedProjectDisabled",
    DROP COLUMN "skippedDuplicate",
    DROP COLUMN "skippedSandbox";
