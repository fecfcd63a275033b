-- Endpoints whose requests look like those of another service.
CREATE TYPE "WebhookFormat" AS ENUM ('POSTRIDER', 'RESEND', 'POSTMARK', 'SENDGRID', 'MAILGUN');
ALTER TABLE "WebhookEndpoint" ADD COLUMN "format" "WebhookFormat" NOT NULL DEFAULT 'POSTRIDER', ADD COLUMN "publicKey" TEXT;
ALTER TABLE "WebhookDelivery" ADD COLUMN "origin" JSONB;
