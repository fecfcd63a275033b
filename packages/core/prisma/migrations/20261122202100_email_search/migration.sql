-- AlterTable
ALTER TABLE "Email" ADD COLUMN     "readdressed" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "Email_contentId_createdAt_id_idx" ON "Email"("contentId", "createdAt", "id");

UPDATE "Email" e SET "readdressed" = true FROM "Contact" c WHERE c."id" = e."contactId" AND c."email" <> e."to" AND e."to" <> '';

-- Search of emails (decision 025). Campaign email goes to the address of its contact, which has an index of its own; an index on the
-- recipient of every email would slow its insertion down. These are the emails whose recipient can be another one.
CREATE INDEX "Email_other_recipient" ON "Email" USING gin ("projectId", "to" gin_trgm_ops)
  WHERE "contactId" IS NULL OR "sourceType" = 'WORKFLOW' OR "readdressed";
CREATE INDEX "Content_subject_trgm" ON "Content" USING gin ("projectId", lower("subject") gin_trgm_ops);
