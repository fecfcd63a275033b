-- Topics, the log of consent, subscription requests, forms, wordings, and what erasure leaves. Locks are short: columns have constant defaults, and
-- indexes of tables that may be large are made here only where these are small (elsewhere the background work makes them beside running writes).
CREATE TYPE "TopicDefault" AS ENUM ('IN', 'OUT');
CREATE TYPE "TopicVisibility" AS ENUM ('PUBLIC', 'PRIVATE');
CREATE TYPE "ConsentAction" AS ENUM ('subscribe', 'unsubscribe', 'topics', 'snooze', 'resume', 'request', 'confirm', 'decline', 'expire', 'move');
CREATE TYPE "ConsentEffect" AS ENUM ('changed', 'unchanged', 'refused');
CREATE TYPE "ConsentRefusal" AS ENUM ('opted_out', 'suppressed', 'not_subscribed', 'limited');
CREATE TYPE "ConsentSource" AS ENUM ('api', 'dashboard', 'bulk', 'import', 'form', 'page', 'one_click', 'workflow', 'snooze_ended', 'bounce', 'complaint', 'migration');
CREATE TYPE "ConsentActor" AS ENUM ('recipient', 'user', 'key', 'system');
CREATE TYPE "ConsentBasis" AS ENUM ('unknown', 'default', 'customer', 'given', 'confirmed');
CREATE TYPE "OptOutBy" AS ENUM ('request', 'recipient');
CREATE TYPE "SubscriptionRequestStatus" AS ENUM ('PENDING', 'CONFIRMED', 'DECLINED', 'EXPIRED');
CREATE TYPE "ErasureStatus" AS ENUM ('RUNNING', 'COMPLETED');

CREATE SEQUENCE "ConsentSeq" START 1000000000000 MINVALUE 1;
CREATE SEQUENCE "ConsentHistorySeq";

CREATE TABLE "ConsentAct" (
    "seq" BIGINT NOT NULL,
    "projectId" UUID NOT NULL,
    "contactId" UUID,
    "addressHash" BYTEA,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "recordedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "action" "ConsentAction" NOT NULL,
    "effect" "ConsentEffect" NOT NULL,
    "refusal" "ConsentRefusal",
    "source" "ConsentSource" NOT NULL,
    "actor" "ConsentActor" NOT NULL,
    "actorId" UUID,
    "keyName" TEXT,
    "basis" "ConsentBasis",
    "liftsOptOut" BOOLEAN NOT NULL DEFAULT false,
    "optOutBy" "OptOutBy",
    "topicsOn" SMALLINT[],
    "topicsOff" SMALLINT[],
    "topicDefaults" BOOLEAN,
    "until" TIMESTAMPTZ(3),
    "before" JSONB,
    "wordingId" UUID,
    "formId" UUID,
    "formVersion" INTEGER,
    "emailId" UUID,
    "jobId" UUID,
    "executionId" UUID,
    "requestId" UUID,
    "eventId" UUID,
    "page" TEXT,
    "ip" TEXT,
    "userAgent" TEXT,
    "evidence" JSONB,

    CONSTRAINT "ConsentAct_pkey" PRIMARY KEY ("projectId","seq")
);
CREATE INDEX "ConsentAct_contactId_seq_idx" ON "ConsentAct"("contactId", "seq");
CREATE INDEX "ConsentAct_address" ON "ConsentAct" ("projectId", "addressHash", "seq") WHERE "contactId" IS NULL;
CREATE UNIQUE INDEX "ConsentAct_event" ON "ConsentAct" ("eventId") WHERE "eventId" IS NOT NULL;
ALTER TABLE "ConsentAct" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

CREATE TABLE "ConsentPass" (
    "part" TEXT NOT NULL,
    "position" TEXT NOT NULL DEFAULT '',
    "done" INTEGER NOT NULL DEFAULT 0,
    "completedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ConsentPass_pkey" PRIMARY KEY ("part")
);

CREATE TABLE "SubscriptionRequest" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "contactId" UUID NOT NULL,
    "status" "SubscriptionRequestStatus" NOT NULL DEFAULT 'PENDING',
    "topics" SMALLINT[],
    "data" JSONB,
    "language" TEXT NOT NULL DEFAULT 'en',
    "wordingId" UUID,
    "formId" UUID,
    "formVersion" INTEGER,
    "ip" TEXT,
    "userAgent" TEXT,
    "page" TEXT,
    "emailId" UUID,
    "madeContact" BOOLEAN NOT NULL DEFAULT false,
    "requestedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "confirmedAt" TIMESTAMPTZ(3),
    "closedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SubscriptionRequest_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "SubscriptionRequest_contactId_idx" ON "SubscriptionRequest"("contactId");
CREATE INDEX "SubscriptionRequest_projectId_requestedAt_id_idx" ON "SubscriptionRequest"("projectId", "requestedAt", "id");
CREATE INDEX "SubscriptionRequest_open" ON "SubscriptionRequest" ("expiresAt") WHERE "status" = 'PENDING';
CREATE INDEX "SubscriptionRequest_form" ON "SubscriptionRequest" ("formId", "requestedAt") WHERE "formId" IS NOT NULL;

CREATE TABLE "FormSubmission" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "formId" UUID NOT NULL,
    "formVersion" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "topics" SMALLINT[],
    "language" TEXT NOT NULL DEFAULT 'en',
    "page" TEXT,
    "ip" TEXT,
    "userAgent" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "FormSubmission_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "FormSubmission_createdAt_idx" ON "FormSubmission"("createdAt");
CREATE INDEX "FormSubmission_projectId_idx" ON "FormSubmission"("projectId");
ALTER TABLE "FormSubmission" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

CREATE TABLE "PublicAttempt" (
    "scope" TEXT NOT NULL,
    "key" BYTEA NOT NULL,
    "startsAt" TIMESTAMPTZ(3) NOT NULL,
    "projectId" UUID,
    "count" INTEGER NOT NULL DEFAULT 1,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PublicAttempt_pkey" PRIMARY KEY ("scope","key","startsAt")
);
CREATE INDEX "PublicAttempt_expiresAt_idx" ON "PublicAttempt"("expiresAt");
CREATE INDEX "PublicAttempt_projectId_idx" ON "PublicAttempt"("projectId");
ALTER TABLE "PublicAttempt" SET (fillfactor = 50);

CREATE TABLE "ErasedContact" (
    "contactId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "addressHash" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ErasedContact_pkey" PRIMARY KEY ("contactId")
);
CREATE INDEX "ErasedContact_projectId_addressHash_idx" ON "ErasedContact"("projectId", "addressHash");

CREATE TABLE "Erasure" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "addressHash" BYTEA NOT NULL,
    "addressCipher" TEXT,
    "contactIds" UUID[],
    "actorType" TEXT NOT NULL,
    "actorId" UUID,
    "keyName" TEXT,
    "reason" TEXT,
    "status" "ErasureStatus" NOT NULL DEFAULT 'RUNNING',
    "position" JSONB,
    "removed" JSONB NOT NULL DEFAULT '{}',
    "kept" JSONB NOT NULL DEFAULT '[]',
    "remaining" INTEGER NOT NULL DEFAULT 0,
    "requestedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Erasure_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "Erasure_projectId_requestedAt_id_idx" ON "Erasure"("projectId", "requestedAt", "id");
CREATE INDEX "Erasure_running" ON "Erasure" ("requestedAt") WHERE "status" = 'RUNNING';

CREATE TABLE "Topic" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "number" SMALLINT NOT NULL,
    "key" TEXT NOT NULL,
    "name" JSONB NOT NULL,
    "description" JSONB,
    "default" "TopicDefault" NOT NULL,
    "visibility" "TopicVisibility" NOT NULL DEFAULT 'PUBLIC',
    "position" INTEGER NOT NULL DEFAULT 0,
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "deletedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Topic_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "Topic_projectId_number_key" ON "Topic"("projectId", "number");
CREATE UNIQUE INDEX "Topic_key" ON "Topic" ("projectId", "key") WHERE "deletedAt" IS NULL;

CREATE TABLE "Wording" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "language" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Wording_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "Wording_projectId_hash_key" ON "Wording"("projectId", "hash");
CREATE INDEX "Wording_projectId_createdAt_id_idx" ON "Wording"("projectId", "createdAt", "id");

CREATE TABLE "Form" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,
    "title" JSONB NOT NULL,
    "text" JSONB,
    "consentText" JSONB NOT NULL,
    "button" JSONB,
    "fields" JSONB NOT NULL DEFAULT '[]',
    "topics" SMALLINT[],
    "language" TEXT NOT NULL DEFAULT 'en',
    "redirectUrl" TEXT,
    "confirmedUrl" TEXT,
    "origins" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "guardedUntil" TIMESTAMPTZ(3),
    "deletedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Form_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "Form_projectId_createdAt_id_idx" ON "Form"("projectId", "createdAt", "id");

CREATE TABLE "FormVersion" (
    "formId" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "FormVersion_pkey" PRIMARY KEY ("formId","version")
);
CREATE INDEX "FormVersion_projectId_idx" ON "FormVersion"("projectId");
ALTER TABLE "FormVersion" ADD CONSTRAINT "FormVersion_formId_fkey" FOREIGN KEY ("formId") REFERENCES "Form"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- From here on tables that are in use are locked.
ALTER TABLE "Topic" ADD CONSTRAINT "Topic_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Wording" ADD CONSTRAINT "Wording_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Form" ADD CONSTRAINT "Form_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The topic of each project that exists; a trigger makes that of new ones (general-topic.sql).
INSERT INTO "Topic" ("id", "projectId", "number", "key", "name", "default")
SELECT gen_random_uuid(), p."id", 1, 'general',
  '{"en": "News and offers", "nl": "Nieuws en aanbiedingen", "fr": "Actualités et offres", "de": "Neuigkeiten und Angebote", "es": "Novedades y ofertas", "it": "Novità e offerte", "pt": "Novidades e ofertas", "pl": "Nowości i oferty", "hi": "समाचार और ऑफ़र", "ja": "お知らせとご案内", "zh": "资讯与优惠"}',
  'IN'
FROM "Project" p;

ALTER TABLE "Project" ADD COLUMN "consent" JSONB;
ALTER TABLE "Template" ADD COLUMN "topicId" UUID;
ALTER TABLE "Campaign" ADD COLUMN "topicId" UUID;
ALTER TABLE "Content" ADD COLUMN "topicId" UUID;
ALTER TABLE "Blob" ADD COLUMN "eraseAt" TIMESTAMPTZ(3);
CREATE INDEX "Template_topic" ON "Template" ("topicId") WHERE "topicId" IS NOT NULL;
CREATE INDEX "Campaign_topic" ON "Campaign" ("topicId") WHERE "topicId" IS NOT NULL;

ALTER TABLE "Contact" ADD COLUMN "topicsOn" SMALLINT[] DEFAULT ARRAY[]::SMALLINT[], ADD COLUMN "topicsOff" SMALLINT[] DEFAULT ARRAY[]::SMALLINT[],
  ADD COLUMN "topicDefaults" BOOLEAN NOT NULL DEFAULT true, ADD COLUMN "stated" BOOLEAN NOT NULL DEFAULT true, ADD COLUMN "optOutBy" "OptOutBy",
  ADD COLUMN "pendingUntil" TIMESTAMPTZ(3), ADD COLUMN "consentSeq" BIGINT, ADD COLUMN "consentBasis" "ConsentBasis", ADD COLUMN "consentedAt" TIMESTAMPTZ(3);

-- An installation without contacts begins with the log. Elsewhere the background work comes first.
INSERT INTO "ConsentPass" ("part", "completedAt")
SELECT part, CASE WHEN NOT EXISTS (SELECT FROM "Contact") THEN now() END FROM unnest('{indexes,history,changes,creations}'::text[]) AS part;

DO $migration$
BEGIN
  IF NOT EXISTS (SELECT FROM "Contact" OFFSET 50000 LIMIT 1) THEN
    CREATE INDEX "Contact_not_subscribed" ON "Contact" ("projectId", "createdAt", "id") INCLUDE ("snoozedUntil", "pendingUntil", "stated", "email")
      WHERE NOT "subscribed";
    DROP INDEX "Contact_unsubscribed";
  END IF;
  IF NOT EXISTS (SELECT FROM "Content" OFFSET 50000 LIMIT 1) THEN
    CREATE INDEX "Content_topic" ON "Content" ("topicId") WHERE "topicId" IS NOT NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM "Blob" OFFSET 50000 LIMIT 1) THEN
    CREATE INDEX "Blob_eraseAt" ON "Blob" ("eraseAt") WHERE "eraseAt" IS NOT NULL;
  END IF;
END $migration$;
