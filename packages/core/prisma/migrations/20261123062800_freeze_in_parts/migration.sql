-- AlterTable
ALTER TABLE "Campaign" ADD COLUMN "frozenToCreatedAt" TIMESTAMPTZ(3),
ADD COLUMN "frozenToId" UUID;
