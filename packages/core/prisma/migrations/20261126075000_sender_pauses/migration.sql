-- AlterTable
ALTER TABLE "Route" ADD COLUMN "acceptedAt" TIMESTAMPTZ(3),
ADD COLUMN "acceptedBy" TEXT;

-- CreateTable
CREATE TABLE "SenderPause" (
    "routeId" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "from" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "pausedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failures" INTEGER NOT NULL,
    "nextProbeAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SenderPause_pkey" PRIMARY KEY ("routeId","sender")
);
