-- CreateSchema


-- CreateEnum
CREATE TYPE "CampaignStatus" AS ENUM ('DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED');

-- CreateEnum
CREATE TYPE "AudienceType" AS ENUM ('ALL', 'SEGMENT', 'FILTERED');

-- CreateEnum
CREATE TYPE "SuppressionReason" AS ENUM ('BOUNCE', 'COMPLAINT', 'MANUAL');

-- CreateEnum
CREATE TYPE "DomainStatus" AS ENUM ('PENDING', 'VERIFIED', 'FAILED');

-- CreateEnum
CREATE TYPE "DomainKeyState" AS ENUM ('ACTIVE', 'RETIRED');

-- CreateEnum
CREATE TYPE "EventKind" AS ENUM ('CUSTOM', 'SYSTEM', 'ACTIVITY');

-- CreateEnum
CREATE TYPE "FigureDimension" AS ENUM ('campaign', 'template', 'step', 'domain', 'provider', 'client', 'device');

-- CreateEnum
CREATE TYPE "FigureUnit" AS ENUM ('quarter', 'day', 'total');

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('OWNER', 'ADMIN', 'MEMBER');

-- CreateEnum
CREATE TYPE "ProjectKind" AS ENUM ('CUSTOMER', 'SYSTEM');

-- CreateEnum
CREATE TYPE "TrackingMode" AS ENUM ('ENABLED', 'DISABLED', 'MARKETING_ONLY');

-- CreateEnum
CREATE TYPE "DisabledReason" AS ENUM ('PAYMENT_FAILED', 'EMAIL_REPUTATION', 'PHISHING_DETECTED', 'MANUAL');

-- CreateEnum
CREATE TYPE "KeyScope" AS ENUM ('full', 'send', 'read', 'track');

-- CreateEnum
CREATE TYPE "RemovalKind" AS ENUM ('RESET', 'DELETE');

-- CreateEnum
CREATE TYPE "SegmentType" AS ENUM ('DYNAMIC', 'STATIC');

-- CreateEnum
CREATE TYPE "EmailSource" AS ENUM ('TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'TEST', 'SYSTEM');

-- CreateEnum
CREATE TYPE "EmailStatus" AS ENUM ('PENDING', 'SENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED', 'FAILED', 'SKIPPED', 'UNCERTAIN');

-- CreateEnum
CREATE TYPE "StorageKind" AS ENUM ('images', 'attachments', 'contents', 'templates', 'imports', 'exports');

-- CreateEnum
CREATE TYPE "EmailClass" AS ENUM ('TRANSACTIONAL', 'MARKETING', 'HEADLESS');

-- CreateEnum
CREATE TYPE "InteractionType" AS ENUM ('open', 'click', 'bounce', 'complaint', 'delay', 'auto_reply', 'unknown');

-- CreateEnum
CREATE TYPE "UserType" AS ENUM ('PASSWORD', 'GITHUB_OAUTH', 'GOOGLE_OAUTH', 'OIDC');

-- CreateEnum
CREATE TYPE "MailLanguage" AS ENUM ('en', 'nl', 'fr', 'de', 'es', 'it', 'pt', 'pl', 'hi', 'ja', 'zh');

-- CreateEnum
CREATE TYPE "AuthTokenKind" AS ENUM ('VERIFY_EMAIL', 'RESET_PASSWORD', 'ADD_PASSKEY', 'USE_PASSKEY', 'LOGIN_PASSKEY');

-- CreateEnum
CREATE TYPE "PendingMailKind" AS ENUM ('VERIFICATION', 'PASSWORD_RESET');

-- CreateEnum
CREATE TYPE "WebhookDeliveryStatus" AS ENUM ('PENDING', 'DELIVERED', 'FAILED');

-- CreateEnum
CREATE TYPE "TriggerType" AS ENUM ('EVENT', 'MANUAL', 'SCHEDULE');

-- CreateEnum
CREATE TYPE "StepType" AS ENUM ('TRIGGER', 'SEND_EMAIL', 'DELAY', 'WAIT_FOR_EVENT', 'CONDITION', 'WEBHOOK', 'UPDATE_CONTACT', 'EXIT');

-- CreateEnum
CREATE TYPE "ExecutionStatus" AS ENUM ('RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "StepStatus" AS ENUM ('PENDING', 'SCHEDULED', 'WAITING', 'RUNNING', 'COMPLETED', 'SKIPPED', 'FAILED');

-- CreateEnum
CREATE TYPE "WaitOutcome" AS ENUM ('EVENT', 'TIMEOUT');

-- CreateTable
CREATE TABLE "ClockMark" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ClockMark_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PaymentNotice" (
    "id" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PaymentNotice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BillingState" (
    "projectId" UUID NOT NULL,
    "currency" TEXT,
    "status" TEXT,
    "subscriptionAt" TIMESTAMPTZ(3),
    "endedSubscription" TEXT,
    "paymentAt" TIMESTAMPTZ(3),

    CONSTRAINT "BillingState_pkey" PRIMARY KEY ("projectId")
);

-- CreateTable
CREATE TABLE "UsageCounter" (
    "projectId" UUID NOT NULL,
    "month" DATE NOT NULL,
    "transactional" INTEGER NOT NULL,
    "campaigns" INTEGER NOT NULL,
    "workflows" INTEGER NOT NULL,
    "reported" INTEGER NOT NULL DEFAULT 0,
    "reporting" INTEGER,

    CONSTRAINT "UsageCounter_pkey" PRIMARY KEY ("projectId","month")
);

-- CreateTable
CREATE TABLE "UsageEntry" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "month" DATE NOT NULL,
    "sourceType" "EmailSource" NOT NULL,
    "quantity" INTEGER NOT NULL,

    CONSTRAINT "UsageEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UsageReservation" (
    "campaignId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "month" DATE NOT NULL,
    "quantity" INTEGER NOT NULL,

    CONSTRAINT "UsageReservation_pkey" PRIMARY KEY ("campaignId")
);

-- CreateTable
CREATE TABLE "Campaign" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "subject" TEXT NOT NULL,
    "preheader" TEXT,
    "body" TEXT NOT NULL,
    "design" JSONB,
    "from" TEXT NOT NULL,
    "fromName" TEXT,
    "replyTo" TEXT,
    "type" "EmailClass" NOT NULL DEFAULT 'MARKETING',
    "status" "CampaignStatus" NOT NULL DEFAULT 'DRAFT',
    "statusReason" TEXT,
    "audienceType" "AudienceType" NOT NULL,
    "audienceCondition" JSONB,
    "segmentId" UUID,
    "reads" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "templateId" UUID,
    "contentId" UUID,
    "scheduledFor" TIMESTAMPTZ(3),
    "totalRecipients" INTEGER NOT NULL DEFAULT 0,
    "frozenAt" TIMESTAMPTZ(3),
    "frozenToCreatedAt" TIMESTAMPTZ(3),
    "frozenToId" UUID,
    "closedAt" TIMESTAMPTZ(3),
    "sentAt" TIMESTAMPTZ(3),
    "retryStatuses" "EmailStatus"[] DEFAULT ARRAY[]::"EmailStatus"[],
    "retryBefore" TIMESTAMPTZ(3),
    "wakeSeq" BIGINT NOT NULL DEFAULT 0,
    "seenSeq" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Campaign_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CampaignCounter" (
    "campaignId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "sentCount" INTEGER NOT NULL DEFAULT 0,
    "deliveredCount" INTEGER NOT NULL DEFAULT 0,
    "openedCount" INTEGER NOT NULL DEFAULT 0,
    "clickedCount" INTEGER NOT NULL DEFAULT 0,
    "bouncedCount" INTEGER NOT NULL DEFAULT 0,
    "refusedCount" INTEGER NOT NULL DEFAULT 0,
    "complainedCount" INTEGER NOT NULL DEFAULT 0,
    "unsubscribedCount" INTEGER NOT NULL DEFAULT 0,
    "failedCount" INTEGER NOT NULL DEFAULT 0,
    "skippedCount" INTEGER NOT NULL DEFAULT 0,
    "uncertainCount" INTEGER NOT NULL DEFAULT 0,
    "skippedUnsubscribed" INTEGER NOT NULL DEFAULT 0,
    "skippedSuppressed" INTEGER NOT NULL DEFAULT 0,
    "skippedInvalid" INTEGER NOT NULL DEFAULT 0,
    "skippedCancelled" INTEGER NOT NULL DEFAULT 0,
    "skippedProjectDisabled" INTEGER NOT NULL DEFAULT 0,
    "skippedDuplicate" INTEGER NOT NULL DEFAULT 0,
    "skippedSandbox" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "CampaignCounter_pkey" PRIMARY KEY ("campaignId")
);

-- CreateTable
CREATE TABLE "RecipientLog" (
    "id" UUID NOT NULL,
    "campaignId" UUID NOT NULL,
    "status" "EmailStatus" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "firstId" UUID NOT NULL,
    "lastId" UUID NOT NULL,
    "count" INTEGER NOT NULL,
    "emailIds" UUID[],

    CONSTRAINT "RecipientLog_pkey" PRIMARY KEY ("campaignId","status","at","lastId","id")
);

-- CreateTable
CREATE TABLE "Contact" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "subscribed" BOOLEAN NOT NULL DEFAULT true,
    "subscriptionChangedAt" TIMESTAMPTZ(6),
    "optedOutAt" TIMESTAMPTZ(6),
    "snoozedUntil" TIMESTAMPTZ(3),
    "data" JSONB NOT NULL DEFAULT '{}',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Contact_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Suppression" (
    "projectId" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "reason" "SuppressionReason" NOT NULL,
    "emailId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Suppression_pkey" PRIMARY KEY ("projectId","email")
);

-- CreateTable
CREATE TABLE "OptOut" (
    "projectId" UUID NOT NULL,
    "addressHash" BYTEA NOT NULL,
    "byRecipient" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "OptOut_pkey" PRIMARY KEY ("projectId","addressHash")
);

-- CreateTable
CREATE TABLE "TouchedContact" (
    "projectId" UUID NOT NULL,
    "contactId" UUID NOT NULL,
    "seq" BIGINT NOT NULL,

    CONSTRAINT "TouchedContact_pkey" PRIMARY KEY ("projectId","contactId")
);

-- CreateTable
CREATE TABLE "Domain" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "status" "DomainStatus" NOT NULL DEFAULT 'PENDING',
    "keyId" UUID NOT NULL,
    "sesTokens" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "recordsFound" JSONB NOT NULL DEFAULT '{}',
    "failedChecks" INTEGER NOT NULL DEFAULT 0,
    "pendingSince" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastCheckedAt" TIMESTAMPTZ(3),
    "verifiedAt" TIMESTAMPTZ(3),
    "verifiedMailAt" TIMESTAMPTZ(3),
    "lostMailAt" TIMESTAMPTZ(3),
    "nextCheckAt" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "wakeSeq" BIGINT NOT NULL DEFAULT 0,
    "seenSeq" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Domain_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DomainKey" (
    "id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "selector" TEXT NOT NULL,
    "algorithm" TEXT NOT NULL DEFAULT 'rsa-sha256',
    "publicKey" TEXT NOT NULL,
    "privateCipher" TEXT NOT NULL,
    "state" "DomainKeyState" NOT NULL DEFAULT 'ACTIVE',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DomainKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Event" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" "EventKind" NOT NULL DEFAULT 'CUSTOM',
    "name" TEXT NOT NULL,
    "data" JSONB,
    "contactId" UUID,
    "emailId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EventCount" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "EventCount_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EventDispatch" (
    "eventId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seq" BIGSERIAL NOT NULL,

    CONSTRAINT "EventDispatch_pkey" PRIMARY KEY ("eventId")
);

-- CreateTable
CREATE TABLE "EventInterest" (
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "sourceId" UUID NOT NULL,

    CONSTRAINT "EventInterest_pkey" PRIMARY KEY ("projectId","name","sourceId")
);

-- CreateTable
CREATE TABLE "LiveListener" (
    "projectId" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "hubId" UUID NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LiveListener_pkey" PRIMARY KEY ("projectId","topic","hubId")
);

-- CreateTable
CREATE TABLE "FigureEntry" (
    "id" BIGSERIAL NOT NULL,
    "projectId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "campaignId" UUID,
    "templateId" UUID,
    "stepId" UUID,
    "domain" TEXT,
    "provider" TEXT,
    "client" TEXT,
    "device" TEXT,
    "link" TEXT,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "clicked" INTEGER NOT NULL DEFAULT 0,
    "bounced" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "complained" INTEGER NOT NULL DEFAULT 0,
    "unsubscribed" INTEGER NOT NULL DEFAULT 0,
    "opens" INTEGER NOT NULL DEFAULT 0,
    "clicks" INTEGER NOT NULL DEFAULT 0,
    "clickers" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "FigureEntry_pkey" PRIMARY KEY ("projectId","id")
);

-- CreateTable
CREATE TABLE "Figure" (
    "projectId" UUID NOT NULL,
    "scopeId" UUID NOT NULL,
    "dimension" "FigureDimension" NOT NULL,
    "unit" "FigureUnit" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT NOT NULL,
    "sent" INTEGER NOT NULL,
    "delivered" INTEGER NOT NULL,
    "opened" INTEGER NOT NULL,
    "clicked" INTEGER NOT NULL,
    "bounced" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "complained" INTEGER NOT NULL,
    "unsubscribed" INTEGER NOT NULL,
    "opens" INTEGER NOT NULL,
    "clicks" INTEGER NOT NULL,

    CONSTRAINT "Figure_pkey" PRIMARY KEY ("projectId","scopeId","dimension","unit","at","key")
);

-- CreateTable
CREATE TABLE "LinkFigure" (
    "projectId" UUID NOT NULL,
    "scopeId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "url" TEXT,
    "clicks" INTEGER NOT NULL,
    "clickers" INTEGER NOT NULL,

    CONSTRAINT "LinkFigure_pkey" PRIMARY KEY ("projectId","scopeId","hash")
);

-- CreateTable
CREATE TABLE "ContactCount" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "created" INTEGER NOT NULL,
    "removed" INTEGER NOT NULL,

    CONSTRAINT "ContactCount_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MailboxDomain" (
    "domain" TEXT NOT NULL,
    "provider" TEXT NOT NULL DEFAULT 'other',
    "before" TEXT NOT NULL DEFAULT 'other',
    "since" TIMESTAMPTZ(3),
    "checkedAt" TIMESTAMPTZ(3),
    "dueAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "requestedBy" UUID,

    CONSTRAINT "MailboxDomain_pkey" PRIMARY KEY ("domain")
);

-- CreateTable
CREATE TABLE "MailboxScan" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "contactId" UUID NOT NULL,

    CONSTRAINT "MailboxScan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Member" (
    "projectId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "role" "Role" NOT NULL DEFAULT 'MEMBER',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Member_pkey" PRIMARY KEY ("projectId","userId")
);

-- CreateTable
CREATE TABLE "Invitation" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "Role" NOT NULL DEFAULT 'MEMBER',
    "tokenHash" BYTEA NOT NULL,
    "invitedById" UUID,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "declinedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Project" (
    "id" UUID NOT NULL,
    "kind" "ProjectKind" NOT NULL DEFAULT 'CUSTOMER',
    "name" TEXT NOT NULL,
    "publicKeyHash" BYTEA,
    "publicKeyCipher" TEXT,
    "secretKeyHash" BYTEA,
    "secretKeyCipher" TEXT,
    "webhookSecretCipher" TEXT,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "disabledReason" "DisabledReason",
    "customer" TEXT,
    "subscription" TEXT,
    "billingLimitWorkflows" INTEGER,
    "billingLimitCampaigns" INTEGER,
    "billingLimitTransactional" INTEGER,
    "tracking" "TrackingMode" NOT NULL DEFAULT 'ENABLED',
    "language" TEXT NOT NULL DEFAULT 'en',
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "requireSecondFactor" BOOLEAN NOT NULL DEFAULT false,
    "sendRate" INTEGER,
    "brand" JSONB,
    "deletedAt" TIMESTAMPTZ(3),
    "unprovenMailAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scope" "KeyScope" NOT NULL,
    "domains" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "expiresAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PersistedDocument" (
    "projectId" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PersistedDocument_pkey" PRIMARY KEY ("projectId","hash")
);

-- CreateTable
CREATE TABLE "Suspension" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "reason" "DisabledReason" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "liftedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Suspension_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReputationCheck" (
    "projectId" UUID NOT NULL,
    "seq" BIGINT NOT NULL,

    CONSTRAINT "ReputationCheck_pkey" PRIMARY KEY ("projectId")
);

-- CreateTable
CREATE TABLE "AuditLog" (
    "id" UUID NOT NULL,
    "projectId" UUID,
    "operation" TEXT NOT NULL,
    "actorType" TEXT NOT NULL,
    "actorId" TEXT,
    "keyId" TEXT,
    "keyName" TEXT,
    "requestId" TEXT NOT NULL,
    "ip" TEXT,
    "targetType" TEXT,
    "targetId" TEXT,
    "changed" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuditLog_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProjectRemoval" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" "RemovalKind" NOT NULL,
    "before" TIMESTAMPTZ(3) NOT NULL,
    "progress" INTEGER NOT NULL DEFAULT 0,
    "removed" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ProjectRemoval_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RateWindow" (
    "projectId" UUID NOT NULL,
    "keyType" TEXT NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "RateWindow_pkey" PRIMARY KEY ("projectId","keyType")
);

-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "projectId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "statusCode" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "IdempotencyKey_pkey" PRIMARY KEY ("projectId","key")
);

-- CreateTable
CREATE TABLE "Job" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "progress" INTEGER NOT NULL DEFAULT 0,
    "input" JSONB,
    "result" JSONB,
    "failedReason" TEXT,
    "wakeSeq" BIGINT NOT NULL DEFAULT 0,
    "seenSeq" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completedAt" TIMESTAMPTZ(3),
    "fileName" TEXT,
    "actorType" TEXT,
    "actorId" UUID,
    "keyName" TEXT,
    "lostRuns" SMALLINT NOT NULL DEFAULT 0,

    CONSTRAINT "Job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ExportChunk" (
    "jobId" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "projectId" UUID,

    CONSTRAINT "ExportChunk_pkey" PRIMARY KEY ("jobId","n")
);

-- CreateTable
CREATE TABLE "ImportFailedRows" (
    "jobId" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "projectId" UUID,

    CONSTRAINT "ImportFailedRows_pkey" PRIMARY KEY ("jobId","n")
);

-- CreateTable
CREATE TABLE "JobFile" (
    "jobId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "bytes" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "JobFile_pkey" PRIMARY KEY ("jobId")
);

-- CreateTable
CREATE TABLE "JobContact" (
    "jobId" UUID NOT NULL,
    "contactId" UUID NOT NULL,

    CONSTRAINT "JobContact_pkey" PRIMARY KEY ("jobId","contactId")
);

-- CreateTable
CREATE TABLE "CachedFigure" (
    "projectId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "value" JSONB,
    "computedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "estimate" JSONB,
    "estimatedAt" TIMESTAMPTZ(3),
    "wantedAt" TIMESTAMPTZ(3),
    "input" JSONB,

    CONSTRAINT "CachedFigure_pkey" PRIMARY KEY ("projectId","key")
);

-- CreateTable
CREATE TABLE "Upload" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "filename" TEXT NOT NULL,
    "contentType" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Upload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Segment" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "type" "SegmentType" NOT NULL DEFAULT 'DYNAMIC',
    "condition" JSONB,
    "trackMembership" BOOLEAN NOT NULL DEFAULT false,
    "memberCount" INTEGER NOT NULL DEFAULT 0,
    "reads" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "computedAt" TIMESTAMPTZ(3),
    "nextComputeAt" TIMESTAMPTZ(3),
    "stale" BOOLEAN NOT NULL DEFAULT false,
    "failedReason" TEXT,
    "wakeSeq" BIGINT NOT NULL DEFAULT 0,
    "seenSeq" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Segment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SegmentMembership" (
    "projectId" UUID NOT NULL,
    "segmentId" UUID NOT NULL,
    "contactId" UUID NOT NULL,
    "enteredAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "exitedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SegmentMembership_pkey" PRIMARY KEY ("segmentId","contactId")
);

-- CreateTable
CREATE TABLE "Email" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "contactId" UUID,
    "to" TEXT NOT NULL,
    "toHash" BYTEA,
    "toName" TEXT,
    "type" "EmailClass" NOT NULL,
    "sourceType" "EmailSource" NOT NULL,
    "contentId" UUID NOT NULL,
    "subject" TEXT,
    "vars" JSONB,
    "tracked" BOOLEAN NOT NULL DEFAULT false,
    "templateId" UUID,
    "campaignId" UUID,
    "workflowExecutionId" UUID,
    "workflowStepExecutionId" UUID,
    "status" "EmailStatus" NOT NULL DEFAULT 'PENDING',
    "reason" TEXT,
    "error" TEXT,
    "messageId" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "opens" INTEGER NOT NULL DEFAULT 0,
    "clicks" INTEGER NOT NULL DEFAULT 0,
    "fence" UUID,
    "autoResent" BOOLEAN NOT NULL DEFAULT false,
    "unsubscribed" BOOLEAN NOT NULL DEFAULT false,
    "contentClearedAt" TIMESTAMPTZ(3),
    "sentAt" TIMESTAMPTZ(3),
    "deliveredAt" TIMESTAMPTZ(3),
    "openedAt" TIMESTAMPTZ(3),
    "clickedAt" TIMESTAMPTZ(3),
    "bouncedAt" TIMESTAMPTZ(3),
    "complainedAt" TIMESTAMPTZ(3),
    "unprovenNews" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "acceptedSubscribed" BOOLEAN,
    "batchId" UUID,
    "uncertainAt" TIMESTAMPTZ(3),
    "readdressed" BOOLEAN NOT NULL DEFAULT false,
    "toOther" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Email_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DeliveryBatch" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "campaignId" UUID,
    "domainId" UUID,
    "priority" SMALLINT NOT NULL,
    "again" BOOLEAN NOT NULL DEFAULT false,
    "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "firstAnsweredAt" TIMESTAMPTZ(3),
    "token" UUID,
    "worker" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "stopped" BOOLEAN NOT NULL DEFAULT false,
    "begun" BYTEA,
    "answered" BYTEA,
    "written" BYTEA,
    "results" JSONB,
    "progressAt" TIMESTAMPTZ(3),
    "emailIds" UUID[],

    CONSTRAINT "DeliveryBatch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Content" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "type" "EmailClass" NOT NULL,
    "sourceType" "EmailSource" NOT NULL,
    "subject" TEXT NOT NULL,
    "preheader" TEXT,
    "body" TEXT,
    "literal" BOOLEAN NOT NULL DEFAULT false,
    "sealedBody" TEXT,
    "from" TEXT NOT NULL,
    "fromName" TEXT,
    "replyTo" TEXT,
    "headers" JSONB NOT NULL DEFAULT '{}',
    "projectName" TEXT NOT NULL,
    "language" TEXT NOT NULL DEFAULT 'en',
    "attachments" JSONB NOT NULL DEFAULT '[]',
    "raw" JSONB,
    "links" JSONB,
    "limitedAt" TIMESTAMPTZ(3),
    "eraseAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Content_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Blob" (
    "projectId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "size" INTEGER NOT NULL,
    "bytes" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "keptUntil" TIMESTAMPTZ(3) NOT NULL DEFAULT (now() + '54:00:00'::interval),

    CONSTRAINT "Blob_pkey" PRIMARY KEY ("projectId","hash")
);

-- CreateTable
CREATE TABLE "Route" (
    "id" TEXT NOT NULL,
    "pausedAt" TIMESTAMPTZ(3),
    "reason" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "nextProbeAt" TIMESTAMPTZ(3),
    "acceptedAt" TIMESTAMPTZ(3),
    "acceptedBy" TEXT,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Route_pkey" PRIMARY KEY ("id")
);

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

-- CreateTable
CREATE TABLE "SendBucket" (
    "projectId" UUID NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "updatedAt" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "SendBucket_pkey" PRIMARY KEY ("projectId")
);

-- CreateTable
CREATE TABLE "EmailCount" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "sourceType" "EmailSource" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "sent" INTEGER NOT NULL,
    "delivered" INTEGER NOT NULL,
    "opened" INTEGER NOT NULL,
    "clicked" INTEGER NOT NULL,
    "bounced" INTEGER NOT NULL,
    "complained" INTEGER NOT NULL,

    CONSTRAINT "EmailCount_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SendRamp" (
    "projectId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "growth" SMALLINT NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "SendRamp_pkey" PRIMARY KEY ("projectId")
);

-- CreateTable
CREATE TABLE "SendRampEntry" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "quantity" INTEGER NOT NULL,

    CONSTRAINT "SendRampEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "StorageUsage" (
    "projectId" UUID NOT NULL,
    "kind" "StorageKind" NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "StorageUsage_pkey" PRIMARY KEY ("projectId","kind")
);

-- CreateTable
CREATE TABLE "StorageEntry" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "kind" "StorageKind" NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "StorageEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "StorageNotice" (
    "userId" UUID NOT NULL,
    "level" SMALLINT NOT NULL,

    CONSTRAINT "StorageNotice_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "Template" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "subject" TEXT NOT NULL,
    "preheader" TEXT,
    "body" TEXT NOT NULL,
    "design" JSONB,
    "from" TEXT NOT NULL,
    "fromName" TEXT,
    "replyTo" TEXT,
    "type" "EmailClass" NOT NULL DEFAULT 'MARKETING',
    "lastVersion" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Template_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TemplateVersion" (
    "id" UUID NOT NULL,
    "templateId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "projectId" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "preheader" TEXT,
    "body" TEXT NOT NULL,
    "design" JSONB,
    "authorType" TEXT,
    "authorId" UUID,
    "keyName" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "TemplateVersion_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SavedBlock" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "design" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SavedBlock_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Interaction" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "emailId" UUID NOT NULL,
    "type" "InteractionType" NOT NULL,
    "link" TEXT,
    "detail" TEXT,
    "bot" BOOLEAN NOT NULL DEFAULT false,
    "client" TEXT,
    "device" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Interaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProviderNotice" (
    "id" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ProviderNotice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "User" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "type" "UserType" NOT NULL DEFAULT 'PASSWORD',
    "passwordHash" TEXT,
    "emailVerified" BOOLEAN NOT NULL DEFAULT false,
    "tokenVersion" INTEGER NOT NULL DEFAULT 0,
    "language" "MailLanguage" NOT NULL DEFAULT 'en',
    "disownedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuthToken" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "kind" "AuthTokenKind" NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuthToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "ip" TEXT,
    "userAgent" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Identity_pkey" PRIMARY KEY ("issuer","subject")
);

-- CreateTable
CREATE TABLE "AuthenticatorApp" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "secretCipher" TEXT NOT NULL,
    "lastStep" INTEGER,
    "confirmedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuthenticatorApp_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Passkey" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "credentialId" TEXT NOT NULL,
    "publicKey" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RecoveryCode" (
    "userId" UUID NOT NULL,
    "codeHash" BYTEA NOT NULL,

    CONSTRAINT "RecoveryCode_pkey" PRIMARY KEY ("userId","codeHash")
);

-- CreateTable
CREATE TABLE "AuthAttempt" (
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,
    "windowStart" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuthAttempt_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "SandboxSlot" (
    "userId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "n" SMALLINT NOT NULL,
    "emailId" UUID NOT NULL,

    CONSTRAINT "SandboxSlot_pkey" PRIMARY KEY ("userId","day","n")
);

-- CreateTable
CREATE TABLE "PendingMail" (
    "id" UUID NOT NULL,
    "kind" "PendingMailKind" NOT NULL,
    "email" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PendingMail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "OwnerDay" (
    "userId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "slowMinutes" INTEGER NOT NULL DEFAULT 0,
    "taskLimits" INTEGER NOT NULL DEFAULT 0,
    "mostStreams" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "OwnerDay_pkey" PRIMARY KEY ("userId","day")
);

-- CreateTable
CREATE TABLE "PlainSpan" (
    "userId" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PlainSpan_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "WebhookEndpoint" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "types" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabledReason" TEXT,
    "secretCipher" TEXT NOT NULL,
    "previousSecretCipher" TEXT,
    "previousSecretUntil" TIMESTAMPTZ(3),
    "failingSince" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WebhookEndpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "endpointId" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "eventAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "contactId" UUID,
    "status" "WebhookDeliveryStatus" NOT NULL DEFAULT 'PENDING',
    "attempts" JSONB NOT NULL DEFAULT '[]',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "claimedUntil" TIMESTAMPTZ(3),
    "token" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Workflow" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "triggerType" "TriggerType" NOT NULL DEFAULT 'EVENT',
    "triggerConfig" JSONB NOT NULL DEFAULT '{}',
    "reads" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "allowReentry" BOOLEAN NOT NULL DEFAULT false,
    "triggersSince" TIMESTAMPTZ(3),
    "triggersAfter" BIGINT,
    "wakeSeq" BIGINT NOT NULL DEFAULT 0,
    "seenSeq" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Workflow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WorkflowStep" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "workflowId" UUID NOT NULL,
    "type" "StepType" NOT NULL,
    "name" TEXT NOT NULL,
    "positionX" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "positionY" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "config" JSONB NOT NULL DEFAULT '{}',
    "templateId" UUID,
    "reads" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WorkflowStep_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WorkflowTransition" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "workflowId" UUID NOT NULL,
    "fromStepId" UUID NOT NULL,
    "toStepId" UUID NOT NULL,
    "branch" TEXT,
    "waitOutcome" "WaitOutcome",
    "priority" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WorkflowTransition_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WorkflowExecution" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "workflowId" UUID NOT NULL,
    "contactId" UUID NOT NULL,
    "status" "ExecutionStatus" NOT NULL DEFAULT 'RUNNING',
    "currentStepId" UUID,
    "exitReason" TEXT,
    "context" JSONB NOT NULL DEFAULT '{}',
    "sourceEventId" UUID,
    "singleEntry" BOOLEAN NOT NULL DEFAULT false,
    "lostTurns" SMALLINT NOT NULL DEFAULT 0,
    "resumeAt" TIMESTAMPTZ(3),
    "wakeSeq" BIGINT NOT NULL DEFAULT 0,
    "seenSeq" BIGINT NOT NULL DEFAULT 0,
    "startedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WorkflowExecution_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WorkflowStepExecution" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "executionId" UUID NOT NULL,
    "stepId" UUID NOT NULL,
    "status" "StepStatus" NOT NULL DEFAULT 'PENDING',
    "scheduledFor" TIMESTAMPTZ(3),
    "output" JSONB,
    "eventId" UUID,
    "error" TEXT,
    "eventsAfter" BIGINT,
    "startedAt" TIMESTAMPTZ(3),
    "completedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WorkflowStepExecution_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "PaymentNotice_createdAt_idx" ON "PaymentNotice"("createdAt");

-- CreateIndex
CREATE INDEX "UsageEntry_projectId_month_idx" ON "UsageEntry"("projectId", "month");

-- CreateIndex
CREATE INDEX "UsageReservation_projectId_month_idx" ON "UsageReservation"("projectId", "month");

-- CreateIndex
CREATE INDEX "Campaign_projectId_createdAt_idx" ON "Campaign"("projectId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Campaign_projectId_id_key" ON "Campaign"("projectId", "id");

-- CreateIndex
CREATE INDEX "Contact_projectId_createdAt_id_idx" ON "Contact"("projectId", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Contact_projectId_email_key" ON "Contact"("projectId", "email");

-- CreateIndex
CREATE INDEX "Suppression_projectId_createdAt_email_idx" ON "Suppression"("projectId", "createdAt" DESC, "email");

-- CreateIndex
CREATE UNIQUE INDEX "Domain_keyId_key" ON "Domain"("keyId");

-- CreateIndex
CREATE INDEX "Domain_domain_idx" ON "Domain"("domain");

-- CreateIndex
CREATE UNIQUE INDEX "Domain_projectId_domain_key" ON "Domain"("projectId", "domain");

-- CreateIndex
CREATE UNIQUE INDEX "Domain_projectId_id_key" ON "Domain"("projectId", "id");

-- CreateIndex
CREATE INDEX "Event_projectId_createdAt_id_idx" ON "Event"("projectId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Event_projectId_contactId_name_createdAt_idx" ON "Event"("projectId", "contactId", "name", "createdAt");

-- CreateIndex
CREATE INDEX "Event_projectId_name_createdAt_idx" ON "Event"("projectId", "name", "createdAt");

-- CreateIndex
CREATE INDEX "EventCount_projectId_name_day_idx" ON "EventCount"("projectId", "name", "day");

-- CreateIndex
CREATE INDEX "EventDispatch_projectId_eventId_idx" ON "EventDispatch"("projectId", "eventId");

-- CreateIndex
CREATE INDEX "EventInterest_sourceId_idx" ON "EventInterest"("sourceId");

-- CreateIndex
CREATE INDEX "ContactCount_projectId_at_idx" ON "ContactCount"("projectId", "at");

-- CreateIndex
CREATE INDEX "Member_userId_idx" ON "Member"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Invitation_tokenHash_key" ON "Invitation"("tokenHash");

-- CreateIndex
CREATE INDEX "Invitation_email_idx" ON "Invitation"("email");

-- CreateIndex
CREATE UNIQUE INDEX "Invitation_projectId_email_key" ON "Invitation"("projectId", "email");

-- CreateIndex
CREATE UNIQUE INDEX "Project_publicKeyHash_key" ON "Project"("publicKeyHash");

-- CreateIndex
CREATE UNIQUE INDEX "Project_secretKeyHash_key" ON "Project"("secretKeyHash");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_hash_key" ON "ApiKey"("hash");

-- CreateIndex
CREATE INDEX "ApiKey_projectId_createdAt_idx" ON "ApiKey"("projectId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "ApiKey_expiresAt_idx" ON "ApiKey"("expiresAt");

-- CreateIndex
CREATE INDEX "Suspension_projectId_at_idx" ON "Suspension"("projectId", "at" DESC);

-- CreateIndex
CREATE INDEX "AuditLog_projectId_createdAt_id_idx" ON "AuditLog"("projectId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "AuditLog_createdAt_idx" ON "AuditLog"("createdAt");

-- CreateIndex
CREATE INDEX "ProjectRemoval_projectId_createdAt_idx" ON "ProjectRemoval"("projectId", "createdAt");

-- CreateIndex
CREATE INDEX "IdempotencyKey_createdAt_idx" ON "IdempotencyKey"("createdAt");

-- CreateIndex
CREATE INDEX "Job_projectId_createdAt_idx" ON "Job"("projectId", "createdAt" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "Upload_key_key" ON "Upload"("key");

-- CreateIndex
CREATE INDEX "Upload_projectId_createdAt_idx" ON "Upload"("projectId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Segment_projectId_createdAt_idx" ON "Segment"("projectId", "createdAt" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "Segment_projectId_id_key" ON "Segment"("projectId", "id");

-- CreateIndex
CREATE INDEX "SegmentMembership_projectId_contactId_idx" ON "SegmentMembership"("projectId", "contactId");

-- CreateIndex
CREATE INDEX "SegmentMembership_segmentId_enteredAt_idx" ON "SegmentMembership"("segmentId", "enteredAt");

-- CreateIndex
CREATE INDEX "Email_projectId_createdAt_id_idx" ON "Email"("projectId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "Email_contentId_createdAt_id_idx" ON "Email"("contentId", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Content_projectId_hash_key" ON "Content"("projectId", "hash");

-- CreateIndex
CREATE INDEX "EmailCount_projectId_at_sourceType_idx" ON "EmailCount"("projectId", "at", "sourceType");

-- CreateIndex
CREATE INDEX "SendRampEntry_projectId_idx" ON "SendRampEntry"("projectId");

-- CreateIndex
CREATE INDEX "StorageEntry_projectId_idx" ON "StorageEntry"("projectId");

-- CreateIndex
CREATE INDEX "Template_projectId_createdAt_idx" ON "Template"("projectId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Template_projectId_id_key" ON "Template"("projectId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "TemplateVersion_templateId_number_key" ON "TemplateVersion"("templateId", "number");

-- CreateIndex
CREATE INDEX "SavedBlock_projectId_createdAt_idx" ON "SavedBlock"("projectId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Interaction_emailId_at_idx" ON "Interaction"("emailId", "at" DESC);

-- CreateIndex
CREATE INDEX "ProviderNotice_createdAt_idx" ON "ProviderNotice"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE UNIQUE INDEX "AuthToken_tokenHash_key" ON "AuthToken"("tokenHash");

-- CreateIndex
CREATE INDEX "AuthToken_expiresAt_idx" ON "AuthToken"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "AuthToken_userId_kind_key" ON "AuthToken"("userId", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "Session_tokenHash_key" ON "Session"("tokenHash");

-- CreateIndex
CREATE INDEX "Session_userId_lastSeenAt_idx" ON "Session"("userId", "lastSeenAt" DESC);

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "Identity_userId_idx" ON "Identity"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "AuthenticatorApp_userId_key" ON "AuthenticatorApp"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Passkey_credentialId_key" ON "Passkey"("credentialId");

-- CreateIndex
CREATE INDEX "Passkey_userId_idx" ON "Passkey"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "SandboxSlot_emailId_key" ON "SandboxSlot"("emailId");

-- CreateIndex
CREATE INDEX "SandboxSlot_day_idx" ON "SandboxSlot"("day");

-- CreateIndex
CREATE INDEX "OwnerDay_day_idx" ON "OwnerDay"("day");

-- CreateIndex
CREATE INDEX "WebhookEndpoint_projectId_idx" ON "WebhookEndpoint"("projectId");

-- CreateIndex
CREATE INDEX "WebhookDelivery_endpointId_createdAt_id_idx" ON "WebhookDelivery"("endpointId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_createdAt_idx" ON "WebhookDelivery"("createdAt");

-- CreateIndex
CREATE INDEX "Workflow_projectId_createdAt_idx" ON "Workflow"("projectId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Workflow_projectId_id_key" ON "Workflow"("projectId", "id");

-- CreateIndex
CREATE INDEX "WorkflowStep_workflowId_idx" ON "WorkflowStep"("workflowId");

-- CreateIndex
CREATE INDEX "WorkflowStep_projectId_templateId_idx" ON "WorkflowStep"("projectId", "templateId");

-- CreateIndex
CREATE INDEX "WorkflowTransition_workflowId_idx" ON "WorkflowTransition"("workflowId");

-- CreateIndex
CREATE INDEX "WorkflowExecution_projectId_workflowId_createdAt_idx" ON "WorkflowExecution"("projectId", "workflowId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "WorkflowExecution_projectId_contactId_idx" ON "WorkflowExecution"("projectId", "contactId");

-- CreateIndex
CREATE UNIQUE INDEX "WorkflowStepExecution_executionId_stepId_key" ON "WorkflowStepExecution"("executionId", "stepId");

-- AddForeignKey
ALTER TABLE "Campaign" ADD CONSTRAINT "Campaign_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Contact" ADD CONSTRAINT "Contact_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Domain" ADD CONSTRAINT "Domain_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Domain" ADD CONSTRAINT "Domain_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "DomainKey"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Member" ADD CONSTRAINT "Member_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Member" ADD CONSTRAINT "Member_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Invitation" ADD CONSTRAINT "Invitation_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PersistedDocument" ADD CONSTRAINT "PersistedDocument_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ExportChunk" ADD CONSTRAINT "ExportChunk_jobId_fkey" FOREIGN KEY ("jobId") REFERENCES "Job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ImportFailedRows" ADD CONSTRAINT "ImportFailedRows_jobId_fkey" FOREIGN KEY ("jobId") REFERENCES "Job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Segment" ADD CONSTRAINT "Segment_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "StorageNotice" ADD CONSTRAINT "StorageNotice_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Template" ADD CONSTRAINT "Template_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthToken" ADD CONSTRAINT "AuthToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Identity" ADD CONSTRAINT "Identity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthenticatorApp" ADD CONSTRAINT "AuthenticatorApp_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Passkey" ADD CONSTRAINT "Passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "RecoveryCode" ADD CONSTRAINT "RecoveryCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SandboxSlot" ADD CONSTRAINT "SandboxSlot_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OwnerDay" ADD CONSTRAINT "OwnerDay_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PlainSpan" ADD CONSTRAINT "PlainSpan_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Workflow" ADD CONSTRAINT "Workflow_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WorkflowStep" ADD CONSTRAINT "WorkflowStep_projectId_workflowId_fkey" FOREIGN KEY ("projectId", "workflowId") REFERENCES "Workflow"("projectId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WorkflowTransition" ADD CONSTRAINT "WorkflowTransition_projectId_workflowId_fkey" FOREIGN KEY ("projectId", "workflowId") REFERENCES "Workflow"("projectId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema language cannot express of tables: partial, expression and GIN indexes, checks, generated columns, storage settings.
-- Functions and triggers are in the files of SQL beside the stores that they belong to. The first migration contains this file; a later
-- change needs a migration and is repeated here.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- the order of contacts that were touched, and of projects whose reputation is to be checked
CREATE SEQUENCE "TouchSeq";
ALTER TABLE "EmailCount" SET (fillfactor = 50);
ALTER TABLE "FigureEntry" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
ALTER TABLE "Figure" SET (fillfactor = 70);
ALTER TABLE "LinkFigure" SET (fillfactor = 70);

-- domains that wait for a lookup of their MX records, by the project that asked
CREATE INDEX "MailboxDomain_due" ON "MailboxDomain" ("requestedBy", "dueAt") WHERE "dueAt" IS NOT NULL;
ALTER TABLE "ContactCount" SET (fillfactor = 50);
ALTER TABLE "EventCount" SET (fillfactor = 50);
CREATE INDEX "Contact_email_trgm" ON "Contact" USING gin ("projectId", "email" gin_trgm_ops);

-- Search of emails (decision 025). Campaign email goes to the address of its contact, which has an index of its own; an index on the
-- recipient of every email would slow its insertion down. These are the emails whose recipient can be another one.
CREATE INDEX "Email_other_recipient" ON "Email" USING gin ("projectId", "to" gin_trgm_ops)
  WHERE "contactId" IS NULL OR "sourceType" = 'WORKFLOW' OR "readdressed";
CREATE INDEX "Content_subject_trgm" ON "Content" USING gin ("projectId", lower("subject") gin_trgm_ops);
CREATE INDEX "Contact_data" ON "Contact" USING gin ("projectId", "data" jsonb_path_ops);
CREATE INDEX "Contact_snoozed" ON "Contact" ("snoozedUntil") WHERE "snoozedUntil" IS NOT NULL;

-- Counted for audiences and the overview, with the addresses for the suppressed ones among them.
CREATE INDEX "Contact_unsubscribed" ON "Contact" ("projectId", "createdAt", "id") INCLUDE ("snoozedUntil", "email") WHERE NOT "subscribed";
CREATE INDEX "CachedFigure_wanted" ON "CachedFigure" ("wantedAt") WHERE "wantedAt" IS NOT NULL;

-- Addresses that no email can be sent to, which an audience counts: the condition is that of `isInvalid` (sending/ledger/audience.store.ts).
CREATE INDEX "Contact_invalid" ON "Contact" ("projectId") WHERE "email" NOT LIKE '%_@_%._%' OR "email" LIKE '%@%@%'
  OR "email" <> translate("email", E' \t\n\r\f\v', '');
CREATE UNIQUE INDEX "Member_one_owner" ON "Member" ("projectId") WHERE "role" = 'OWNER';
CREATE INDEX "Project_deleted" ON "Project" ("deletedAt") WHERE "deletedAt" IS NOT NULL;

-- One email per contact and per address of a campaign, even if freezing runs twice.
CREATE UNIQUE INDEX "Email_campaign_contact" ON "Email" ("campaignId", "contactId") WHERE "campaignId" IS NOT NULL AND "contactId" IS NOT NULL;
CREATE UNIQUE INDEX "Email_campaign_address" ON "Email" ("campaignId", "toHash") WHERE "campaignId" IS NOT NULL;
CREATE UNIQUE INDEX "Email_step" ON "Email" ("workflowStepExecutionId") WHERE "workflowStepExecutionId" IS NOT NULL;

-- emails of a contact, email filters
CREATE INDEX "Email_contact" ON "Email" ("projectId", "contactId", "createdAt") WHERE "contactId" IS NOT NULL;

-- emails of a template, and of an execution of a workflow
CREATE INDEX "Email_template" ON "Email" ("projectId", "templateId", "createdAt") WHERE "templateId" IS NOT NULL;

-- What the sweep has to look at.
CREATE INDEX "Content_limited" ON "Content" ("projectId", "limitedAt") WHERE "limitedAt" IS NOT NULL;
CREATE INDEX "Content_eraseAt" ON "Content" ("eraseAt") WHERE "eraseAt" IS NOT NULL;
CREATE INDEX "Email_execution" ON "Email" ("workflowExecutionId") WHERE "workflowExecutionId" IS NOT NULL;

-- provider notifications refer to the message id
CREATE INDEX "Email_provider_id" ON "Email" ("messageId") WHERE "messageId" IS NOT NULL;

-- Emails that count against the reputation of a project, and those to the simulator of the provider, which count for nothing. Both are few,
-- and no update that sends an email changes their columns.
CREATE INDEX "Email_reputation" ON "Email" ("projectId", "id") WHERE "bouncedAt" IS NOT NULL OR "complainedAt" IS NOT NULL;
CREATE INDEX "Email_simulator" ON "Email" ("projectId", "id") WHERE "to" LIKE '%@simulator.amazonses.com';

-- retention: expired bodies and attachments
CREATE INDEX "Content_kept" ON "Content" ("createdAt") WHERE "body" IS NOT NULL AND "sourceType" IN ('TRANSACTIONAL', 'WORKFLOW', 'TEST');

-- email of the platform: bodies to clear, and ciphertexts in the order in which a rotation reads them
CREATE INDEX "Content_system" ON "Content" ("createdAt", "id") WHERE "sourceType" = 'SYSTEM' AND ("body" IS NOT NULL OR "sealedBody" IS NOT NULL);
CREATE INDEX "Content_sealed" ON "Content" ("id") WHERE "sealedBody" IS NOT NULL;
CREATE INDEX "ProjectRemoval_open" ON "ProjectRemoval" ("projectId") WHERE "completedAt" IS NULL;
CREATE INDEX "Blob_kept" ON "Blob" ("keptUntil");

-- The claim: oldest due first within the first attempts, and within the retries, of a priority.
CREATE INDEX "DeliveryBatch_waiting" ON "DeliveryBatch" ("projectId", "priority", "again", "nextAttemptAt", "id") WHERE "token" IS NULL;

-- expired leases of all projects
CREATE INDEX "DeliveryBatch_held" ON "DeliveryBatch" ("leaseUntil") WHERE "token" IS NOT NULL;

-- unsettled email of a campaign: closing, cancelling
CREATE INDEX "DeliveryBatch_campaign" ON "DeliveryBatch" ("campaignId") WHERE "campaignId" IS NOT NULL;

-- unsettled email of a removed domain
CREATE INDEX "DeliveryBatch_domain" ON "DeliveryBatch" ("domainId") WHERE "domainId" IS NOT NULL;

-- The ids are stored beside the row and uncompressed, so that every version of the row, which progress writes often, stays small.
ALTER TABLE "DeliveryBatch" ALTER COLUMN "emailIds" SET STORAGE EXTERNAL;

-- Every email is updated once or twice soon after its insertion: free space on its page allows HOT updates.
ALTER TABLE "Email" SET (fillfactor = 50);
ALTER TABLE "DeliveryBatch" SET (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
ALTER TABLE "RateWindow" SET (fillfactor = 50);
ALTER TABLE "SendBucket" SET (fillfactor = 50);
ALTER TABLE "CampaignCounter" SET (fillfactor = 50);
ALTER TABLE "TouchedContact" SET (fillfactor = 50);

-- reconcile: rows with an unprocessed signal, and rows that are due
CREATE INDEX "Campaign_unseen" ON "Campaign" ("updatedAt") WHERE "wakeSeq" > "seenSeq";
CREATE INDEX "Campaign_due" ON "Campaign" ("scheduledFor") WHERE "status" = 'SCHEDULED';
CREATE INDEX "Campaign_sending" ON "Campaign" ("updatedAt") WHERE "status" = 'SENDING';
CREATE INDEX "Domain_unseen" ON "Domain" ("updatedAt") WHERE "wakeSeq" > "seenSeq";
CREATE INDEX "Domain_due" ON "Domain" ("nextCheckAt") WHERE "nextCheckAt" IS NOT NULL;
CREATE INDEX "Segment_due" ON "Segment" ("nextComputeAt") WHERE "nextComputeAt" IS NOT NULL;
CREATE INDEX "Segment_tracked" ON "Segment" ("projectId") WHERE "trackMembership" AND "type" = 'DYNAMIC';
CREATE INDEX "Segment_unseen" ON "Segment" ("updatedAt") WHERE "wakeSeq" > "seenSeq";
CREATE INDEX "Execution_unseen" ON "WorkflowExecution" ("updatedAt") WHERE "wakeSeq" > "seenSeq";
CREATE INDEX "Execution_due" ON "WorkflowExecution" ("resumeAt") WHERE "resumeAt" IS NOT NULL;
CREATE INDEX "Job_finished" ON "Job" ("completedAt") WHERE "completedAt" IS NOT NULL;
CREATE INDEX "Job_open" ON "Job" ("createdAt") WHERE "state" IN ('waiting', 'active');

-- entry rules of workflows (B3.4)
CREATE UNIQUE INDEX "Execution_event_once" ON "WorkflowExecution" ("workflowId", "sourceEventId") WHERE "sourceEventId" IS NOT NULL;

-- executions that an event started
CREATE INDEX "Execution_source_event" ON "WorkflowExecution" ("sourceEventId") WHERE "sourceEventId" IS NOT NULL;
CREATE UNIQUE INDEX "Execution_active_once" ON "WorkflowExecution" ("workflowId", "contactId") WHERE "status" IN ('RUNNING', 'WAITING');
CREATE UNIQUE INDEX "Execution_single_entry" ON "WorkflowExecution" ("workflowId", "contactId") WHERE "singleEntry";

-- waiting executions of a contact, which a dispatched event can resume
CREATE INDEX "Execution_waiting" ON "WorkflowExecution" ("projectId", "contactId") WHERE "status" = 'WAITING';
CREATE UNIQUE INDEX "WorkflowStep_one_trigger" ON "WorkflowStep" ("workflowId") WHERE "type" = 'TRIGGER';
ALTER TABLE "Contact" ADD CONSTRAINT "Contact_data_object" CHECK (jsonb_typeof("data") = 'object');
ALTER TABLE "Contact" ADD CONSTRAINT "Contact_email_normal" CHECK ("email" = lower("email") AND length("email") <= 254);
ALTER TABLE "Email" ADD CONSTRAINT "Email_failed_not_sent" CHECK ("status" <> 'FAILED' OR "sentAt" IS NULL);
ALTER TABLE "Job" ADD CONSTRAINT "Job_progress" CHECK ("progress" BETWEEN 0 AND 100);
ALTER TABLE "RecipientLog" ALTER COLUMN "emailIds" SET STORAGE EXTERNAL;

-- activity feed of one type: the events of customers and segments, whose names are not fixed
CREATE INDEX "Event_triggered" ON "Event" ("projectId", "createdAt", "id") WHERE "kind" = 'CUSTOM' OR "name" LIKE 'segment.%';

-- upcoming emails of workflows
CREATE INDEX "Execution_upcoming" ON "WorkflowExecution" ("projectId", "resumeAt") WHERE "status" = 'WAITING' AND "resumeAt" IS NOT NULL;
ALTER TABLE "UsageCounter" SET (fillfactor = 50);
ALTER TABLE "SendRamp" SET (fillfactor = 50);

-- payment notifications name a customer or a subscription
CREATE INDEX "Project_customer" ON "Project" ("customer") WHERE "customer" IS NOT NULL;
CREATE INDEX "Project_subscription" ON "Project" ("subscription") WHERE "subscription" IS NOT NULL;

-- deliveries of webhooks that are due, per endpoint; those of a contact, which are erased with it
CREATE INDEX "WebhookDelivery_due" ON "WebhookDelivery" ("endpointId", "nextAttemptAt") WHERE "status" = 'PENDING';
CREATE INDEX "WebhookDelivery_contact" ON "WebhookDelivery" ("contactId") WHERE "contactId" IS NOT NULL;

-- Statistics of tables that all projects share: an analysis after a share of a whole table would leave a new project unknown for days.
ALTER TABLE "Contact" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "Event" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "Email" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "WorkflowExecution" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

-- What is written to be sent. The size of a design as stored is known only after the triggers of its insertion, and reading it as text takes
-- time, so that a column has the sum: an update that changes none of the texts keeps it. A function is planned for each of its triggers.
ALTER TABLE "Template" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "TemplateVersion" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "Campaign" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "SavedBlock" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;

-- Entries come and go by the minute.
ALTER TABLE "StorageEntry" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- Well-known domains. What is not here counts as 'other' until its MX records are known.
INSERT INTO "MailboxDomain" ("domain", "provider") VALUES
  ('gmail.com', 'google'), ('googlemail.com', 'google'), ('outlook.com', 'microsoft'), ('hotmail.com', 'microsoft'),
  ('live.com', 'microsoft'), ('msn.com', 'microsoft'), ('passport.com', 'microsoft'), ('windowslive.com', 'microsoft'),
  ('hotmail.co.uk', 'microsoft'), ('hotmail.fr', 'microsoft'), ('hotmail.de', 'microsoft'), ('hotmail.it', 'microsoft'),
  ('hotmail.es', 'microsoft'), ('hotmail.be', 'microsoft'), ('hotmail.nl', 'microsoft'), ('hotmail.ca', 'microsoft'),
  ('hotmail.com.ar', 'microsoft'), ('hotmail.com.br', 'microsoft'), ('hotmail.com.tr', 'microsoft'), ('hotmail.co.jp', 'microsoft'),
  ('hotmail.se', 'microsoft'), ('hotmail.no', 'microsoft'), ('hotmail.dk', 'microsoft'), ('hotmail.fi', 'microsoft'),
  ('hotmail.gr', 'microsoft'), ('hotmail.ch', 'microsoft'), ('hotmail.at', 'microsoft'), ('live.co.uk', 'microsoft'),
  ('live.fr', 'microsoft'), ('live.de', 'microsoft'), ('live.it', 'microsoft'), ('live.be', 'microsoft'), ('live.nl', 'microsoft'),
  ('live.ca', 'microsoft'), ('live.com.au', 'microsoft'), ('live.com.mx', 'microsoft'), ('live.se', 'microsoft'),
  ('live.no', 'microsoft'), ('live.dk', 'microsoft'), ('live.at', 'microsoft'), ('live.ie', 'microsoft'),
  ('live.com.pt', 'microsoft'), ('live.ru', 'microsoft'), ('live.jp', 'microsoft'), ('live.cn', 'microsoft'),
  ('live.co.za', 'microsoft'), ('outlook.fr', 'microsoft'), ('outlook.de', 'microsoft'), ('outlook.es', 'microsoft'),
  ('outlook.it', 'microsoft'), ('outlook.at', 'microsoft'), ('outlook.be', 'microsoft'), ('outlook.co.nz', 'microsoft'),
  ('outlook.co.th', 'microsoft'), ('outlook.com.ar', 'microsoft'), ('outlook.com.au', 'microsoft'), ('outlook.com.br', 'microsoft'),
  ('outlook.com.gr', 'microsoft'), ('outlook.com.tr', 'microsoft'), ('outlook.dk', 'microsoft'), ('outlook.ie', 'microsoft'),
  ('outlook.in', 'microsoft'), ('outlook.jp', 'microsoft'), ('outlook.kr', 'microsoft'), ('outlook.pt', 'microsoft'),
  ('outlook.sa', 'microsoft'), ('outlook.sg', 'microsoft'), ('outlook.cz', 'microsoft'), ('outlook.hu', 'microsoft'),
  ('outlook.lv', 'microsoft'), ('outlook.ph', 'microsoft'), ('outlook.sk', 'microsoft'), ('yahoo.com', 'yahoo'),
  ('ymail.com', 'yahoo'), ('rocketmail.com', 'yahoo'), ('aol.com', 'yahoo'), ('aim.com', 'yahoo'), ('aol.co.uk', 'yahoo'),
  ('aol.de', 'yahoo'), ('aol.fr', 'yahoo'), ('aol.it', 'yahoo'), ('verizon.net', 'yahoo'), ('myyahoo.com', 'yahoo'),
  ('yahoo.co.uk', 'yahoo'), ('yahoo.fr', 'yahoo'), ('yahoo.de', 'yahoo'), ('yahoo.it', 'yahoo'), ('yahoo.es', 'yahoo'),
  ('yahoo.ca', 'yahoo'), ('yahoo.in', 'yahoo'), ('yahoo.co.in', 'yahoo'), ('yahoo.com.br', 'yahoo'), ('yahoo.com.mx', 'yahoo'),
  ('yahoo.com.ar', 'yahoo'), ('yahoo.com.au', 'yahoo'), ('yahoo.co.id', 'yahoo'), ('yahoo.co.jp', 'yahoo'),
  ('yahoo.com.hk', 'yahoo'), ('yahoo.com.tw', 'yahoo'), ('yahoo.com.sg', 'yahoo'), ('yahoo.com.ph', 'yahoo'),
  ('yahoo.com.vn', 'yahoo'), ('yahoo.gr', 'yahoo'), ('yahoo.ie', 'yahoo'), ('yahoo.se', 'yahoo'), ('yahoo.no', 'yahoo'),
  ('yahoo.dk', 'yahoo'), ('yahoo.nl', 'yahoo'), ('yahoo.pl', 'yahoo'), ('yahoo.ro', 'yahoo'), ('yahoo.co.nz', 'yahoo'),
  ('yahoo.co.za', 'yahoo'), ('yahoo.com.tr', 'yahoo'), ('icloud.com', 'apple'), ('me.com', 'apple'), ('mac.com', 'apple'),
  ('proton.me', 'proton'), ('protonmail.com', 'proton'), ('protonmail.ch', 'proton'), ('pm.me', 'proton'), ('zoho.com', 'zoho'),
  ('zohomail.com', 'zoho'), ('zoho.eu', 'zoho'), ('zohomail.eu', 'zoho'), ('zoho.in', 'zoho'), ('fastmail.com', 'fastmail'),
  ('fastmail.fm', 'fastmail'), ('gmx.de', 'gmx'), ('gmx.net', 'gmx'), ('gmx.at', 'gmx'), ('gmx.ch', 'gmx'), ('gmx.com', 'gmx'),
  ('gmx.eu', 'gmx'), ('gmx.fr', 'gmx'), ('gmx.es', 'gmx'), ('gmx.co.uk', 'gmx'), ('gmx.us', 'gmx'), ('web.de', 'gmx'),
  ('email.de', 'gmx'), ('mail.com', 'gmx'), ('1und1.de', 'gmx'), ('t-online.de', 'telekom'), ('magenta.de', 'telekom'),
  ('freenet.de', 'freenet'), ('mail.ru', 'mailru'), ('inbox.ru', 'mailru'), ('list.ru', 'mailru'), ('bk.ru', 'mailru'),
  ('internet.ru', 'mailru'), ('yandex.ru', 'yandex'), ('yandex.com', 'yandex'), ('ya.ru', 'yandex'), ('yandex.by', 'yandex'),
  ('yandex.kz', 'yandex'), ('yandex.ua', 'yandex'), ('rambler.ru', 'rambler'), ('163.com', 'netease'), ('126.com', 'netease'),
  ('yeah.net', 'netease'), ('vip.163.com', 'netease'), ('qq.com', 'tencent'), ('foxmail.com', 'tencent'), ('vip.qq.com', 'tencent'),
  ('naver.com', 'naver'), ('daum.net', 'kakao'), ('hanmail.net', 'kakao'), ('kakao.com', 'kakao'), ('orange.fr', 'orange'),
  ('wanadoo.fr', 'orange'), ('free.fr', 'free'), ('sfr.fr', 'sfr'), ('neuf.fr', 'sfr'), ('club-internet.fr', 'sfr'),
  ('laposte.net', 'laposte'), ('libero.it', 'libero'), ('virgilio.it', 'libero'), ('iol.it', 'libero'), ('inwind.it', 'libero'),
  ('blu.it', 'libero'), ('tim.it', 'tim'), ('alice.it', 'tim'), ('tin.it', 'tim'), ('comcast.net', 'comcast'),
  ('xfinity.com', 'comcast'), ('att.net', 'att'), ('sbcglobal.net', 'att'), ('bellsouth.net', 'att'), ('pacbell.net', 'att'),
  ('swbell.net', 'att'), ('ameritech.net', 'att'), ('cox.net', 'cox'), ('charter.net', 'charter'), ('spectrum.net', 'charter'),
  ('rr.com', 'charter'), ('roadrunner.com', 'charter'), ('twc.com', 'charter'), ('btinternet.com', 'bt'), ('btopenworld.com', 'bt'),
  ('sky.com', 'sky'), ('virginmedia.com', 'virgin'), ('ntlworld.com', 'virgin'), ('blueyonder.co.uk', 'virgin'),
  ('virgin.net', 'virgin'), ('seznam.cz', 'seznam'), ('email.cz', 'seznam'), ('post.cz', 'seznam'), ('wp.pl', 'wp'), ('o2.pl', 'wp'),
  ('tlen.pl', 'wp'), ('onet.pl', 'onet'), ('onet.eu', 'onet'), ('op.pl', 'onet'), ('vp.pl', 'onet'), ('interia.pl', 'interia'),
  ('interia.eu', 'interia'), ('poczta.fm', 'interia'), ('uol.com.br', 'uol'), ('bol.com.br', 'uol'), ('terra.com.br', 'terra'),
  ('rediffmail.com', 'rediff'), ('ziggo.nl', 'ziggo'), ('home.nl', 'ziggo'), ('upcmail.nl', 'ziggo'), ('kpnmail.nl', 'kpn'),
  ('planet.nl', 'kpn'), ('hetnet.nl', 'kpn'), ('kpnplanet.nl', 'kpn'), ('telenet.be', 'telenet'), ('skynet.be', 'proximus'),
  ('proximus.be', 'proximus'), ('bluewin.ch', 'bluewin'), ('bigpond.com', 'telstra'), ('bigpond.net.au', 'telstra'),
  ('optusnet.com.au', 'optus'), ('shaw.ca', 'shaw'), ('bell.net', 'bell'), ('sympatico.ca', 'bell'), ('rogers.com', 'rogers'),
  ('ukr.net', 'ukrnet'), ('docomo.ne.jp', 'docomo'), ('softbank.ne.jp', 'softbank'), ('i.softbank.jp', 'softbank'),
  ('hey.com', 'hey'), ('mailbox.org', 'mailbox_org'), ('posteo.de', 'posteo'), ('posteo.net', 'posteo');
