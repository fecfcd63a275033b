-- News about emails by bounce messages and providers' notifications (B11.7, B6.3).
ALTER TYPE "InteractionType" ADD VALUE 'bounce';
ALTER TYPE "InteractionType" ADD VALUE 'complaint';
ALTER TYPE "InteractionType" ADD VALUE 'delay';
ALTER TYPE "InteractionType" ADD VALUE 'auto_reply';
ALTER TYPE "InteractionType" ADD VALUE 'unknown';
ALTER TABLE "Interaction" ADD COLUMN "detail" TEXT;
