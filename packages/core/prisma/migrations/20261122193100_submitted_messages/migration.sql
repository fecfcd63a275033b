-- Messages that were submitted by SMTP are sent as they are; their bytes are a Blob.
ALTER TABLE "Content" ADD COLUMN "raw" JSONB;
