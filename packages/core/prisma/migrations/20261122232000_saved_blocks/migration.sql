CREATE TABLE "SavedBlock" (
  "id" UUID NOT NULL,
  "projectId" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "design" JSONB,
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "SavedBlock_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "SavedBlock_projectId_createdAt_idx" ON "SavedBlock"("projectId", "createdAt" DESC);
