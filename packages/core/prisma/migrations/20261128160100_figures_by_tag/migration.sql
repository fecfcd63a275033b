-- Figures by tag: an email with several tags counts under each.
ALTER TYPE "FigureDimension" ADD VALUE 'tag';
ALTER TABLE "FigureEntry" ADD COLUMN "tags" TEXT[];
