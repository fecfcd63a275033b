DROP INDEX "AuditLog_projectId_createdAt_idx";
CREATE INDEX "AuditLog_projectId_createdAt_id_idx" ON "AuditLog"("projectId", "createdAt" DESC, "id" DESC);
CREATE INDEX "AuditLog_createdAt_idx" ON "AuditLog"("createdAt");
