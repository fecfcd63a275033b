-- When time alone can move contacts into and out of tracked segments. The next computation of each segment fills it.
CREATE TABLE "SegmentDue" (
  "segmentId" UUID NOT NULL,
  "contactId" UUID NOT NULL,
  "projectId" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "SegmentDue_pkey" PRIMARY KEY ("segmentId", "contactId")
);
CREATE INDEX "SegmentDue_at_idx" ON "SegmentDue" ("at");
CREATE INDEX "SegmentDue_projectId_contactId_idx" ON "SegmentDue" ("projectId", "contactId");
ALTER TABLE "SegmentDue" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
