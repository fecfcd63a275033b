-- An installation that was stopped for a move: no process works on it, and none starts.
ALTER TABLE "Installation" ADD COLUMN "stoppedAt" TIMESTAMPTZ(3);
