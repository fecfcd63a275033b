-- What was counted of emails that were removed for their age (EMAIL_DAYS).
CREATE TABLE "ExpiredEmails" (
    "scopeId" UUID NOT NULL,
    "counter" TEXT NOT NULL,
    "projectId" UUID NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "ExpiredEmails_pkey" PRIMARY KEY ("scopeId","counter")
);
CREATE INDEX "ExpiredEmails_projectId_idx" ON "ExpiredEmails"("projectId");
