-- Messages that several recipients get. An email of its own for each: they are found by the id of the first. Plain email has neither value,
-- and so no entry in the index.
CREATE TYPE "EmailRecipientType" AS ENUM ('TO', 'CC', 'BCC');
ALTER TABLE "Email" ADD COLUMN "recipientType" "EmailRecipientType", ADD COLUMN "sharedMessageId" UUID;
CREATE INDEX "Email_shared" ON "Email" ("sharedMessageId", "id") WHERE "sharedMessageId" IS NOT NULL;

-- Copies go to another address than that of their contact.
DROP INDEX "Email_other_recipient";
CREATE INDEX "Email_other_recipient" ON "Email" USING gin ("projectId", "to" gin_trgm_ops)
  WHERE "contactId" IS NULL OR "sourceType" = 'WORKFLOW' OR "readdressed" OR "toOther";

-- What is told of copies belongs to no contact, and is erased with their emails.
CREATE INDEX "Event_copy" ON "Event" ("emailId") WHERE "emailId" IS NOT NULL AND "contactId" IS NULL;
ALTER TABLE "WebhookDelivery" ADD COLUMN "copyId" UUID;
CREATE INDEX "WebhookDelivery_copy" ON "WebhookDelivery" ("copyId") WHERE "copyId" IS NOT NULL;
