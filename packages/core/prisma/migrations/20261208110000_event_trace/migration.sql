-- The traces of requests that track events, for what the events begin.
CREATE TABLE "EventTrace" (
    "eventId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "trace" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "EventTrace_pkey" PRIMARY KEY ("eventId")
);
CREATE INDEX "EventTrace_projectId_idx" ON "EventTrace"("projectId");
CREATE INDEX "EventTrace_createdAt_idx" ON "EventTrace"("createdAt");
