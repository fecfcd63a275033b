-- Figures by the source of emails, in place of EmailCount.
ALTER TYPE "FigureDimension" ADD VALUE 'source' BEFORE 'campaign';
ALTER TABLE "FigureEntry" ADD COLUMN "source" "EmailSource";
