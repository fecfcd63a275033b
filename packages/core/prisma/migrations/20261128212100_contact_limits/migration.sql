-- Limits per contact: caps and quiet hours of a project, and what is outside of them.
ALTER TABLE "Project" ADD COLUMN "contactLimits" JSONB, ADD COLUMN "limitsChangedAt" TIMESTAMPTZ(3);
ALTER TABLE "Template" ADD COLUMN "exemptFromLimits" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Campaign" ADD COLUMN "exemptFromLimits" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "DeliveryBatch" ADD COLUMN "heldBy" TEXT, ADD COLUMN "heldSince" TIMESTAMPTZ(3);

CREATE TABLE "ContactLimit" (
    "contactId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "sent" JSONB NOT NULL DEFAULT '{}',
    "waiting" JSONB NOT NULL DEFAULT '{}',
    "freedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ContactLimit_pkey" PRIMARY KEY ("contactId")
);
ALTER TABLE "ContactLimit" SET (fillfactor = 50);
CREATE INDEX "ContactLimit_projectId_idx" ON "ContactLimit"("projectId");
CREATE INDEX "ContactLimit_freed" ON "ContactLimit" ("freedAt") WHERE "freedAt" IS NOT NULL;
CREATE INDEX "Project_limitsChanged" ON "Project" ("limitsChangedAt") WHERE "limitsChangedAt" IS NOT NULL;
