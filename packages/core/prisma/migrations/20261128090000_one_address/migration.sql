-- Stored addresses become their normal form: how far that is, and which contacts became one.
CREATE TABLE "MergedContact" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "contactId" UUID NOT NULL,

    CONSTRAINT "MergedContact_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "MergedContact_projectId_contactId_idx" ON "MergedContact"("projectId", "contactId");
ALTER TABLE "MergedContact" ADD CONSTRAINT "MergedContact_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "AddressPass" (
    "part" TEXT NOT NULL,
    "pass" SMALLINT NOT NULL DEFAULT 1,
    "position" TEXT NOT NULL DEFAULT '',
    "rewritten" INTEGER NOT NULL DEFAULT 0,
    "merged" INTEGER NOT NULL DEFAULT 0,
    "completedAt" TIMESTAMPTZ(3),

    CONSTRAINT "AddressPass_pkey" PRIMARY KEY ("part")
);
