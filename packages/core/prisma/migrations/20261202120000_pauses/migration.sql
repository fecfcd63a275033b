-- Campaigns that are paused, and their email, which no claim looks at.
ALTER TABLE "Campaign" ADD COLUMN "pausedAt" TIMESTAMPTZ(3), ADD COLUMN "pauseReason" TEXT;
ALTER TABLE "DeliveryBatch" ADD COLUMN "held" BOOLEAN NOT NULL DEFAULT false;

-- Rows of this table are batches that are not settled: the index is rebuilt in seconds, whatever was sent before.
DROP INDEX "DeliveryBatch_waiting";
CREATE INDEX "DeliveryBatch_waiting" ON "DeliveryBatch" ("projectId", "priority", "again", "nextAttemptAt", "id") WHERE "token" IS NULL AND NOT "held";
CREATE INDEX "DeliveryBatch_paused" ON "DeliveryBatch" ("projectId", "campaignId", "id") WHERE "held";
CREATE INDEX "Campaign_paused" ON "Campaign" ("pausedAt") WHERE "pausedAt" IS NOT NULL;
