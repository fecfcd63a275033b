-- AlterTable
ALTER TABLE "CachedFigure" ADD COLUMN "input" JSONB;

-- Figures that were estimated before; one that could not be computed keeps its estimate.
CREATE TRIGGER "CachedFigure_live" AFTER UPDATE ON "CachedFigure" FOR EACH ROW
  WHEN (OLD."wantedAt" IS NOT NULL AND NEW."wantedAt" IS NULL AND NEW."estimatedAt" IS NULL) EXECUTE FUNCTION notify_live_list('figures');
