-- A repeated idempotency key names what its first request made.
ALTER TABLE "IdempotencyKey" ADD COLUMN "digest" TEXT, ADD COLUMN "emailIds" UUID[], ADD COLUMN "sizes" INTEGER[], ADD COLUMN "eventId" UUID;
