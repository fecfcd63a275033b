-- Public and secret keys get a window each. Windows last a minute, so the running ones may be dropped.
DELETE FROM "RateWindow";
ALTER TABLE "RateWindow" DROP CONSTRAINT "RateWindow_pkey";
ALTER TABLE "RateWindow" ADD COLUMN "keyType" TEXT NOT NULL;
ALTER TABLE "RateWindow" ADD CONSTRAINT "RateWindow_pkey" PRIMARY KEY ("projectId", "keyType");
