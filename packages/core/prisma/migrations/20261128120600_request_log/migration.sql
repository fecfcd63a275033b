-- The request log (behaviour B11.9): tables by day of UTC, which the processes that write them attach and the retention drops. They belong to
-- no other table and are written with asynchronous commits.
CREATE TABLE "RequestEntry" (
  "id" uuid NOT NULL,
  "projectId" uuid NOT NULL,
  "at" timestamptz(3) NOT NULL,
  "door" text NOT NULL,
  "method" text NOT NULL,
  "path" text NOT NULL,
  "operation" text,
  "status" smallint NOT NULL,
  "code" text,
  "durationMs" integer NOT NULL,
  "keyType" text NOT NULL,
  "keyId" uuid,
  "keyName" text,
  "keyPrefix" text NOT NULL,
  "ip" text,
  "userAgent" text,
  "requestId" text NOT NULL,
  "dryRun" boolean NOT NULL,
  "request" json,
  "response" json,
  "emailIds" uuid[] NOT NULL,
  "alike" integer NOT NULL,
  PRIMARY KEY ("id", "at")
) PARTITION BY RANGE ("at");
CREATE INDEX "RequestEntry_list" ON "RequestEntry" ("projectId", "at" DESC, "id" DESC);
CREATE INDEX "RequestEntry_emails" ON "RequestEntry" USING gin ("emailIds");

-- Requests by quarter of an hour. `durations` has how many took how long: numbers of requests by steps of the fourth root of 2.
CREATE TABLE "RequestCount" (
  "projectId" uuid NOT NULL,
  "at" timestamptz(3) NOT NULL,
  "operation" text NOT NULL,
  "status" smallint NOT NULL,
  "code" text NOT NULL,
  "count" integer NOT NULL,
  "durations" jsonb NOT NULL,
  PRIMARY KEY ("projectId", "at", "operation", "status", "code")
) PARTITION BY RANGE ("at");
