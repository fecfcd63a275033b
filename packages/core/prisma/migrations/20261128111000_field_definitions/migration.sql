-- Types that contact fields are defined to have, and how far the values that were stored before are converted.
CREATE TABLE "FieldDefinition" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "label" TEXT,
    "type" TEXT NOT NULL,
    "converting" BOOLEAN NOT NULL DEFAULT true,
    "convertedToCreatedAt" TIMESTAMPTZ(3),
    "convertedToId" UUID,
    "unread" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "FieldDefinition_pkey" PRIMARY KEY ("projectId","key")
);
CREATE UNIQUE INDEX "FieldDefinition_id_key" ON "FieldDefinition"("id");
ALTER TABLE "FieldDefinition" ADD CONSTRAINT "FieldDefinition_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "FieldDefinition_converting" ON "FieldDefinition" ("updatedAt") WHERE "converting";

-- Requests of the others do not look for definitions.
ALTER TABLE "Project" ADD COLUMN "definesFields" BOOLEAN NOT NULL DEFAULT false;
