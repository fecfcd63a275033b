-- Why the last computation of a segment failed for good; null when it succeeded.
ALTER TABLE "Segment" ADD COLUMN "failedReason" TEXT;
