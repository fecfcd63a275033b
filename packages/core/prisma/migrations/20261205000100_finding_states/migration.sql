CREATE TABLE "FindingState" (
    "check" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "mailedAt" TIMESTAMPTZ(3),

    CONSTRAINT "FindingState_pkey" PRIMARY KEY ("check")
);
