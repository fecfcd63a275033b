-- How far the daily pass over the contacts of a tracked segment has come.
ALTER TABLE "Segment" ADD COLUMN "passedAt" TIMESTAMPTZ(3), ADD COLUMN "passedId" UUID;
