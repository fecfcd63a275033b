CREATE TABLE "OwnerDay" (
  "userId" UUID NOT NULL,
  "day" DATE NOT NULL,
  "slowMinutes" INTEGER NOT NULL DEFAULT 0,
  "taskLimits" INTEGER NOT NULL DEFAULT 0,
  "mostStreams" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "OwnerDay_pkey" PRIMARY KEY ("userId", "day")
);
CREATE INDEX "OwnerDay_day_idx" ON "OwnerDay" ("day");
ALTER TABLE "OwnerDay" ADD CONSTRAINT "OwnerDay_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "PlainSpan" (
  "userId" UUID NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "until" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "PlainSpan_pkey" PRIMARY KEY ("userId")
);
ALTER TABLE "PlainSpan" ADD CONSTRAINT "PlainSpan_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX "Content_limited" ON "Content" ("projectId", "limitedAt") WHERE "limitedAt" IS NOT NULL;
