-- A key of this scope reads, and what it changes may have to wait for a person.
ALTER TYPE "KeyScope" ADD VALUE 'agent';

CREATE TYPE "ApprovalStatus" AS ENUM ('PENDING', 'RUNNING', 'DONE', 'FAILED', 'APPROVED', 'DECLINED', 'EXPIRED');

-- A person's consent to one exact call of an agent (B15.11).
CREATE TABLE "Approval" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "campaignId" UUID,
    "summary" TEXT NOT NULL,
    "input" JSONB,
    "hash" TEXT NOT NULL,
    "records" TEXT,
    "actorType" TEXT NOT NULL,
    "actorId" UUID,
    "keyName" TEXT,
    "note" TEXT,
    "status" "ApprovalStatus" NOT NULL DEFAULT 'PENDING',
    "result" JSONB,
    "error" JSONB,
    "decidedById" UUID,
    "reason" TEXT,
    "toldAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3),
    "decidedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Approval_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "Approval_projectId_createdAt_id_idx" ON "Approval" ("projectId", "createdAt" DESC, "id" DESC);
CREATE INDEX "Approval_actorId_createdAt_idx" ON "Approval" ("actorId", "createdAt" DESC);
-- The same call of the same key waits once.
CREATE UNIQUE INDEX "Approval_waits" ON "Approval" ("projectId", "actorId", "hash") WHERE "status" = 'PENDING' AND "input" IS NOT NULL;
CREATE INDEX "Approval_running" ON "Approval" ("decidedAt") WHERE "status" = 'RUNNING';
ALTER TABLE "Approval" ADD CONSTRAINT "Approval_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
