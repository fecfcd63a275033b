-- What Prisma's schema language cannot express of tables: partial, expression and GIN indexes, checks, generated columns, storage settings.
-- Functions and triggers are in the files of SQL beside the stores that they belong to. The first migration contains this file; a later
-- change needs a migration and is repeated here.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- the order of contacts that were touched, and of projects whose reputation is to be checked
CREATE SEQUENCE "TouchSeq";
-- the order of consent acts; what happened before there was a log is below all of them
CREATE SEQUENCE "ConsentSeq" START 1000000000000 MINVALUE 1;
CREATE SEQUENCE "ConsentHistorySeq";
ALTER TABLE "FigureEntry" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
ALTER TABLE "Figure" SET (fillfactor = 70);
ALTER TABLE "LinkFigure" SET (fillfactor = 70);
ALTER TABLE "StepFigureEntry" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
ALTER TABLE "EmailTallyEntry" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

-- Projects whose emails of before are not in the tallies yet, and tallies that a fold removes.
CREATE INDEX "Project_untallied" ON "Project" ("id") WHERE NOT "emailsTallied";
CREATE INDEX "EmailTally_empty" ON "EmailTally" ("projectId") WHERE "count" = 0;
ALTER TABLE "StepFigure" SET (fillfactor = 70);
-- steps that failed lately, of all projects
CREATE INDEX "StepFigure_failed" ON "StepFigure" ("at") WHERE "unit" = 'quarter' AND "failed" > 0;
-- executions of before there were figures
CREATE INDEX "Execution_uncounted" ON "WorkflowExecution" ("id") WHERE NOT "counted";
CREATE INDEX "StepExecution_uncounted" ON "WorkflowStepExecution" ("id") WHERE NOT "counted";

-- domains that wait for a lookup of their MX records, by the project that asked
CREATE INDEX "MailboxDomain_due" ON "MailboxDomain" ("requestedBy", "dueAt") WHERE "dueAt" IS NOT NULL;
ALTER TABLE "ContactCount" SET (fillfactor = 50);
ALTER TABLE "EventCount" SET (fillfactor = 50);
CREATE UNIQUE INDEX "Contact_externalId" ON "Contact" ("projectId", "externalId") WHERE "externalId" IS NOT NULL;
CREATE INDEX "Contact_email_trgm" ON "Contact" USING gin ("projectId", "email" gin_trgm_ops);
-- The names of contacts, in the words of names.store.ts; contacts without one are not in it.
CREATE INDEX "Contact_names" ON "Contact" USING gin ("projectId", array_to_tsvector(array_remove(regexp_split_to_array(lower(translate(regexp_replace(normalize(
  left(coalesce("data" ->> 'firstName', ''), 100) || ' ' || left(coalesce("data" ->> 'lastName', ''), 100) || ' ' || left(coalesce("data" ->> 'name', ''), 100), NFD),
  '[\u0300-\u036f]+', '', 'g'), 'ŁłØøĐđ', 'LlOoDd')), '\s+'), ''))) WHERE "data" ?| '{firstName,lastName,name}'::text[];

-- Search of emails (decision 025). Campaign email goes to the address of its contact, which has an index of its own; an index on the
-- recipient of every email would slow its insertion down. These are the emails whose recipient can be another one.
CREATE INDEX "Email_other_recipient" ON "Email" USING gin ("projectId", "to" gin_trgm_ops)
  WHERE "contactId" IS NULL OR "sourceType" = 'WORKFLOW' OR "readdressed" OR "toOther";
-- the recipients of a shared message
CREATE INDEX "Email_shared" ON "Email" ("sharedMessageId", "id") WHERE "sharedMessageId" IS NOT NULL;
CREATE INDEX "Content_subject_trgm" ON "Content" USING gin ("projectId", lower("subject") gin_trgm_ops);
CREATE INDEX "Contact_data" ON "Contact" USING gin ("projectId", "data" jsonb_path_ops);
CREATE INDEX "FieldDefinition_converting" ON "FieldDefinition" ("updatedAt") WHERE "converting";
CREATE INDEX "Contact_snoozed" ON "Contact" ("snoozedUntil") WHERE "snoozedUntil" IS NOT NULL;

-- Counted by status, for audiences and the overview, with the addresses for the suppressed ones among them.
CREATE INDEX "Contact_not_subscribed" ON "Contact" ("projectId", "createdAt", "id") INCLUDE ("snoozedUntil", "pendingUntil", "stated", "email")
  WHERE NOT "subscribed";

-- Contacts with choices: every other one receives what is IN by default.
CREATE INDEX "Contact_choices" ON "Contact" ("projectId") INCLUDE ("subscribed", "topicsOn", "topicsOff", "topicDefaults", "email")
  WHERE "topicsOn" <> '{}' OR "topicsOff" <> '{}' OR NOT "topicDefaults";

-- Consent. A deleted topic keeps its row and gives its key back.
CREATE UNIQUE INDEX "Topic_key" ON "Topic" ("projectId", "key") WHERE "deletedAt" IS NULL;
CREATE INDEX "ConsentAct_address" ON "ConsentAct" ("projectId", "addressHash", "seq") WHERE "contactId" IS NULL;
CREATE UNIQUE INDEX "ConsentAct_event" ON "ConsentAct" ("eventId") WHERE "eventId" IS NOT NULL;
ALTER TABLE "ConsentAct" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
CREATE INDEX "ConsentAct_left" ON "ConsentAct" ("recordedAt") WHERE "contactId" IS NOT NULL AND "action" = 'unsubscribe';
CREATE INDEX "ConsentAct_reduced" ON "ConsentAct" ("recordedAt") WHERE "contactId" IS NULL;
CREATE INDEX "SubscriptionRequest_closed" ON "SubscriptionRequest" ("closedAt") WHERE "closedAt" IS NOT NULL;
CREATE INDEX "SubscriptionRequest_open" ON "SubscriptionRequest" ("expiresAt") WHERE "status" = 'PENDING';
CREATE INDEX "SubscriptionRequest_form" ON "SubscriptionRequest" ("formId", "requestedAt") WHERE "formId" IS NOT NULL;
CREATE INDEX "SubscriptionRequest_unconfirmed" ON "SubscriptionRequest" ("expiresAt") WHERE "status" = 'EXPIRED' AND "madeContact";
ALTER TABLE "FormSubmission" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
ALTER TABLE "PublicAttempt" SET (fillfactor = 50);
CREATE INDEX "Erasure_running" ON "Erasure" ("requestedAt") WHERE "status" = 'RUNNING';
-- what names a topic, which keeps it from being deleted
CREATE INDEX "Template_topic" ON "Template" ("topicId") WHERE "topicId" IS NOT NULL;
CREATE INDEX "Campaign_topic" ON "Campaign" ("topicId") WHERE "topicId" IS NOT NULL;
-- sequels of a campaign
CREATE INDEX "Campaign_family" ON "Campaign" ("familyId") WHERE "familyId" IS NOT NULL;
CREATE INDEX "Content_topic" ON "Content" ("topicId") WHERE "topicId" IS NOT NULL;
CREATE INDEX "Blob_eraseAt" ON "Blob" ("eraseAt") WHERE "eraseAt" IS NOT NULL;
CREATE INDEX "CachedFigure_wanted" ON "CachedFigure" ("wantedAt") WHERE "wantedAt" IS NOT NULL;

-- only the texts that are still to be read
CREATE INDEX "Template_unread" ON "Template" ("projectId") WHERE "textReads" IS NULL;
CREATE INDEX "Campaign_unread" ON "Campaign" ("projectId") WHERE "textReads" IS NULL;
CREATE INDEX "WorkflowStep_unread" ON "WorkflowStep" ("projectId") WHERE "textReads" IS NULL;

-- Addresses that no email can be sent to, which an audience counts: the condition is that of `isInvalid` (mail/ledger/audience.store.ts).
CREATE INDEX "Contact_invalid" ON "Contact" ("projectId") WHERE "email" NOT LIKE '%_@_%._%' OR "email" LIKE '%@%@%'
  OR "email" <> translate("email", E' \t\n\r\f\v', '');
CREATE UNIQUE INDEX "Member_one_owner" ON "Member" ("projectId") WHERE "role" = 'OWNER';
CREATE INDEX "Project_deleted" ON "Project" ("deletedAt") WHERE "deletedAt" IS NOT NULL;

-- One email per contact and per address of a campaign, even if freezing runs twice.
CREATE UNIQUE INDEX "Email_campaign_address" ON "Email" ("campaignId", "toHash") WHERE "campaignId" IS NOT NULL;
-- The later one of the two: of a campaign that statistics do not know yet, the planner expects one row from either, and of indexes that cost
-- the same it takes the one created last. With the other one, a look-up by contact reads all emails of the campaign.
CREATE UNIQUE INDEX "Email_campaign_contact" ON "Email" ("campaignId", "contactId") WHERE "campaignId" IS NOT NULL AND "contactId" IS NOT NULL;
CREATE UNIQUE INDEX "Email_step" ON "Email" ("workflowStepExecutionId") WHERE "workflowStepExecutionId" IS NOT NULL;

-- emails of a contact, email filters
CREATE INDEX "Email_contact" ON "Email" ("projectId", "contactId", "createdAt") WHERE "contactId" IS NOT NULL;

-- emails of a template, and of an execution of a workflow
CREATE UNIQUE INDEX "Template_alias" ON "Template" ("projectId", "alias") WHERE "alias" IS NOT NULL;
CREATE INDEX "Email_template" ON "Email" ("projectId", "templateId", "createdAt") WHERE "templateId" IS NOT NULL;

-- Scheduled email: lists by its time, and whether a content is still to be kept. Email without a time has no entry.
CREATE INDEX "Email_scheduled" ON "Email" ("projectId", "scheduledAt", "id") WHERE "scheduledAt" IS NOT NULL;
CREATE INDEX "Email_scheduled_content" ON "Email" ("contentId", "scheduledAt") WHERE "scheduledAt" IS NOT NULL;

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

-- Emails to the simulator of this installation, whose addresses erasure clears.
CREATE INDEX "Email_simulated" ON "Email" ("projectId", "id") WHERE "simulated";

-- Refused and returned emails, by class (lists) and by the time of what was said (figures). No update of an email that was not refused changes
-- the column.
CREATE INDEX "Email_diagnosed" ON "Email" ("projectId", ("diagnosis" ->> 'class'), "createdAt", "id") WHERE "diagnosis" IS NOT NULL;
-- Emails without metadata have no entry.
CREATE INDEX "Email_metadata" ON "Email" USING gin ("projectId", "metadata" jsonb_path_ops) WHERE "metadata" IS NOT NULL;
CREATE INDEX "Email_diagnosed_at" ON "Email" ("projectId", ("diagnosis" ->> 'at')) WHERE "diagnosis" IS NOT NULL;

-- domains that only the local mailbox has verified
CREATE INDEX "Domain_local" ON "Domain" ("id") WHERE "verifiedBy" = 'LOCAL_MAILBOX';

-- suppressions that end
CREATE INDEX "Suppression_expiring" ON "Suppression" ("expiresAt") WHERE "expiresAt" IS NOT NULL;

-- retention: expired bodies and attachments
CREATE INDEX "Content_kept" ON "Content" ("createdAt") WHERE "body" IS NOT NULL AND "sourceType" IN ('TRANSACTIONAL', 'WORKFLOW', 'TEST');

-- email of the platform: bodies to clear, and ciphertexts in the order in which a rotation reads them
CREATE INDEX "Content_system" ON "Content" ("createdAt", "id") WHERE "sourceType" = 'SYSTEM' AND ("body" IS NOT NULL OR "sealedBody" IS NOT NULL);
CREATE INDEX "Content_sealed" ON "Content" ("id") WHERE "sealedBody" IS NOT NULL;
CREATE INDEX "ProjectRemoval_open" ON "ProjectRemoval" ("projectId") WHERE "completedAt" IS NULL;
CREATE INDEX "Blob_kept" ON "Blob" ("keptUntil");

-- The claim: oldest due first within the first attempts, and within the retries, of a priority.
CREATE INDEX "DeliveryBatch_waiting" ON "DeliveryBatch" ("projectId", "priority", "again", "nextAttemptAt", "id") WHERE "token" IS NULL AND NOT "held";
-- where claims begin while an old snapshot is held
CREATE INDEX "SendBucket_places" ON "SendBucket" ("projectId") WHERE "claimFromUntil" IS NOT NULL;

-- email of paused campaigns, and of those with a pace before its turn, which is in the way of no claim
CREATE INDEX "DeliveryBatch_paused" ON "DeliveryBatch" ("projectId", "campaignId", "id") WHERE "held";
CREATE INDEX "Campaign_paced" ON "Campaign" ("id") WHERE ("perHour" IS NOT NULL OR "careful") AND "status" = 'SENDING';
CREATE INDEX "Campaign_paused" ON "Campaign" ("pausedAt") WHERE "pausedAt" IS NOT NULL;

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
ALTER TABLE "CampaignSkip" SET (fillfactor = 50);
ALTER TABLE "TouchedContact" SET (fillfactor = 50);
-- the head of its index by time is taken again and again
ALTER TABLE "SegmentDue" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

ALTER TABLE "ContactLimit" SET (fillfactor = 50);

-- reconcile: slots that were given back while emails waited, and projects whose limits have changed
CREATE INDEX "ContactLimit_freed" ON "ContactLimit" ("freedAt") WHERE "freedAt" IS NOT NULL;
CREATE INDEX "Project_limitsChanged" ON "Project" ("limitsChangedAt") WHERE "limitsChangedAt" IS NOT NULL;

-- reconcile: rows with an unprocessed signal, and rows that are due
CREATE INDEX "Campaign_unseen" ON "Campaign" ("updatedAt") WHERE "wakeSeq" > "seenSeq";
CREATE INDEX "Campaign_due" ON "Campaign" ("scheduledFor") WHERE "status" = 'SCHEDULED';
CREATE INDEX "Campaign_sending" ON "Campaign" ("updatedAt") WHERE "status" = 'SENDING';
CREATE INDEX "Domain_unseen" ON "Domain" ("updatedAt") WHERE "wakeSeq" > "seenSeq";
CREATE INDEX "Domain_due" ON "Domain" ("nextCheckAt") WHERE "nextCheckAt" IS NOT NULL;
CREATE INDEX "Segment_due" ON "Segment" ("nextComputeAt") WHERE "nextComputeAt" IS NOT NULL;
CREATE INDEX "Segment_tracked" ON "Segment" ("projectId") WHERE "trackMembership" AND "type" = 'DYNAMIC';
CREATE INDEX "Segment_unseen" ON "Segment" ("updatedAt") WHERE "wakeSeq" > "seenSeq";
CREATE INDEX "Job_finished" ON "Job" ("completedAt") WHERE "completedAt" IS NOT NULL;
CREATE INDEX "Job_open" ON "Job" ("createdAt") WHERE "state" IN ('waiting', 'active');

-- Two goals that count have different names. Deleted ones are those whose conversions the sweep still removes.
CREATE UNIQUE INDEX "Goal_name" ON "Goal" ("projectId", "name") WHERE NOT "archived" AND "deletedAt" IS NULL;
CREATE INDEX "Goal_deleted" ON "Goal" ("id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "Campaign_goal" ON "Campaign" ("goalId") WHERE "goalId" IS NOT NULL;
-- Reading who converted of a campaign takes no look at the rows.
CREATE INDEX "RecipientConversion_campaign" ON "RecipientConversion" ("campaignId", "goalId") INCLUDE ("heldOut", "value");
CREATE INDEX "Conversion_contact" ON "Conversion" ("contactId") WHERE "contactId" IS NOT NULL;
-- versions whose executions events may end
CREATE INDEX "WorkflowVersion_ends" ON "WorkflowVersion" ("projectId") WHERE "ends" <> '{}';

-- Executions. Every write of a set pays for every index. The queue begins with the shard of the project, so that one look steps through
-- the projects and workflows in which something is due.
CREATE INDEX "Execution_queue" ON "WorkflowExecution" ((get_byte(uuid_send("projectId"), 15) & 15), "projectId", "workflowId", "dueAt", "id") WHERE "dueAt" IS NOT NULL;
-- one active execution of a contact in a workflow, and those that an event of the contact may wake
CREATE UNIQUE INDEX "Execution_active" ON "WorkflowExecution" ("contactId", "workflowId") WHERE "status" IN ('RUNNING', 'WAITING');
-- failed executions of a workflow, in the order in which they failed
CREATE INDEX "Execution_failed" ON "WorkflowExecution" ("workflowId", "completedAt", "id") WHERE "status" = 'FAILED';
CREATE INDEX "Execution_at_step" ON "WorkflowExecution" ("workflowId", "currentStepId", "id") WHERE "status" IN ('RUNNING', 'WAITING');
-- executions that an event started
CREATE INDEX "Execution_source_event" ON "WorkflowExecution" ("sourceEventId") WHERE "sourceEventId" IS NOT NULL;
ALTER TABLE "WorkflowStepExecution" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE "WorkflowEntry" SET (fillfactor = 80);
ALTER TABLE "StepRequest" SET (fillfactor = 50);
CREATE INDEX "Workflow_cancelling" ON "Workflow" ("id") WHERE "cancelling";
CREATE UNIQUE INDEX "Workflow_alias" ON "Workflow" ("projectId", "alias") WHERE "alias" IS NOT NULL;
-- workflows that wait for new contacts or dates: each statement that writes contacts looks for those of its projects
CREATE INDEX "Workflow_waits_for_contacts" ON "Workflow" ("projectId") WHERE "enabled" AND ("contactSources" <> '{}' OR "dateField" IS NOT NULL);
CREATE INDEX "Workflow_dates" ON "Workflow" ("id") WHERE "enabled" AND "dateField" IS NOT NULL;

-- ids of steps in all definitions: an id is one step for good
CREATE INDEX "WorkflowVersion_steps" ON "WorkflowVersion" USING gin ("steps");
CREATE INDEX "WorkflowDraft_steps" ON "WorkflowDraft" USING gin ("steps");
CREATE UNIQUE INDEX "WorkflowStep_one_trigger" ON "WorkflowStep" ("workflowId") WHERE "type" = 'TRIGGER';
ALTER TABLE "Contact" ADD CONSTRAINT "Contact_data_object" CHECK (jsonb_typeof("data") = 'object');
ALTER TABLE "Contact" ADD CONSTRAINT "Contact_email_normal" CHECK ("email" = lower("email") AND length("email") <= 254);
ALTER TABLE "Email" ADD CONSTRAINT "Email_failed_not_sent" CHECK ("status" <> 'FAILED' OR "sentAt" IS NULL);
ALTER TABLE "Job" ADD CONSTRAINT "Job_progress" CHECK ("progress" BETWEEN 0 AND 100);
ALTER TABLE "Installation" ADD CONSTRAINT "Installation_one" CHECK ("id" = 1);
ALTER TABLE "Installation" ADD CONSTRAINT "Installation_hold" CHECK ("hold" IN ('all', 'marketing'));
ALTER TABLE "RecipientLog" ALTER COLUMN "emailIds" SET STORAGE EXTERNAL;

-- what is told of copies, which belongs to no contact
CREATE INDEX "Event_copy" ON "Event" ("emailId") WHERE "emailId" IS NOT NULL AND "contactId" IS NULL;

-- activity feed of one type: the events of customers and segments, whose names are not fixed
CREATE INDEX "Event_triggered" ON "Event" ("projectId", "createdAt", "id") WHERE "kind" = 'CUSTOM' OR "name" LIKE 'segment.%';

ALTER TABLE "UsageCounter" SET (fillfactor = 50);
ALTER TABLE "SendRamp" SET (fillfactor = 50);

-- payment notifications name a customer or a subscription
-- What was done to one record.
CREATE INDEX "AuditLog_target" ON "AuditLog" ("projectId", "targetId", "createdAt") WHERE "targetId" IS NOT NULL;
CREATE INDEX "Project_customer" ON "Project" ("customer") WHERE "customer" IS NOT NULL;
CREATE INDEX "Project_subscription" ON "Project" ("subscription") WHERE "subscription" IS NOT NULL;

-- deliveries of webhooks that are due, per endpoint; those of a contact, which are erased with it
CREATE INDEX "WebhookDelivery_due" ON "WebhookDelivery" ("endpointId", "nextAttemptAt") WHERE "status" = 'PENDING';
CREATE INDEX "WebhookDelivery_copy" ON "WebhookDelivery" ("copyId") WHERE "copyId" IS NOT NULL;
CREATE INDEX "WebhookDelivery_contact" ON "WebhookDelivery" ("contactId") WHERE "contactId" IS NOT NULL;

-- Statistics of tables that all projects share: an analysis after a share of a whole table would leave a new project unknown for days.
ALTER TABLE "Contact" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "Email" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "WorkflowExecution" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "WorkflowExecution" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

-- What is written to be sent. The size of a design as stored is known only after the triggers of its insertion, and reading it as text takes
-- time, so that a column has the sum: an update that changes none of the texts keeps it. A function is planned for each of its triggers.
ALTER TABLE "Template" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("text"), 0) + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "TemplateVersion" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("text"), 0) + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "Campaign" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("text"), 0) + coalesce(octet_length("design"::text), 0)
    + coalesce(octet_length("test"::text), 0)) STORED;
ALTER TABLE "SavedBlock" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;

-- Entries come and go by the minute.
ALTER TABLE "StorageEntry" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- Clicks that wait to be judged, and those that are no longer looked at. They come and go by the second.
CREATE INDEX "RecentClick_due" ON "RecentClick" ("at") WHERE NOT "judged";
CREATE INDEX "RecentClick_judged" ON "RecentClick" ("at") WHERE "judged";
ALTER TABLE "RecentClick" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- The request log (behaviour B11.9): tables by day of UTC, which the processes that write them attach and the retention drops. They belong to
-- no other table and are written with asynchronous commits.
CREATE TABLE "RequestEntry" (
  "id" uuid NOT NULL,
  "projectId" uuid NOT NULL,
  "at" timestamptz(3) NOT NULL,
  "door" text NOT NULL,
  "method" text NOT NULL,
  "path" text NOT NULL,
  "operation" text,
  "status" smallint NOT NULL,
  "code" text,
  "durationMs" integer NOT NULL,
  "keyType" text NOT NULL,
  "keyId" uuid,
  "keyName" text,
  "keyPrefix" text NOT NULL,
  "ip" text,
  "userAgent" text,
  "requestId" text NOT NULL,
  "dryRun" boolean NOT NULL,
  "request" json,
  "response" json,
  "emailIds" uuid[] NOT NULL,
  "alike" integer NOT NULL,
  PRIMARY KEY ("id", "at")
) PARTITION BY RANGE ("at");
CREATE INDEX "RequestEntry_list" ON "RequestEntry" ("projectId", "at" DESC, "id" DESC);
CREATE INDEX "RequestEntry_emails" ON "RequestEntry" USING gin ("emailIds");

-- Requests by quarter of an hour. `durations` has how many took how long: numbers of requests by steps of the fourth root of 2.
CREATE TABLE "RequestCount" (
  "projectId" uuid NOT NULL,
  "at" timestamptz(3) NOT NULL,
  "operation" text NOT NULL,
  "status" smallint NOT NULL,
  "code" text NOT NULL,
  "count" integer NOT NULL,
  "durations" jsonb NOT NULL,
  PRIMARY KEY ("projectId", "at", "operation", "status", "code")
) PARTITION BY RANGE ("at");

CREATE UNIQUE INDEX "Approval_waits" ON "Approval" ("projectId", "actorId", "hash") WHERE "status" = 'PENDING' AND "input" IS NOT NULL;
CREATE INDEX "Approval_running" ON "Approval" ("decidedAt") WHERE "status" = 'RUNNING';
CREATE UNIQUE INDEX "Approval_campaign_waits" ON "Approval" ("campaignId") WHERE "status" = 'PENDING' AND "input" IS NULL;
CREATE INDEX "Approval_of_campaign" ON "Approval" ("campaignId", "createdAt" DESC, "id" DESC) WHERE "input" IS NULL;

-- Tables of slices, which are ranges of ids (decision 111). The settings of slices are those of base/slices/slices.rules.ts.
ALTER TABLE "Event" RENAME TO "Event_1";
ALTER INDEX "Event_pkey" RENAME TO "Event_1_pkey";
ALTER INDEX "Event_projectId_createdAt_id_idx" RENAME TO "Event_1_projectId_createdAt_id_idx";
ALTER INDEX "Event_contactId_name_createdAt_idx" RENAME TO "Event_1_contactId_name_createdAt_idx";
ALTER INDEX "Event_projectId_name_createdAt_idx" RENAME TO "Event_1_projectId_name_createdAt_idx";
ALTER INDEX "Event_copy" RENAME TO "Event_1_copy";
ALTER INDEX "Event_triggered" RENAME TO "Event_1_triggered";
CREATE TABLE "Event" (LIKE "Event_1" INCLUDING DEFAULTS, CONSTRAINT "Event_pkey" PRIMARY KEY ("id")) PARTITION BY RANGE ("id");
CREATE INDEX "Event_projectId_createdAt_id_idx" ON "Event" ("projectId", "createdAt", "id");
CREATE INDEX "Event_projectId_name_createdAt_idx" ON "Event" ("projectId", "name", "createdAt");
CREATE INDEX "Event_triggered" ON "Event" ("projectId", "createdAt", "id") WHERE "kind" = 'CUSTOM' OR "name" LIKE 'segment.%';
CREATE INDEX "Event_copy" ON "Event" ("emailId") WHERE "emailId" IS NOT NULL AND "contactId" IS NULL;
-- The last one, and so in each slice: without statistics the planner expects as much from the index by name, and takes the one created last.
CREATE INDEX "Event_contactId_name_createdAt_idx" ON "Event" ("contactId", "name", "createdAt");
ALTER TABLE "Event" ATTACH PARTITION "Event_1" FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
ALTER TABLE "Event_1" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 200000, autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000);
ALTER TABLE "WebhookDelivery" RENAME TO "WebhookDelivery_1";
ALTER INDEX "WebhookDelivery_pkey" RENAME TO "WebhookDelivery_1_pkey";
ALTER INDEX "WebhookDelivery_endpointId_createdAt_id_idx" RENAME TO "WebhookDelivery_1_endpointId_createdAt_id_idx";
ALTER INDEX "WebhookDelivery_createdAt_idx" RENAME TO "WebhookDelivery_1_createdAt_idx";
ALTER INDEX "WebhookDelivery_due" RENAME TO "WebhookDelivery_1_due";
ALTER INDEX "WebhookDelivery_contact" RENAME TO "WebhookDelivery_1_contact";
ALTER INDEX "WebhookDelivery_copy" RENAME TO "WebhookDelivery_1_copy";
CREATE TABLE "WebhookDelivery" (LIKE "WebhookDelivery_1" INCLUDING DEFAULTS, CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")) PARTITION BY RANGE ("id");
CREATE INDEX "WebhookDelivery_createdAt_idx" ON "WebhookDelivery" ("createdAt");
CREATE INDEX "WebhookDelivery_contact" ON "WebhookDelivery" ("contactId") WHERE "contactId" IS NOT NULL;
CREATE INDEX "WebhookDelivery_copy" ON "WebhookDelivery" ("copyId") WHERE "copyId" IS NOT NULL;
CREATE INDEX "WebhookDelivery_endpointId_createdAt_id_idx" ON "WebhookDelivery" ("endpointId", "createdAt", "id");
-- The last one, and so in each slice: of two indexes that cost as much, the planner takes the one created last. This one has the few that wait.
CREATE INDEX "WebhookDelivery_due" ON "WebhookDelivery" ("endpointId", "nextAttemptAt") WHERE "status" = 'PENDING';
ALTER TABLE "WebhookDelivery" ATTACH PARTITION "WebhookDelivery_1" FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
