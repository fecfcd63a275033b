-- Campaigns whose emails go out at a time of the clocks of each contact, and the waves of campaigns that are sent in some.
ALTER TABLE "Campaign" ADD COLUMN "localAt" TEXT, ADD COLUMN "whenPassed" TEXT;
CREATE TABLE "CampaignWave" (
  "campaignId" UUID NOT NULL,
  "wave" SMALLINT NOT NULL,
  "kind" TEXT NOT NULL,
  "dueAt" TIMESTAMPTZ(3),
  "releasedAt" TIMESTAMPTZ(3),
  "recipients" INTEGER NOT NULL,
  CONSTRAINT "CampaignWave_pkey" PRIMARY KEY ("campaignId", "wave")
);
