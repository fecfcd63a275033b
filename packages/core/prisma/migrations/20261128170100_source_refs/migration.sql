-- Ids of other services for the records that they became.
CREATE TYPE "SourceService" AS ENUM ('resend', 'postmark', 'sendgrid', 'mailgun');
CREATE TYPE "SourceRefKind" AS ENUM ('TEMPLATE', 'SEGMENT');
CREATE TABLE "SourceRef" (
  "projectId" UUID NOT NULL,
  "source" "SourceService" NOT NULL,
  "kind" "SourceRefKind" NOT NULL,
  "sourceId" TEXT NOT NULL,
  "templateId" UUID,
  "segmentId" UUID,
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "SourceRef_pkey" PRIMARY KEY ("projectId", "source", "kind", "sourceId"),
  CONSTRAINT "SourceRef_projectId_templateId_fkey" FOREIGN KEY ("projectId", "templateId") REFERENCES "Template"("projectId", "id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "SourceRef_projectId_segmentId_fkey" FOREIGN KEY ("projectId", "segmentId") REFERENCES "Segment"("projectId", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "SourceRef_templateId_idx" ON "SourceRef"("templateId");
CREATE INDEX "SourceRef_segmentId_idx" ON "SourceRef"("segmentId");
