-- The beginnings of the database, and what is held since its last restore.
CREATE TABLE "Installation" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "epoch" INTEGER NOT NULL,
    "hold" TEXT,

    CONSTRAINT "Installation_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "Installation" ADD CONSTRAINT "Installation_one" CHECK ("id" = 1);
ALTER TABLE "Installation" ADD CONSTRAINT "Installation_hold" CHECK ("hold" IN ('all', 'marketing'));

CREATE TABLE "Epoch" (
    "epoch" INTEGER NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cause" TEXT NOT NULL,
    "dataUntil" TIMESTAMPTZ(3),
    "lostUntil" TIMESTAMPTZ(3),
    "inFlight" TEXT,
    "counts" JSONB,

    CONSTRAINT "Epoch_pkey" PRIMARY KEY ("epoch")
);

INSERT INTO "Epoch" ("epoch", "cause") VALUES (1, 'installation');
INSERT INTO "Installation" ("epoch") VALUES (1);
