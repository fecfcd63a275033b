-- Campaigns whose first emails go out in small waves.
ALTER TABLE "Campaign" ADD COLUMN "careful" BOOLEAN NOT NULL DEFAULT false, ADD COLUMN "wave" SMALLINT NOT NULL DEFAULT 0,
  ADD COLUMN "waveDoneAt" TIMESTAMPTZ(3);
ALTER TABLE "DeliveryBatch" ADD COLUMN "wave" SMALLINT NOT NULL DEFAULT 0;
DROP INDEX "Campaign_paced";
CREATE INDEX "Campaign_paced" ON "Campaign" ("id") WHERE ("perHour" IS NOT NULL OR "careful") AND "status" = 'SENDING';
