CREATE TABLE "ExportChunk" (
    "jobId" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "ExportChunk_pkey" PRIMARY KEY ("jobId","n")
);

ALTER TABLE "ExportChunk" ADD CONSTRAINT "ExportChunk_jobId_fkey" FOREIGN KEY ("jobId") REFERENCES "Job"("id") ON DELETE CASCADE ON UPDATE CASCADE;
