-- Texts that only erased contacts got are cleared once no request can share them any more.
ALTER TABLE "Content" ADD COLUMN "eraseAt" TIMESTAMPTZ(3);
CREATE INDEX "Content_eraseAt" ON "Content" ("eraseAt") WHERE "eraseAt" IS NOT NULL;
