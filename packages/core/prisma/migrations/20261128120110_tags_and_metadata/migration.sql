-- What a request says of its emails: tags, which group them, and metadata, which identifies them. Emails without either have no row here and
-- no entry in the index.
ALTER TABLE "Email" ADD COLUMN "tags" TEXT[], ADD COLUMN "metadata" JSONB;
CREATE TABLE "EmailTag" (
    "projectId" UUID NOT NULL,
    "tag" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "emailId" UUID NOT NULL,

    CONSTRAINT "EmailTag_pkey" PRIMARY KEY ("projectId","tag","createdAt","emailId")
);
CREATE INDEX "Email_metadata" ON "Email" USING gin ("projectId", "metadata" jsonb_path_ops) WHERE "metadata" IS NOT NULL;
