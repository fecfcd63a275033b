-- Emails by status and quarter of an hour. What there is already is counted by a job, project by project.
ALTER TABLE "Project" ADD COLUMN "emailsTalliedTo" TIMESTAMPTZ(3);
ALTER TABLE "Project" ADD COLUMN "emailsTallied" BOOLEAN NOT NULL DEFAULT false;
CREATE TABLE "EmailTally" (
    "projectId" UUID NOT NULL,
    "status" "EmailStatus" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "sourceType" "EmailSource" NOT NULL,
    "count" INTEGER NOT NULL,
    CONSTRAINT "EmailTally_pkey" PRIMARY KEY ("projectId", "status", "at", "sourceType")
);
CREATE TABLE "EmailTallyEntry" (
    "id" BIGSERIAL NOT NULL,
    "projectId" UUID NOT NULL,
    "status" "EmailStatus" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "sourceType" "EmailSource" NOT NULL,
    "count" INTEGER NOT NULL,
    CONSTRAINT "EmailTallyEntry_pkey" PRIMARY KEY ("projectId", "id")
);
CREATE INDEX "Project_untallied" ON "Project" ("id") WHERE NOT "emailsTallied";
CREATE INDEX "EmailTally_empty" ON "EmailTally" ("projectId") WHERE "count" = 0;
ALTER TABLE "EmailTallyEntry" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
