-- Campaigns that pause themselves.
ALTER TABLE "Campaign" ADD COLUMN "guard" BOOLEAN NOT NULL DEFAULT true, ADD COLUMN "guardBase" JSONB, ADD COLUMN "pauseToldAt" TIMESTAMPTZ(3);
