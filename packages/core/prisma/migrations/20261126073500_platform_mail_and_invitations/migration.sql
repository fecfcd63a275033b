-- AlterTable
ALTER TABLE "Content" ADD COLUMN "literal" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "sealedBody" TEXT;

-- AlterTable
ALTER TABLE "Invitation" ADD COLUMN "declinedAt" TIMESTAMPTZ(3),
ADD COLUMN "invitedById" UUID;

-- CreateIndex
CREATE INDEX "Invitation_email_idx" ON "Invitation"("email");

-- Links of emails of the platform that were sent before bodies were sealed; what is still to be sent is cleared by the sweep.
UPDATE "Content" c SET "body" = NULL WHERE c."sourceType" = 'SYSTEM' AND c."body" IS NOT NULL
  AND NOT EXISTS (SELECT FROM "Email" e WHERE e."contentId" = c."id" AND e."batchId" IS NOT NULL);

-- email of the platform: bodies to clear, and ciphertexts in the order in which a rotation reads them
CREATE INDEX "Content_system" ON "Content" ("createdAt", "id") WHERE "sourceType" = 'SYSTEM' AND ("body" IS NOT NULL OR "sealedBody" IS NOT NULL);
CREATE INDEX "Content_sealed" ON "Content" ("id") WHERE "sealedBody" IS NOT NULL;
