-- Emails by project, status, source and the quarter of an hour of their creation: entered in the transaction that changes them, so that no writer can omit it, as
-- rows that a job adds to "EmailTally". Both together always equal counting the rows of Email. SYSTEM email is not counted.
CREATE FUNCTION tally_inserted_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "EmailTallyEntry" ("projectId", "status", "at", "sourceType", "count")
  SELECT e."projectId", e."status", date_bin({{quarter}}, e."createdAt", 'epoch'), e."sourceType", count(*)
  FROM after e WHERE e."sourceType" <> 'SYSTEM' GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_inserted_tally" AFTER INSERT ON "Email" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION tally_inserted_emails();

CREATE FUNCTION tally_updated_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "EmailTallyEntry" ("projectId", "status", "at", "sourceType", "count")
  SELECT e."projectId", e."status", date_bin({{quarter}}, e."createdAt", 'epoch'), e."sourceType", sum(e.sign)
  FROM (
    SELECT 1 AS sign, "projectId", "status", "createdAt", "sourceType" FROM after
    UNION ALL SELECT -1, "projectId", "status", "createdAt", "sourceType" FROM before
  ) e
  WHERE e."sourceType" <> 'SYSTEM' GROUP BY 1, 2, 3, 4 HAVING sum(e.sign) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_updated_tally" AFTER UPDATE ON "Email" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION tally_updated_emails();

CREATE FUNCTION tally_deleted_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "EmailTallyEntry" ("projectId", "status", "at", "sourceType", "count")
  SELECT e."projectId", e."status", date_bin({{quarter}}, e."createdAt", 'epoch'), e."sourceType", -count(*)
  FROM before e WHERE e."sourceType" <> 'SYSTEM' GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_deleted_tally" AFTER DELETE ON "Email" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION tally_deleted_emails();
