CREATE TYPE "PendingMailKind" AS ENUM ('VERIFICATION', 'PASSWORD_RESET');

CREATE TABLE "PendingMail" (
    "id" UUID NOT NULL,
    "kind" "PendingMailKind" NOT NULL,
    "email" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PendingMail_pkey" PRIMARY KEY ("id")
);
