ALTER TABLE "CampaignCounter" ADD COLUMN "refusedCount" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "FigureEntry" ADD COLUMN "refused" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Figure" ADD COLUMN "refused" INTEGER NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION count_updated_emails() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  g record;
  quarter timestamptz;
  changed boolean := (SELECT count(*) FROM after WHERE "unsubscribed") <> (SELECT count(*) FROM before WHERE "unsubscribed");
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
    changed := true;
    FOR quarter IN
      SELECT DISTINCT q FROM unnest(ARRAY[g.sent, g.delivered, g.opened, g.clicked, g.bounced, g.complained]) AS q WHERE q IS NOT NULL
    LOOP
      PERFORM add_email_counts(g."projectId", g."sourceType", quarter, ARRAY[
        g.emails * (g.sent IS NOT DISTINCT FROM quarter)::int, g.emails * (g.delivered IS NOT DISTINCT FROM quarter)::int,
        g.emails * (g.opened IS NOT DISTINCT FROM quarter)::int, g.emails * (g.clicked IS NOT DISTINCT FROM quarter)::int,
        g.emails * (g.bounced IS NOT DISTINCT FROM quarter)::int, g.emails * (g.complained IS NOT DISTINCT FROM quarter)::int]);
    END LOOP;
  END LOOP;
  -- A statement that changes no fact, such as one that erases addresses, moves nothing from one key to another.
  IF NOT changed THEN
    RETURN NULL;
  END IF;
  -- An opt-out has no time of its own; it happens in the statement that records it.
  INSERT INTO "FigureEntry" ("projectId", "at", "campaignId", "templateId", "stepId", "domain", "provider", "sent", "delivered", "opened",
    "clicked", "bounced", "refused", "complained", "unsubscribed")
  SELECT x."projectId", x."at", x."campaignId", x."templateId",
    (SELECT s."stepId" FROM "WorkflowStepExecution" s WHERE s."id" = x."workflowStepExecutionId"),
    (SELECT lower(split_part(c."from", '@', 2)) FROM "Content" c WHERE c."id" = x."contentId"),
    x.provider, x.sent, x.delivered, x.opened, x.clicked, x.bounced, x.refused, x.complained, x.unsubscribed
  FROM (
    SELECT h."projectId", f."at", h."campaignId", h."templateId", h."workflowStepExecutionId", h."contentId", h.provider,
      sum(h.emails * f.sent) AS sent, sum(h.emails * f.delivered) AS delivered, sum(h.emails * f.opened) AS opened,
      sum(h.emails * f.clicked) AS clicked, sum(h.emails * f.bounced) AS bounced,
      sum(h.emails * f.bounced * (h.sent IS NULL)::int) AS refused, sum(h.emails * f.complained) AS complained,
      sum(h.emails * f.unsubscribed) AS unsubscribed
    FROM (
      SELECT e."projectId", e."campaignId", e."templateId", e."workflowStepExecutionId", e."contentId", e.sent, e.delivered, e.opened,
        e.clicked, e.bounced, e.complained, e.unsubscribed, sum(e.sign) AS emails,
        coalesce((SELECT CASE WHEN coalesce(e.sent, now()) < m."since" THEN m."before" ELSE m."provider" END FROM "MailboxDomain" m
          WHERE m."domain" = e.host), 'other') AS provider
      FROM (
        SELECT 1 AS sign, "projectId", "sourceType", "campaignId", "templateId", "workflowStepExecutionId", "contentId",
          split_part("to", '@', 2) AS host,
          date_bin('15 minutes', "sentAt", 'epoch') AS sent, date_bin('15 minutes', "deliveredAt", 'epoch') AS delivered,
          date_bin('15 minutes', "openedAt", 'epoch') AS opened, date_bin('15 minutes', "clickedAt", 'epoch') AS clicked,
          date_bin('15 minutes', "bouncedAt", 'epoch') AS bounced, date_bin('15 minutes', "complainedAt", 'epoch') AS complained,
          CASE WHEN "unsubscribed" THEN date_bin('15 minutes', now(), 'epoch') END AS unsubscribed
        FROM after
        UNION ALL
        SELECT -1 AS sign, "projectId", "sourceType", "campaignId", "templateId", "workflowStepExecutionId", "contentId",
          split_part("to", '@', 2) AS host,
          date_bin('15 minutes', "sentAt", 'epoch') AS sent, date_bin('15 minutes', "deliveredAt", 'epoch') AS delivered,
          date_bin('15 minutes', "openedAt", 'epoch') AS opened, date_bin('15 minutes', "clickedAt", 'epoch') AS clicked,
          date_bin('15 minutes', "bouncedAt", 'epoch') AS bounced, date_bin('15 minutes', "complainedAt", 'epoch') AS complained,
          CASE WHEN "unsubscribed" THEN date_bin('15 minutes', now(), 'epoch') END AS unsubscribed
        FROM before
      ) e
      WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM')
        AND coalesce(e.sent, e.delivered, e.opened, e.clicked, e.bounced, e.complained, e.unsubscribed) IS NOT NULL
      GROUP BY e."projectId", e."campaignId", e."templateId", e."workflowStepExecutionId", e."contentId", e.host, e.sent, e.delivered,
        e.opened, e.clicked, e.bounced, e.complained, e.unsubscribed
      HAVING sum(e.sign) <> 0
    ) h
    CROSS JOIN LATERAL (VALUES (h.sent, 1, 0, 0, 0, 0, 0, 0), (h.delivered, 0, 1, 0, 0, 0, 0, 0), (h.opened, 0, 0, 1, 0, 0, 0, 0),
      (h.clicked, 0, 0, 0, 1, 0, 0, 0), (h.bounced, 0, 0, 0, 0, 1, 0, 0), (h.complained, 0, 0, 0, 0, 0, 1, 0),
      (h.unsubscribed, 0, 0, 0, 0, 0, 0, 1)) f("at", sent, delivered, opened, clicked, bounced, complained, unsubscribed)
    WHERE f."at" IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  ) x
  WHERE (x.sent, x.delivered, x.opened, x.clicked, x.bounced, x.refused, x.complained, x.unsubscribed) <> (0, 0, 0, 0, 0, 0, 0, 0);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_inserted_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_email_counts(NEW."projectId", NEW."sourceType", date_bin('15 minutes', t."at", 'epoch'), t.added)
  FROM (VALUES (NEW."sentAt", '{1,0,0,0,0,0}'::int[]), (NEW."deliveredAt", '{0,1,0,0,0,0}'), (NEW."openedAt", '{0,0,1,0,0,0}'),
    (NEW."clickedAt", '{0,0,0,1,0,0}'), (NEW."bouncedAt", '{0,0,0,0,1,0}'), (NEW."complainedAt", '{0,0,0,0,0,1}')) t("at", added)
  WHERE t."at" IS NOT NULL;
  INSERT INTO "FigureEntry" ("projectId", "at", "campaignId", "templateId", "stepId", "domain", "provider", "sent", "delivered", "opened",
    "clicked", "bounced", "refused", "complained")
  SELECT NEW."projectId", date_bin('15 minutes', f."at", 'epoch'), NEW."campaignId", NEW."templateId",
    (SELECT s."stepId" FROM "WorkflowStepExecution" s WHERE s."id" = NEW."workflowStepExecutionId"),
    (SELECT lower(split_part(c."from", '@', 2)) FROM "Content" c WHERE c."id" = NEW."contentId"),
    coalesce((SELECT CASE WHEN date_bin('15 minutes', coalesce(NEW."sentAt", now()), 'epoch') < m."since" THEN m."before" ELSE m."provider" END
      FROM "MailboxDomain" m WHERE m."domain" = split_part(NEW."to", '@', 2)), 'other'),
    f.sent, f.delivered, f.opened, f.clicked, f.bounced, f.bounced * (NEW."sentAt" IS NULL)::int, f.complained
  FROM (VALUES (NEW."sentAt", 1, 0, 0, 0, 0, 0), (NEW."deliveredAt", 0, 1, 0, 0, 0, 0), (NEW."openedAt", 0, 0, 1, 0, 0, 0),
    (NEW."clickedAt", 0, 0, 0, 1, 0, 0), (NEW."bouncedAt", 0, 0, 0, 0, 1, 0), (NEW."complainedAt", 0, 0, 0, 0, 0, 1))
    f("at", sent, delivered, opened, clicked, bounced, complained)
  WHERE f."at" IS NOT NULL;
  RETURN NULL;
END $$;

UPDATE "CampaignCounter" c SET "refusedCount" = r.refused
FROM (
  SELECT e."campaignId", count(*)::int AS refused FROM "Email" e
  WHERE e."campaignId" IN (SELECT "campaignId" FROM "CampaignCounter" WHERE "bouncedCount" > 0)
    AND e."bouncedAt" IS NOT NULL AND e."sentAt" IS NULL
  GROUP BY e."campaignId"
) r WHERE c."campaignId" = r."campaignId";

INSERT INTO "FigureEntry" ("projectId", "at", "campaignId", "templateId", "stepId", "domain", "provider", "refused")
SELECT e."projectId", date_bin('15 minutes', e."bouncedAt", 'epoch'), e."campaignId", e."templateId",
  (SELECT s."stepId" FROM "WorkflowStepExecution" s WHERE s."id" = e."workflowStepExecutionId"),
  (SELECT lower(split_part(c."from", '@', 2)) FROM "Content" c WHERE c."id" = e."contentId"),
  coalesce((SELECT CASE WHEN e."bouncedAt" < m."since" THEN m."before" ELSE m."provider" END FROM "MailboxDomain" m
    WHERE m."domain" = split_part(e."to", '@', 2)), 'other'),
  count(*)
FROM "Email" e
WHERE e."bouncedAt" IS NOT NULL AND e."sentAt" IS NULL AND e."sourceType" NOT IN ('TEST', 'SYSTEM')
GROUP BY 1, 2, 3, 4, 5, 6, 7;
