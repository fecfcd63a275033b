-- Where claims of a project begin while an old snapshot keeps index entries of batches that are gone.
ALTER TABLE "SendBucket" ADD COLUMN "claimFrom" TIMESTAMPTZ(6)[], ADD COLUMN "claimFromUntil" TIMESTAMPTZ(6);
CREATE INDEX "SendBucket_places" ON "SendBucket" ("projectId") WHERE "claimFromUntil" IS NOT NULL;
