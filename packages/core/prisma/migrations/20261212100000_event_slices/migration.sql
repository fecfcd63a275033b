-- "Event" becomes a table of slices, which are ranges of ids (decision 111). The table as it is becomes the first slice, with its indexes: no row is
-- moved or read.
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

-- Statement triggers fire for the table that a statement names.
DO $$
DECLARE
  moved record;
BEGIN
  FOR moved IN SELECT t.tgname AS name, pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t
    WHERE t.tgrelid = '"Event_1"'::regclass AND NOT t.tgisinternal
  LOOP
    EXECUTE format('DROP TRIGGER %I ON "Event_1"', moved.name);
    EXECUTE replace(moved.definition, '"Event_1"', '"Event"');
  END LOOP;
END $$;

-- Thresholds in rows: a share would be more and more of them.
ALTER TABLE "Event_1" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 200000, autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000);
