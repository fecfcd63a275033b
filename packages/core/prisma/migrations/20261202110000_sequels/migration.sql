-- Sequels: campaigns for part of the recipients of another one.
ALTER TABLE "Campaign" ADD COLUMN "familyId" UUID, ADD COLUMN "round" INTEGER NOT NULL DEFAULT 1;
CREATE INDEX "Campaign_family" ON "Campaign" ("familyId") WHERE "familyId" IS NOT NULL;
