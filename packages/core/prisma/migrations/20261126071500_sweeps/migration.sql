-- When attachments may be removed is written in their row, instead of being found among the events of a day.
ALTER TABLE "Blob" ADD COLUMN "keptUntil" TIMESTAMPTZ(3) NOT NULL DEFAULT (now() + '54:00:00'::interval);
DROP INDEX "Blob_kept";
CREATE INDEX "Blob_kept" ON "Blob" ("keptUntil");
