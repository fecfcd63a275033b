-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "CampaignStatus" AS ENUM ('DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED');

-- CreateEnum
CREATE TYPE "AudienceType" AS ENUM ('ALL', 'SEGMENT', 'FILTERED');

-- CreateEnum
CREATE TYPE "SuppressionReason" AS ENUM ('BOUNCE', 'COMPLAINT');

-- CreateEnum
CREATE TYPE "DomainStatus" AS ENUM ('PENDING', 'VERIFIED', 'FAILED');

-- CreateEnum
CREATE TYPE "DomainKeyState" AS ENUM ('ACTIVE', 'RETIRED');

-- CreateEnum
CREATE TYPE "EventKind" AS ENUM ('CUSTOM', 'SYSTEM', 'ACTIVITY');

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('OWNER', 'ADMIN', 'MEMBER');

-- CreateEnum
CREATE TYPE "ProjectKind" AS ENUM ('CUSTOMER', 'SYSTEM');

-- CreateEnum
CREATE TYPE "TrackingMode" AS ENUM ('ENABLED', 'DISABLED', 'MARKETING_ONLY');

-- CreateEnum
CREATE TYPE "DisabledReason" AS ENUM ('PAYMENT_FAILED', 'EMAIL_REPUTATION', 'PHISHING_DETECTED', 'MANUAL');

-- CreateEnum
CREATE TYPE "SegmentType" AS ENUM ('DYNAMIC', 'STATIC');

-- CreateEnum
CREATE TYPE "EmailSource" AS ENUM ('TRANSACTIONAL', 'CAMPAIGN', 'WORKFLOW', 'TEST', 'SYSTEM');

-- CreateEnum
CREATE TYPE "EmailStatus" AS ENUM ('PENDING', 'SENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED', 'FAILED', 'SKIPPED', 'UNCERTAIN');

-- CreateEnum
CREATE TYPE "EmailClass" AS ENUM ('TRANSACTIONAL', 'MARKETING', 'HEADLESS');

-- CreateEnum
CREATE TYPE "InteractionType" AS ENUM ('open', 'click');

-- CreateEnum
CREATE TYPE "UserType" AS ENUM ('PASSWORD', 'GITHUB_OAUTH', 'GOOGLE_OAUTH');

-- CreateEnum
CREATE TYPE "AuthTokenKind" AS ENUM ('VERIFY_EMAIL', 'RESET_PASSWORD');

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
CREATE TABLE "PaymentNotice" (
    "id" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PaymentNotice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UsageCounter" (
    "projectId" UUID NOT NULL,
    "month" DATE NOT NULL,
    "sourceType" TEXT NOT NULL,
    "quantity" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "UsageCounter_pkey" PRIMARY KEY ("projectId","month","sourceType")
);

-- CreateTable
CREATE TABLE "Campaign" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,
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
    "closedAt" TIMESTAMPTZ(3),
    "sentAt" TIMESTAMPTZ(3),
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
    "complainedCount" INTEGER NOT NULL DEFAULT 0,
    "unsubscribedCount" INTEGER NOT NULL DEFAULT 0,
    "failedCount" INTEGER NOT NULL DEFAULT 0,
    "skippedCount" INTEGER NOT NULL DEFAULT 0,
    "uncertainCount" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "CampaignCounter_pkey" PRIMARY KEY ("campaignId")
);

-- CreateTable
CREATE TABLE "Contact" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "subscribed" BOOLEAN NOT NULL DEFAULT true,
    "subscriptionChangedAt" TIMESTAMPTZ(6),
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
    "selector" TEXT NOT NULL DEFAULT 'postrider',
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
CREATE TABLE "EventDispatch" (
    "eventId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
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
    "sendRate" INTEGER,
    "deletedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Project_pkey" PRIMARY KEY ("id")
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
CREATE TABLE "AuditLog" (
    "id" UUID NOT NULL,
    "projectId" UUID,
    "operation" TEXT NOT NULL,
    "actorType" TEXT NOT NULL,
    "actorId" TEXT,
    "keyId" TEXT,
    "requestId" TEXT NOT NULL,
    "ip" TEXT,
    "targetType" TEXT,
    "targetId" TEXT,
    "changed" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuditLog_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RateWindow" (
    "projectId" UUID NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "RateWindow_pkey" PRIMARY KEY ("projectId")
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

    CONSTRAINT "Job_pkey" PRIMARY KEY ("id")
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
    "value" JSONB NOT NULL,
    "computedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Email_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Delivery" (
    "emailId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "priority" SMALLINT NOT NULL,
    "campaignId" UUID,
    "domainId" UUID,
    "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "token" UUID,
    "dataStartedAt" TIMESTAMPTZ(3),
    "firstAnsweredAt" TIMESTAMPTZ(3),

    CONSTRAINT "Delivery_pkey" PRIMARY KEY ("emailId")
);

-- CreateTable
CREATE TABLE "DeliveryLease" (
    "token" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "worker" TEXT NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DeliveryLease_pkey" PRIMARY KEY ("token")
);

-- CreateTable
CREATE TABLE "Content" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "type" "EmailClass" NOT NULL,
    "sourceType" "EmailSource" NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT,
    "from" TEXT NOT NULL,
    "fromName" TEXT,
    "replyTo" TEXT,
    "headers" JSONB NOT NULL DEFAULT '{}',
    "projectName" TEXT NOT NULL,
    "language" TEXT NOT NULL DEFAULT 'en',
    "attachments" JSONB NOT NULL DEFAULT '[]',
    "links" JSONB,
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

    CONSTRAINT "Blob_pkey" PRIMARY KEY ("projectId","hash")
);

-- CreateTable
CREATE TABLE "Route" (
    "id" TEXT NOT NULL,
    "pausedAt" TIMESTAMPTZ(3),
    "reason" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "nextProbeAt" TIMESTAMPTZ(3),
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Route_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SendBucket" (
    "projectId" UUID NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "updatedAt" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "SendBucket_pkey" PRIMARY KEY ("projectId")
);

-- CreateTable
CREATE TABLE "Outbox" (
    "projectId" UUID NOT NULL,
    "listeningUntil" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Outbox_pkey" PRIMARY KEY ("projectId")
);

-- CreateTable
CREATE TABLE "Template" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "from" TEXT NOT NULL,
    "fromName" TEXT,
    "replyTo" TEXT,
    "type" "EmailClass" NOT NULL DEFAULT 'MARKETING',
    "version" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Template_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TemplateVersion" (
    "templateId" UUID NOT NULL,
    "version" BYTEA NOT NULL,
    "projectId" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "TemplateVersion_pkey" PRIMARY KEY ("templateId","version")
);

-- CreateTable
CREATE TABLE "Interaction" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "emailId" UUID NOT NULL,
    "type" "InteractionType" NOT NULL,
    "link" TEXT,
    "bot" BOOLEAN NOT NULL DEFAULT false,
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
CREATE TABLE "AuthAttempt" (
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,
    "windowStart" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuthAttempt_pkey" PRIMARY KEY ("key")
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
    "startedAt" TIMESTAMPTZ(3),
    "completedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WorkflowStepExecution_pkey" PRIMARY KEY ("id")
);

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
CREATE INDEX "EventDispatch_projectId_eventId_idx" ON "EventDispatch"("projectId", "eventId");

-- CreateIndex
CREATE INDEX "EventInterest_sourceId_idx" ON "EventInterest"("sourceId");

-- CreateIndex
CREATE INDEX "Member_userId_idx" ON "Member"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Invitation_tokenHash_key" ON "Invitation"("tokenHash");

-- CreateIndex
CREATE UNIQUE INDEX "Invitation_projectId_email_key" ON "Invitation"("projectId", "email");

-- CreateIndex
CREATE UNIQUE INDEX "Project_publicKeyHash_key" ON "Project"("publicKeyHash");

-- CreateIndex
CREATE UNIQUE INDEX "Project_secretKeyHash_key" ON "Project"("secretKeyHash");

-- CreateIndex
CREATE INDEX "Suspension_projectId_at_idx" ON "Suspension"("projectId", "at" DESC);

-- CreateIndex
CREATE INDEX "AuditLog_projectId_createdAt_idx" ON "AuditLog"("projectId", "createdAt" DESC);

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
CREATE INDEX "Delivery_projectId_priority_nextAttemptAt_emailId_idx" ON "Delivery"("projectId", "priority", "nextAttemptAt", "emailId");

-- CreateIndex
CREATE INDEX "DeliveryLease_projectId_idx" ON "DeliveryLease"("projectId");

-- CreateIndex
CREATE UNIQUE INDEX "Content_projectId_hash_key" ON "Content"("projectId", "hash");

-- CreateIndex
CREATE INDEX "Template_projectId_createdAt_idx" ON "Template"("projectId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Template_projectId_id_key" ON "Template"("projectId", "id");

-- CreateIndex
CREATE INDEX "Interaction_emailId_at_idx" ON "Interaction"("emailId", "at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE UNIQUE INDEX "AuthToken_tokenHash_key" ON "AuthToken"("tokenHash");

-- CreateIndex
CREATE INDEX "AuthToken_expiresAt_idx" ON "AuthToken"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "AuthToken_userId_kind_key" ON "AuthToken"("userId", "kind");

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
ALTER TABLE "Segment" ADD CONSTRAINT "Segment_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Template" ADD CONSTRAINT "Template_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuthToken" ADD CONSTRAINT "AuthToken_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Workflow" ADD CONSTRAINT "Workflow_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WorkflowStep" ADD CONSTRAINT "WorkflowStep_projectId_workflowId_fkey" FOREIGN KEY ("projectId", "workflowId") REFERENCES "Workflow"("projectId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WorkflowTransition" ADD CONSTRAINT "WorkflowTransition_projectId_workflowId_fkey" FOREIGN KEY ("projectId", "workflowId") REFERENCES "Workflow"("projectId", "id") ON DELETE CASCADE ON UPDATE CASCADE;
-- What Prisma's schema language cannot say: functions, partial, expression and GIN indexes, checks, storage settings.
-- The first migration contains this file; later changes come as migrations of their own and are repeated here.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits. PostgreSQL 15 has no uuidv7() of its own.
CREATE FUNCTION uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

-- Ends the statement that calls it: a data-modifying statement that finds at its end that a rule is broken stores nothing.
-- The text becomes the message of SQLSTATE PR001, which the accept statement's caller turns into an error of ours.
CREATE FUNCTION refuse(text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'PR001', MESSAGE = $1;
END $$;

-- Creates or updates contacts inside of a larger statement; contacts.store.ts says what it promises. A function and not a chain of
-- CTEs, because each of its statements looks with a snapshot of its own (what it waited for is seen), and because the one
-- recipient of nearly every request costs half as much this way.
CREATE FUNCTION upsert_contacts(project uuid, changes jsonb, default_subscribed boolean, flip_reason text)
RETURNS TABLE (
  "id" uuid, "email" text, "data" jsonb, "subscribed" boolean, "snoozedUntil" timestamptz, "createdAt" timestamptz,
  "updatedAt" timestamptz, "is_new" boolean, "flipped" boolean
) LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  address text;
  change jsonb;
  patch jsonb;
  wanted boolean;
  opt_out bytea;
BEGIN
  FOR address, change IN SELECT e."key", e."value" FROM jsonb_each(changes) e ORDER BY e."key" LOOP
    patch := change -> 'patch';
    wanted := (change ->> 'subscribed')::boolean;

    SELECT c."id", c."email", c."data", c."subscribed", c."snoozedUntil", c."createdAt", c."updatedAt", false, false
      INTO "id", "email", "data", "subscribed", "snoozedUntil", "createdAt", "updatedAt", "is_new", "flipped"
      FROM "Contact" c WHERE c."projectId" = project AND c."email" = address
      FOR KEY SHARE;
    IF FOUND AND jsonb_strip_nulls("data" || patch) = "data"
      AND (wanted IS NULL OR (wanted = "subscribed" AND "snoozedUntil" IS NULL))
    THEN
      RETURN NEXT;
      CONTINUE;
    END IF;

    opt_out := decode(change ->> 'optOut', 'hex');
    INSERT INTO "Contact" AS c ("id", "projectId", "email", "subscribed", "data")
    VALUES (
      (change ->> 'id')::uuid, project, address,
      coalesce(wanted, default_subscribed AND NOT EXISTS (
        SELECT FROM "OptOut" o WHERE o."projectId" = project AND o."addressHash" = opt_out)),
      jsonb_strip_nulls(patch)
    )
    ON CONFLICT ("projectId", "email") DO UPDATE SET
      "data" = jsonb_strip_nulls(c."data" || patch),
      "subscribed" = coalesce(wanted, c."subscribed"),
      -- Equal to now() must mean "flipped by this statement", even if another transaction began in the same microsecond.
      "subscriptionChangedAt" = CASE
        WHEN wanted <> c."subscribed" THEN now()
        WHEN c."subscriptionChangedAt" = now() THEN now() - interval '1 microsecond'
        ELSE c."subscriptionChangedAt"
      END,
      "snoozedUntil" = CASE WHEN wanted IS NULL THEN c."snoozedUntil" END,
      "updatedAt" = now()
    RETURNING c."id", c."email", c."data", c."subscribed", c."snoozedUntil", c."createdAt", c."updatedAt",
      c."id" = (change ->> 'id')::uuid, c."subscriptionChangedAt" IS NOT DISTINCT FROM now()
      INTO "id", "email", "data", "subscribed", "snoozedUntil", "createdAt", "updatedAt", "is_new", "flipped";

    -- PostgreSQL prints a blank after every colon and comma; compact JSON, which the limit of 64 KiB counts, has none.
    IF octet_length("data"::text) > 65536
      AND octet_length("data"::text) - 2 * (SELECT count(*) FROM jsonb_object_keys("data")) + 1 > 65536
    THEN
      PERFORM refuse('data_too_large:' || address);
    END IF;
    IF wanted THEN
      DELETE FROM "OptOut" o WHERE o."projectId" = project AND o."addressHash" = opt_out;
    END IF;
    IF "flipped" AND flip_reason IS NOT NULL THEN
      INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId")
      VALUES (uuid7(), project, 'SYSTEM', CASE WHEN "subscribed" THEN 'contact.subscribed' ELSE 'contact.unsubscribed' END,
        jsonb_build_object('reason', flip_reason), "id");
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- The outbox of events: whoever stores an event stores with it that something waits for it. A trigger, so that no writer can
-- forget it; it looks once per statement.
CREATE FUNCTION dispatch_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "EventDispatch" ("eventId", "projectId")
  SELECT e."id", e."projectId" FROM stored e
  WHERE e."kind" <> 'ACTIVITY' AND e."contactId" IS NOT NULL
    AND EXISTS (SELECT FROM "EventInterest" i WHERE i."projectId" = e."projectId" AND i."name" = e."name");
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_dispatch" AFTER INSERT ON "Event" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION dispatch_events();

-- Marks contacts whose change may move them in or out of a tracked segment. Above 10,000 contacts in one statement the segments
-- are marked stale instead: computing them whole is cheaper then.
CREATE SEQUENCE "TouchSeq";
CREATE FUNCTION touch_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "Segment" s WHERE s."trackMembership" AND s."type" = 'DYNAMIC'
    AND s."projectId" IN (SELECT c."projectId" FROM changed c)) THEN
    RETURN NULL;
  END IF;
  IF (SELECT count(*) FROM (SELECT FROM changed LIMIT 10001) c) > 10000 THEN
    UPDATE "Segment" s SET "stale" = true, "wakeSeq" = s."wakeSeq" + 1
    WHERE s."trackMembership" AND s."type" = 'DYNAMIC' AND s."projectId" IN (SELECT c."projectId" FROM changed c);
    RETURN NULL;
  END IF;
  INSERT INTO "TouchedContact" ("projectId", "contactId", "seq")
  SELECT c."projectId", c."id", nextval('"TouchSeq"') FROM changed c ORDER BY c."id"
  ON CONFLICT ("projectId", "contactId") DO UPDATE SET "seq" = EXCLUDED."seq";
  RETURN NULL;
END $$;
CREATE TRIGGER "Contact_inserted" AFTER INSERT ON "Contact" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION touch_contacts();
CREATE TRIGGER "Contact_updated" AFTER UPDATE ON "Contact" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION touch_contacts();

CREATE INDEX "Contact_email_trgm" ON "Contact" USING gin ("projectId", "email" gin_trgm_ops);
CREATE INDEX "Contact_data" ON "Contact" USING gin ("projectId", "data" jsonb_path_ops);
CREATE INDEX "Contact_snoozed" ON "Contact" ("snoozedUntil") WHERE "snoozedUntil" IS NOT NULL;

CREATE UNIQUE INDEX "Member_one_owner" ON "Member" ("projectId") WHERE "role" = 'OWNER';
CREATE INDEX "Project_deleted" ON "Project" ("deletedAt") WHERE "deletedAt" IS NOT NULL;

-- One email per contact and per address of a campaign, whatever is started twice.
CREATE UNIQUE INDEX "Email_campaign_contact" ON "Email" ("campaignId", "contactId") WHERE "campaignId" IS NOT NULL AND "contactId" IS NOT NULL;
CREATE UNIQUE INDEX "Email_campaign_address" ON "Email" ("campaignId", "toHash") WHERE "campaignId" IS NOT NULL;
CREATE UNIQUE INDEX "Email_step" ON "Email" ("workflowStepExecutionId") WHERE "workflowStepExecutionId" IS NOT NULL;
-- emails of a contact, email filters
CREATE INDEX "Email_contact" ON "Email" ("projectId", "contactId", "createdAt") WHERE "contactId" IS NOT NULL;
-- notifications name the provider's id
CREATE INDEX "Email_provider_id" ON "Email" ("messageId") WHERE "messageId" IS NOT NULL;

-- retention: bodies that were kept for their time; attachments alike
CREATE INDEX "Content_kept" ON "Content" ("createdAt") WHERE "body" IS NOT NULL AND "sourceType" IN ('TRANSACTIONAL', 'WORKFLOW', 'TEST');
CREATE INDEX "Blob_kept" ON "Blob" ("createdAt");
-- what a campaign still has open: closing, cancelling
CREATE INDEX "Delivery_campaign" ON "Delivery" ("campaignId") WHERE "campaignId" IS NOT NULL;
-- what a removed domain still has open
CREATE INDEX "Delivery_domain" ON "Delivery" ("domainId") WHERE "domainId" IS NOT NULL;
-- Every email is updated once or twice soon after it is written: room on its page keeps those updates out of the indexes.
ALTER TABLE "Email" SET (fillfactor = 50);
ALTER TABLE "Delivery" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "DeliveryLease" SET (fillfactor = 50);
ALTER TABLE "RateWindow" SET (fillfactor = 50);
ALTER TABLE "SendBucket" SET (fillfactor = 50);
ALTER TABLE "Outbox" SET (fillfactor = 50);
ALTER TABLE "CampaignCounter" SET (fillfactor = 50);
ALTER TABLE "TouchedContact" SET (fillfactor = 50);

-- reconcile: rows that nobody has looked at since they changed, or whose time has come
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
CREATE UNIQUE INDEX "Execution_active_once" ON "WorkflowExecution" ("workflowId", "contactId") WHERE "status" IN ('RUNNING', 'WAITING');
CREATE UNIQUE INDEX "Execution_single_entry" ON "WorkflowExecution" ("workflowId", "contactId") WHERE "singleEntry";
-- what a dispatched event may end: executions of a contact that wait
CREATE INDEX "Execution_waiting" ON "WorkflowExecution" ("projectId", "contactId") WHERE "status" = 'WAITING';
CREATE UNIQUE INDEX "WorkflowStep_one_trigger" ON "WorkflowStep" ("workflowId") WHERE "type" = 'TRIGGER';

ALTER TABLE "Contact" ADD CONSTRAINT "Contact_data_object" CHECK (jsonb_typeof("data") = 'object');
ALTER TABLE "Contact" ADD CONSTRAINT "Contact_email_normal" CHECK ("email" = lower("email") AND length("email") <= 254);
ALTER TABLE "Email" ADD CONSTRAINT "Email_failed_not_sent" CHECK ("status" <> 'FAILED' OR "sentAt" IS NULL);
ALTER TABLE "Job" ADD CONSTRAINT "Job_progress" CHECK ("progress" BETWEEN 0 AND 100);
