-- CreateIndex
CREATE INDEX "ProviderNotice_createdAt_idx" ON "ProviderNotice"("createdAt");
