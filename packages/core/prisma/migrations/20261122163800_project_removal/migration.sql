-- Resets and deletions of projects, whose data is removed in the background.
CREATE TYPE "RemovalKind" AS ENUM ('RESET', 'DELETE');
CREATE TABLE "ProjectRemoval" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" "RemovalKind" NOT NULL,
    "before" TIMESTAMPTZ(3) NOT NULL,
    "progress" INTEGER NOT NULL DEFAULT 0,
    "removed" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completedAt" TIMESTAMPTZ(3),
    CONSTRAINT "ProjectRemoval_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "ProjectRemoval_projectId_createdAt_idx" ON "ProjectRemoval"("projectId", "createdAt");
CREATE INDEX "ProjectRemoval_open" ON "ProjectRemoval"("projectId") WHERE "completedAt" IS NULL;
