-- What was done to one record, newest first.
CREATE INDEX "AuditLog_target" ON "AuditLog" ("projectId", "targetId", "createdAt") WHERE "targetId" IS NOT NULL;
