-- A test project is one whose email never leaves. No request changes its environment.
CREATE TYPE "ProjectEnvironment" AS ENUM ('LIVE', 'TEST');
ALTER TABLE "Project" ADD COLUMN "environment" "ProjectEnvironment" NOT NULL DEFAULT 'LIVE';

-- What a domain was verified by. Those without it were verified by hand, as the one of the demo project.
CREATE TYPE "DomainVerifier" AS ENUM ('DNS', 'LOCAL_MAILBOX', 'TEST');
ALTER TABLE "Domain" ADD COLUMN "verifiedBy" "DomainVerifier";
UPDATE "Domain" SET "verifiedBy" = 'DNS' WHERE "status" = 'VERIFIED' AND "lastCheckedAt" IS NOT NULL;
CREATE INDEX "Domain_local" ON "Domain" ("id") WHERE "verifiedBy" = 'LOCAL_MAILBOX';

-- The messages of test projects, as they would have left.
CREATE TABLE "MessageSource" (
    "emailId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "size" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "MessageSource_pkey" PRIMARY KEY ("emailId")
);
CREATE INDEX "MessageSource_projectId_createdAt_emailId_size_idx" ON "MessageSource" ("projectId", "createdAt", "emailId", "size");
CREATE INDEX "MessageSource_createdAt_idx" ON "MessageSource" ("createdAt");
