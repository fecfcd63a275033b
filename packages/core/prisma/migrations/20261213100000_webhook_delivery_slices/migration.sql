-- "WebhookDelivery" becomes a table of slices, as "Event" did (decision 111): the table as it is becomes the first slice, with its indexes. No row is
-- moved or read.
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

-- Statement triggers fire for the table that a statement names.
DO $$
DECLARE
  moved record;
BEGIN
  FOR moved IN SELECT t.tgname AS name, pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t
    WHERE t.tgrelid = '"WebhookDelivery_1"'::regclass AND NOT t.tgisinternal
  LOOP
    EXECUTE format('DROP TRIGGER %I ON "WebhookDelivery_1"', moved.name);
    EXECUTE replace(moved.definition, '"WebhookDelivery_1"', '"WebhookDelivery"');
  END LOOP;
END $$;
