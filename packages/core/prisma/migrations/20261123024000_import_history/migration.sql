-- The history of imports: name of the file, who started it, and the rows that failed.
ALTER TABLE "Job" ADD COLUMN "fileName" TEXT, ADD COLUMN "actorType" TEXT, ADD COLUMN "actorId" UUID, ADD COLUMN "keyName" TEXT;
CREATE TABLE "ImportFailedRows" (
  "jobId" UUID NOT NULL,
  "n" INTEGER NOT NULL,
  "bytes" BYTEA NOT NULL,
  CONSTRAINT "ImportFailedRows_pkey" PRIMARY KEY ("jobId", "n")
);
ALTER TABLE "ImportFailedRows" ADD CONSTRAINT "ImportFailedRows_jobId_fkey" FOREIGN KEY ("jobId") REFERENCES "Job"("id") ON DELETE CASCADE ON UPDATE CASCADE;
