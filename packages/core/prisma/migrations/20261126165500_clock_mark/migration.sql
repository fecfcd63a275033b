-- What waits for a time that was written before the database's clock was set back does not wait longer for it.
CREATE TABLE "ClockMark" (
  "id" SMALLINT NOT NULL DEFAULT 1,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "ClockMark_pkey" PRIMARY KEY ("id")
);
