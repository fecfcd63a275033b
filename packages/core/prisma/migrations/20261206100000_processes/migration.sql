-- The processes of an installation that run, each with its version and the schema that it knows.
CREATE TABLE "Process" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "schema" TEXT NOT NULL,
    "apartMs" DOUBLE PRECISION,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Process_pkey" PRIMARY KEY ("id")
);
