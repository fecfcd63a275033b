-- AlterTable
ALTER TABLE "CachedFigure" ADD COLUMN     "estimate" JSONB,
ADD COLUMN     "estimatedAt" TIMESTAMPTZ(3),
ADD COLUMN     "wantedAt" TIMESTAMPTZ(3),
ALTER COLUMN "value" DROP NOT NULL;

CREATE INDEX "CachedFigure_wanted" ON "CachedFigure" ("wantedAt") WHERE "wantedAt" IS NOT NULL;

-- Counted for audiences and the overview: an index of all contacts would not help, because most are subscribed.
CREATE INDEX "Contact_unsubscribed" ON "Contact" ("projectId", "createdAt", "id") INCLUDE ("snoozedUntil") WHERE NOT "subscribed";
