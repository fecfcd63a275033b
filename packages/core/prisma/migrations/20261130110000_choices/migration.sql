-- Contacts with choices, which audiences count beside those without. Where there are many contacts, the background work of the log makes the index
-- beside running writes.
DO $migration$
BEGIN
  IF NOT EXISTS (SELECT FROM "Contact" OFFSET 50000 LIMIT 1) THEN
    CREATE INDEX "Contact_choices" ON "Contact" ("projectId") INCLUDE ("subscribed", "topicsOn", "topicsOff", "topicDefaults", "email")
      WHERE "topicsOn" <> '{}' OR "topicsOff" <> '{}' OR NOT "topicDefaults";
  END IF;
END $migration$;
