-- Emails of workflow steps are counted by the version that decided the step, too. Entries and figures of before have none.
ALTER TYPE "FigureDimension" ADD VALUE 'step_version';
ALTER TABLE "FigureEntry" ADD COLUMN "version" INTEGER;
