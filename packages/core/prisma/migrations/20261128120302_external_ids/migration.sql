-- The id of a contact in the customer's own system.
ALTER TABLE "Contact" ADD COLUMN "externalId" TEXT;
CREATE UNIQUE INDEX "Contact_externalId" ON "Contact" ("projectId", "externalId") WHERE "externalId" IS NOT NULL;
