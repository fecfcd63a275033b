-- What receiving servers say about an email, with its class; a suppression by soft bounces has an end.
ALTER TABLE "Email" ADD COLUMN "diagnosis" JSONB;
ALTER TABLE "Interaction" ADD COLUMN "class" TEXT;
ALTER TABLE "Suppression" ADD COLUMN "expiresAt" TIMESTAMPTZ(3);

CREATE INDEX "Email_diagnosed" ON "Email" ("projectId", ("diagnosis" ->> 'class'), "createdAt", "id") WHERE "diagnosis" IS NOT NULL;
CREATE INDEX "Email_diagnosed_at" ON "Email" ("projectId", ("diagnosis" ->> 'at')) WHERE "diagnosis" IS NOT NULL;
CREATE INDEX "Suppression_expiring" ON "Suppression" ("expiresAt") WHERE "expiresAt" IS NOT NULL;
