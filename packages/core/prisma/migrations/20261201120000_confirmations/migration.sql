-- Emails of these contents have the link that confirms a subscription request (behaviour B1.3). A constant default: no row is rewritten.
ALTER TABLE "Content" ADD COLUMN "confirms" BOOLEAN NOT NULL DEFAULT false;

-- What became of the sign-ups of a form by day. Counters stay when the people are erased.
CREATE TABLE "FormFigure" (
    "projectId" UUID NOT NULL,
    "formId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "submitted" INTEGER NOT NULL DEFAULT 0,
    "confirmed" INTEGER NOT NULL DEFAULT 0,
    "declined" INTEGER NOT NULL DEFAULT 0,
    "expired" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "FormFigure_pkey" PRIMARY KEY ("formId","day")
);
CREATE INDEX "FormFigure_projectId_idx" ON "FormFigure"("projectId");

-- What is asked for with a public key comes from no form.
ALTER TABLE "FormSubmission" ALTER COLUMN "formId" DROP NOT NULL, ALTER COLUMN "formVersion" DROP NOT NULL;

-- Contacts that nobody confirmed are looked for by it.
CREATE INDEX "SubscriptionRequest_unconfirmed" ON "SubscriptionRequest" ("expiresAt") WHERE "status" = 'EXPIRED' AND "madeContact";
