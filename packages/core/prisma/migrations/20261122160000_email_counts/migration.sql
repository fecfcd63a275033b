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
CREATE INDEX "EmailCount_projectId_at_sourceType_idx" ON "EmailCount"("projectId", "at", "sourceType");

-- How many emails reached which state in which quarter of an hour. Triggers write it, so that no writer can omit it; what they add
-- up to always equals counting the rows of Email. A row that another transaction is updating is not waited for: the counts go into
-- another row of the same quarter of an hour. So there are as many rows as transactions that wrote at the same time, and reads add
-- them up. TEST and SYSTEM email is not counted.
CREATE FUNCTION add_email_counts(project uuid, source "EmailSource", quarter timestamptz, added int[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free uuid;
BEGIN
  SELECT c."id" INTO free FROM "EmailCount" c
    WHERE c."projectId" = project AND c."at" = quarter AND c."sourceType" = source LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE "EmailCount" c SET "sent" = c."sent" + added[1], "delivered" = c."delivered" + added[2], "opened" = c."opened" + added[3],
      "clicked" = c."clicked" + added[4], "bounced" = c."bounced" + added[5], "complained" = c."complained" + added[6]
    WHERE c."id" = free;
  ELSE
    INSERT INTO "EmailCount" ("id", "projectId", "sourceType", "at", "sent", "delivered", "opened", "clicked", "bounced", "complained")
    VALUES (uuid7(), project, source, quarter, added[1], added[2], added[3], added[4], added[5], added[6]);
  END IF;
END $$;

-- The emails of one statement have few different times, so they are grouped before their times are taken apart.
CREATE FUNCTION count_updated_emails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  g record;
  quarter timestamptz;
BEGIN
  FOR g IN
    SELECT e."projectId", e."sourceType", e.sent, e.delivered, e.opened, e.clicked, e.bounced, e.complained, sum(e.sign)::int AS emails
    FROM (
      SELECT 1 AS sign, "projectId", "sourceType",
        date_bin('15 minutes', "sentAt", 'epoch') AS sent, date_bin('15 minutes', "deliveredAt", 'epoch') AS delivered,
        date_bin('15 minutes', "openedAt", 'epoch') AS opened, date_bin('15 minutes', "clickedAt", 'epoch') AS clicked,
        date_bin('15 minutes', "bouncedAt", 'epoch') AS bounced, date_bin('15 minutes', "complainedAt", 'epoch') AS complained
      FROM after
      UNION ALL
      SELECT -1 AS sign, "projectId", "sourceType",
        date_bin('15 minutes', "sentAt", 'epoch') AS sent, date_bin('15 minutes', "deliveredAt", 'epoch') AS delivered,
        date_bin('15 minutes', "openedAt", 'epoch') AS opened, date_bin('15 minutes', "clickedAt", 'epoch') AS clicked,
        date_bin('15 minutes', "bouncedAt", 'epoch') AS bounced, date_bin('15 minutes', "complainedAt", 'epoch') AS complained
      FROM before
    ) e
    WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM')
      AND coalesce(e.sent, e.delivered, e.opened, e.clicked, e.bounced, e.complained) IS NOT NULL
    GROUP BY e."projectId", e."sourceType", e.sent, e.delivered, e.opened, e.clicked, e.bounced, e.complained
    HAVING sum(e.sign) <> 0
  LOOP
    FOR quarter IN
      SELECT DISTINCT q FROM unnest(ARRAY[g.sent, g.delivered, g.opened, g.clicked, g.bounced, g.complained]) AS q WHERE q IS NOT NULL
    LOOP
      PERFORM add_email_counts(g."projectId", g."sourceType", quarter, ARRAY[
        g.emails * (g.sent IS NOT DISTINCT FROM quarter)::int, g.emails * (g.delivered IS NOT DISTINCT FROM quarter)::int,
        g.emails * (g.opened IS NOT DISTINCT FROM quarter)::int, g.emails * (g.clicked IS NOT DISTINCT FROM quarter)::int,
        g.emails * (g.bounced IS NOT DISTINCT FROM quarter)::int, g.emails * (g.complained IS NOT DISTINCT FROM quarter)::int]);
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_updated_counts" AFTER UPDATE ON "Email" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_updated_emails();

-- Emails are inserted before they are sent, so this trigger runs for imported rows only and costs nothing for others.
CREATE FUNCTION count_inserted_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_email_counts(NEW."projectId", NEW."sourceType", date_bin('15 minutes', t."at", 'epoch'), t.added)
  FROM (VALUES (NEW."sentAt", '{1,0,0,0,0,0}'::int[]), (NEW."deliveredAt", '{0,1,0,0,0,0}'), (NEW."openedAt", '{0,0,1,0,0,0}'),
    (NEW."clickedAt", '{0,0,0,1,0,0}'), (NEW."bouncedAt", '{0,0,0,0,1,0}'), (NEW."complainedAt", '{0,0,0,0,0,1}')) t("at", added)
  WHERE t."at" IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_inserted_counts" AFTER INSERT ON "Email" FOR EACH ROW
  WHEN (NEW."sourceType" NOT IN ('TEST', 'SYSTEM')
    AND coalesce(NEW."sentAt", NEW."deliveredAt", NEW."openedAt", NEW."clickedAt", NEW."bouncedAt", NEW."complainedAt") IS NOT NULL)
  EXECUTE FUNCTION count_inserted_email();

ALTER TABLE "EmailCount" SET (fillfactor = 50);

-- The emails that exist. Creating the triggers has locked the table against writers until this migration ends.
INSERT INTO "EmailCount" ("id", "projectId", "sourceType", "at", "sent", "delivered", "opened", "clicked", "bounced", "complained")
SELECT uuid7(), e."projectId", e."sourceType", date_bin('15 minutes', f."at", 'epoch'), sum(f.sent), sum(f.delivered), sum(f.opened),
  sum(f.clicked), sum(f.bounced), sum(f.complained)
FROM "Email" e
CROSS JOIN LATERAL (VALUES (e."sentAt", 1, 0, 0, 0, 0, 0), (e."deliveredAt", 0, 1, 0, 0, 0, 0), (e."openedAt", 0, 0, 1, 0, 0, 0),
  (e."clickedAt", 0, 0, 0, 1, 0, 0), (e."bouncedAt", 0, 0, 0, 0, 1, 0), (e."complainedAt", 0, 0, 0, 0, 0, 1))
  f("at", sent, delivered, opened, clicked, bounced, complained)
WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM') AND f."at" IS NOT NULL
GROUP BY 2, 3, 4;
