-- Campaigns that compare variants of their content. What is written to be sent counts for the storage, variants included; the table is that of
-- campaigns, of which there are few.
ALTER TABLE "Campaign" ADD COLUMN IF NOT EXISTS "goalId" UUID;
ALTER TABLE "Campaign" DROP COLUMN "storedBytes", ADD COLUMN "test" JSONB, ADD COLUMN "testState" TEXT, ADD COLUMN "testStartedAt" TIMESTAMPTZ(3),
  ADD COLUMN "testEndsAt" TIMESTAMPTZ(3), ADD COLUMN "testDecidedAt" TIMESTAMPTZ(3), ADD COLUMN "testWinner" SMALLINT,
  ADD COLUMN "testDecidedBy" TEXT, ADD COLUMN "testProven" BOOLEAN, ADD COLUMN "testMismatch" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "testLookedAt" TIMESTAMPTZ(3), ADD COLUMN "testTold" SMALLINT NOT NULL DEFAULT 0,
  ADD COLUMN "variantContents" UUID[] DEFAULT ARRAY[]::UUID[], ADD COLUMN "variantRecipients" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
ALTER TABLE "Campaign" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("text"), 0) + coalesce(octet_length("design"::text), 0)
    + coalesce(octet_length("test"::text), 0)) STORED;
ALTER TABLE "Email" ADD COLUMN "variant" SMALLINT;
ALTER TABLE "FigureEntry" ADD COLUMN "variant" SMALLINT;
ALTER TYPE "FigureDimension" ADD VALUE 'variant';
