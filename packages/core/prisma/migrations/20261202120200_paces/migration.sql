-- Campaigns that are sent at a pace of their own.
ALTER TABLE "Campaign" ADD COLUMN "perHour" INTEGER, ADD COLUMN "pacedAt" TIMESTAMPTZ(3);
CREATE INDEX "Campaign_paced" ON "Campaign" ("id") WHERE "perHour" IS NOT NULL AND "status" = 'SENDING';
