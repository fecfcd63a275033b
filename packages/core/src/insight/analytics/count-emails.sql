-- What emails did, by source, campaign, template, workflow step with its version, sender domain, mailbox provider, variant and tags, in quarters of an hour: entered in the
-- transaction that changes the emails, so that no writer can omit it, as rows that a job adds to "Figure". What entries and figures add up to
-- always equals counting the rows of Email; a row that another transaction writes is never waited for. A bounce of an email that was never
-- sent is also refused. TEST and SYSTEM email is not counted.
CREATE FUNCTION count_updated_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A statement that changes no fact, such as one that erases addresses, moves nothing from one key to another.
  IF (SELECT count(*) FROM after WHERE "unsubscribed") = (SELECT count(*) FROM before WHERE "unsubscribed") AND NOT EXISTS (
    SELECT FROM (
      SELECT 1 AS sign, "sentAt", "deliveredAt", "openedAt", "clickedAt", "bouncedAt", "complainedAt" FROM after
      UNION ALL SELECT -1, "sentAt", "deliveredAt", "openedAt", "clickedAt", "bouncedAt", "complainedAt" FROM before
    ) e
    GROUP BY e."sentAt", e."deliveredAt", e."openedAt", e."clickedAt", e."bouncedAt", e."complainedAt" HAVING sum(e.sign) <> 0
  ) THEN
    RETURN NULL;
  END IF;
  -- An opt-out has no time of its own; it happens in the statement that records it.
  INSERT INTO "FigureEntry" ("projectId", "at", "source", "campaignId", "templateId", "stepId", "version", "variant", "domain", "provider", "tags", "sent", "delivered",
    "opened", "clicked", "bounced", "refused", "complained", "unsubscribed")
  SELECT x."projectId", x."at", x."sourceType", x."campaignId", x."templateId",
    (SELECT s."stepId" FROM "WorkflowStepExecution" s WHERE s."id" = x."workflowStepExecutionId"),
    (SELECT s."version" FROM "WorkflowStepExecution" s WHERE s."id" = x."workflowStepExecutionId"), x."variant",
    (SELECT lower(split_part(c."from", '@', 2)) FROM "Content" c WHERE c."id" = x."contentId"),
    x.provider, x."tags", x.sent, x.delivered, x.opened, x.clicked, x.bounced, x.refused, x.complained, x.unsubscribed
  FROM (
    SELECT h."projectId", f."at", h."sourceType", h."campaignId", h."templateId", h."workflowStepExecutionId", h."contentId", h."variant", h.provider, h."tags",
      sum(h.emails * f.sent) AS sent, sum(h.emails * f.delivered) AS delivered, sum(h.emails * f.opened) AS opened,
      sum(h.emails * f.clicked) AS clicked, sum(h.emails * f.bounced) AS bounced,
      sum(h.emails * f.bounced * (h.sent IS NULL)::int) AS refused, sum(h.emails * f.complained) AS complained,
      sum(h.emails * f.unsubscribed) AS unsubscribed
    FROM (
      SELECT e."projectId", e."sourceType", e."campaignId", e."templateId", e."workflowStepExecutionId", e."contentId", e."variant", e."tags", e.sent, e.delivered,
        e.opened, e.clicked, e.bounced, e.complained, e.unsubscribed, sum(e.sign) AS emails,
        coalesce((SELECT CASE WHEN coalesce(e.sent, now()) < m."since" THEN m."before" ELSE m."provider" END FROM "MailboxDomain" m
          WHERE m."domain" = e.host), 'other') AS provider
      FROM (
        SELECT 1 AS sign, "projectId", "sourceType", "campaignId", "templateId", "workflowStepExecutionId", "contentId", "variant", "tags",
          split_part("to", '@', 2) AS host,
          date_bin({{quarter}}, "sentAt", 'epoch') AS sent, date_bin({{quarter}}, "deliveredAt", 'epoch') AS delivered,
          date_bin({{quarter}}, "openedAt", 'epoch') AS opened, date_bin({{quarter}}, "clickedAt", 'epoch') AS clicked,
          date_bin({{quarter}}, "bouncedAt", 'epoch') AS bounced, date_bin({{quarter}}, "complainedAt", 'epoch') AS complained,
          CASE WHEN "unsubscribed" THEN date_bin({{quarter}}, now(), 'epoch') END AS unsubscribed
        FROM after
        UNION ALL
        SELECT -1 AS sign, "projectId", "sourceType", "campaignId", "templateId", "workflowStepExecutionId", "contentId", "variant", "tags",
          split_part("to", '@', 2) AS host,
          date_bin({{quarter}}, "sentAt", 'epoch') AS sent, date_bin({{quarter}}, "deliveredAt", 'epoch') AS delivered,
          date_bin({{quarter}}, "openedAt", 'epoch') AS opened, date_bin({{quarter}}, "clickedAt", 'epoch') AS clicked,
          date_bin({{quarter}}, "bouncedAt", 'epoch') AS bounced, date_bin({{quarter}}, "complainedAt", 'epoch') AS complained,
          CASE WHEN "unsubscribed" THEN date_bin({{quarter}}, now(), 'epoch') END AS unsubscribed
        FROM before
      ) e
      WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM')
        AND coalesce(e.sent, e.delivered, e.opened, e.clicked, e.bounced, e.complained, e.unsubscribed) IS NOT NULL
      GROUP BY e."projectId", e."sourceType", e."campaignId", e."templateId", e."workflowStepExecutionId", e."contentId", e."variant", e."tags", e.host, e.sent, e.delivered,
        e.opened, e.clicked, e.bounced, e.complained, e.unsubscribed
      HAVING sum(e.sign) <> 0
    ) h
    CROSS JOIN LATERAL (VALUES (h.sent, 1, 0, 0, 0, 0, 0, 0), (h.delivered, 0, 1, 0, 0, 0, 0, 0), (h.opened, 0, 0, 1, 0, 0, 0, 0),
      (h.clicked, 0, 0, 0, 1, 0, 0, 0), (h.bounced, 0, 0, 0, 0, 1, 0, 0), (h.complained, 0, 0, 0, 0, 0, 1, 0),
      (h.unsubscribed, 0, 0, 0, 0, 0, 0, 1)) f("at", sent, delivered, opened, clicked, bounced, complained, unsubscribed)
    WHERE f."at" IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  ) x
  WHERE (x.sent, x.delivered, x.opened, x.clicked, x.bounced, x.refused, x.complained, x.unsubscribed) <> (0, 0, 0, 0, 0, 0, 0, 0);
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_updated_counts" AFTER UPDATE ON "Email" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_updated_emails();

-- Emails are inserted before they are sent, so this trigger runs for imported rows only and costs nothing for others.
CREATE FUNCTION count_inserted_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "FigureEntry" ("projectId", "at", "source", "campaignId", "templateId", "stepId", "version", "variant", "domain", "provider", "tags", "sent", "delivered",
    "opened", "clicked", "bounced", "refused", "complained")
  SELECT NEW."projectId", date_bin({{quarter}}, f."at", 'epoch'), NEW."sourceType", NEW."campaignId", NEW."templateId",
    (SELECT s."stepId" FROM "WorkflowStepExecution" s WHERE s."id" = NEW."workflowStepExecutionId"),
    (SELECT s."version" FROM "WorkflowStepExecution" s WHERE s."id" = NEW."workflowStepExecutionId"), NEW."variant",
    (SELECT lower(split_part(c."from", '@', 2)) FROM "Content" c WHERE c."id" = NEW."contentId"),
    coalesce((SELECT CASE WHEN date_bin({{quarter}}, coalesce(NEW."sentAt", now()), 'epoch') < m."since" THEN m."before" ELSE m."provider" END
      FROM "MailboxDomain" m WHERE m."domain" = split_part(NEW."to", '@', 2)), 'other'),
    NEW."tags", f.sent, f.delivered, f.opened, f.clicked, f.bounced, f.bounced * (NEW."sentAt" IS NULL)::int, f.complained
  FROM (VALUES (NEW."sentAt", 1, 0, 0, 0, 0, 0), (NEW."deliveredAt", 0, 1, 0, 0, 0, 0), (NEW."openedAt", 0, 0, 1, 0, 0, 0),
    (NEW."clickedAt", 0, 0, 0, 1, 0, 0), (NEW."bouncedAt", 0, 0, 0, 0, 1, 0), (NEW."complainedAt", 0, 0, 0, 0, 0, 1))
    f("at", sent, delivered, opened, clicked, bounced, complained)
  WHERE f."at" IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_inserted_counts" AFTER INSERT ON "Email" FOR EACH ROW
  WHEN (NEW."sourceType" NOT IN ('TEST', 'SYSTEM')
    AND coalesce(NEW."sentAt", NEW."deliveredAt", NEW."openedAt", NEW."clickedAt", NEW."bouncedAt", NEW."complainedAt") IS NOT NULL)
  EXECUTE FUNCTION count_inserted_email();
