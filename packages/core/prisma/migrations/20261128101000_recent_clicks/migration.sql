-- Clicks of the last seconds, whose effects wait until it is known whether they are part of a burst.
CREATE TABLE "RecentClick" (
    "id" UUID NOT NULL,
    "emailId" UUID NOT NULL,
    "link" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "device" TEXT NOT NULL,
    "times" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "judged" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "RecentClick_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "RecentClick_emailId_at_idx" ON "RecentClick"("emailId", "at");
CREATE INDEX "RecentClick_due" ON "RecentClick" ("at") WHERE NOT "judged";
CREATE INDEX "RecentClick_judged" ON "RecentClick" ("at") WHERE "judged";
ALTER TABLE "RecentClick" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
