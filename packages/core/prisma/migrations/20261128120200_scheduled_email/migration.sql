-- Email with a time at which it is to be sent. Email without one has no entry in either index.
ALTER TABLE "Email" ADD COLUMN "scheduledAt" TIMESTAMPTZ(3);

CREATE INDEX "Email_scheduled" ON "Email" ("projectId", "scheduledAt", "id") WHERE "scheduledAt" IS NOT NULL;
CREATE INDEX "Email_scheduled_content" ON "Email" ("contentId", "scheduledAt") WHERE "scheduledAt" IS NOT NULL;
