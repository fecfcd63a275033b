-- Billing: the usage of a project in a month, in emails by source. With billing off no counter exists and none of this runs.
-- Makes the counter of a month from the emails that it has already.
CREATE FUNCTION open_usage(project uuid, of_month date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "UsageCounter" u WHERE u."projectId" = project AND u."month" = of_month) THEN
    RETURN;
  END IF;
  INSERT INTO "UsageCounter" ("projectId", "month", "transactional", "campaigns", "workflows")
  SELECT project, of_month, coalesce(sum(e.size) FILTER (WHERE e."sourceType" = 'TRANSACTIONAL'), 0),
    coalesce(sum(e.size) FILTER (WHERE e."sourceType" = 'CAMPAIGN'), 0), coalesce(sum(e.size) FILTER (WHERE e."sourceType" = 'WORKFLOW'), 0)
  FROM (
    SELECT e."sourceType", CASE WHEN c."attachments" <> '[]' THEN 2 ELSE 1 END AS size
    FROM "Email" e LEFT JOIN "Content" c ON c."id" = e."contentId"
    WHERE e."projectId" = project AND e."createdAt" >= of_month::timestamp AT TIME ZONE 'UTC'
      AND e."createdAt" < (of_month + interval '1 month') AT TIME ZONE 'UTC' AND e."status" NOT IN ('FAILED', 'SKIPPED')
      AND NOT e."simulated" AND e."to" NOT LIKE {{simulated}}
      AND NOT EXISTS (SELECT FROM "Project" p WHERE p."id" = project AND p."environment" = 'TEST')
  ) e
  ON CONFLICT DO NOTHING;
END $$;

-- The usage of a month: its counter, what is not added to it yet, and what campaigns may still take.
CREATE FUNCTION usage_of(project uuid, of_month date) RETURNS TABLE ("transactional" int, "campaigns" int, "workflows" int)
LANGUAGE sql STABLE AS $$
  SELECT u."transactional" + coalesce(x."transactional", 0)::int,
    u."campaigns" + coalesce(x."campaigns", 0)::int + coalesce(r."quantity", 0)::int, u."workflows" + coalesce(x."workflows", 0)::int
  FROM "UsageCounter" u
  CROSS JOIN LATERAL (
    SELECT sum(e."quantity") FILTER (WHERE e."sourceType" = 'TRANSACTIONAL') AS "transactional",
      sum(e."quantity") FILTER (WHERE e."sourceType" = 'CAMPAIGN') AS "campaigns",
      sum(e."quantity") FILTER (WHERE e."sourceType" = 'WORKFLOW') AS "workflows"
    FROM "UsageEntry" e WHERE e."projectId" = project AND e."month" = of_month
  ) x
  CROSS JOIN LATERAL (
    SELECT sum(r."quantity") AS "quantity" FROM "UsageReservation" r JOIN "Campaign" c ON c."id" = r."campaignId"
    WHERE r."projectId" = project AND r."month" = of_month AND c."status" = 'SENDING' AND c."frozenAt" IS NULL
  ) r
  WHERE u."projectId" = project AND u."month" = of_month
$$;

-- Reserves usage of the present month for several requests, in their order: each is granted as a whole or not at all, and none ever
-- exceeds a cap. The counters stay locked until the transaction ends; they are locked in the order of their projects. With `kept` false
-- the caller keeps what was granted elsewhere. A test project is granted everything, and has no counters.
CREATE FUNCTION reserve_usage(projects uuid[], sources "EmailSource"[], quantities int[], kept boolean)
RETURNS TABLE ("n" int, "granted" boolean) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  this_month CONSTANT date := date_trunc('month', now() AT TIME ZONE 'UTC');
  project uuid;
  source "EmailSource";
  quantity int;
  used int[];
  added int[];
  caps int[];
  total_cap int;
  place int;
BEGIN
  FOR project IN SELECT DISTINCT p FROM unnest(projects) AS p ORDER BY p LOOP
    IF EXISTS (SELECT FROM "Project" p WHERE p."id" = project AND p."environment" = 'TEST') THEN
      RETURN QUERY SELECT r.n::int, true FROM unnest(projects) WITH ORDINALITY AS r(owner, n) WHERE r.owner = project ORDER BY r.n;
      CONTINUE;
    END IF;
    PERFORM open_usage(project, this_month);
    PERFORM FROM "UsageCounter" u WHERE u."projectId" = project AND u."month" = this_month FOR UPDATE;
    WITH gone AS (
      DELETE FROM "UsageEntry" e WHERE e."projectId" = project AND e."month" = this_month RETURNING e."sourceType", e."quantity"
    )
    UPDATE "UsageCounter" u SET "transactional" = u."transactional" + g.t, "campaigns" = u."campaigns" + g.c, "workflows" = u."workflows" + g.w
    FROM (
      SELECT coalesce(sum(gone."quantity") FILTER (WHERE gone."sourceType" = 'TRANSACTIONAL'), 0)::int AS t,
        coalesce(sum(gone."quantity") FILTER (WHERE gone."sourceType" = 'CAMPAIGN'), 0)::int AS c,
        coalesce(sum(gone."quantity") FILTER (WHERE gone."sourceType" = 'WORKFLOW'), 0)::int AS w
      FROM gone HAVING count(*) > 0
    ) g WHERE u."projectId" = project AND u."month" = this_month;
    SELECT ARRAY[u."transactional", u."campaigns", u."workflows"] INTO used FROM usage_of(project, this_month) u;
    SELECT ARRAY[p."billingLimitTransactional", p."billingLimitCampaigns", p."billingLimitWorkflows"],
        CASE WHEN p."subscription" IS NULL
          AND coalesce(p."billingLimitTransactional", p."billingLimitCampaigns", p."billingLimitWorkflows") IS NULL THEN {{freeEmails}} END
      INTO caps, total_cap FROM "Project" p WHERE p."id" = project;
    added := '{0,0,0}';
    FOR "n", source, quantity IN
      SELECT r.n, r.source, r.quantity FROM unnest(projects, sources, quantities) WITH ORDINALITY AS r(owner, source, quantity, n)
      WHERE r.owner = project ORDER BY r.n
    LOOP
      place := CASE source WHEN 'TRANSACTIONAL' THEN 1 WHEN 'CAMPAIGN' THEN 2 WHEN 'WORKFLOW' THEN 3 END;
      "granted" := quantity = 0 OR (
        (caps[place] IS NULL OR used[place] + added[place] + quantity <= caps[place])
        AND (total_cap IS NULL OR used[1] + used[2] + used[3] + added[1] + added[2] + added[3] + quantity <= total_cap));
      IF "granted" THEN
        added[place] := added[place] + quantity;
      END IF;
      RETURN NEXT;
    END LOOP;
    IF kept AND added <> '{0,0,0}' THEN
      UPDATE "UsageCounter" u SET "transactional" = u."transactional" + added[1], "campaigns" = u."campaigns" + added[2],
        "workflows" = u."workflows" + added[3]
      WHERE u."projectId" = project AND u."month" = this_month;
    END IF;
  END LOOP;
END $$;

-- Gives usage back when an email ends FAILED or SKIPPED, and takes it again when such an email is requeued. A trigger, so that no
-- writer can omit it.
CREATE FUNCTION return_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "UsageCounter") THEN
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM after WHERE "status" IN ('FAILED', 'SKIPPED') UNION ALL SELECT FROM before WHERE "status" IN ('FAILED', 'SKIPPED')) THEN
    RETURN NULL;
  END IF;
  INSERT INTO "UsageEntry" ("id", "projectId", "month", "sourceType", "quantity")
  SELECT uuid7(), x."projectId", x."month", x."sourceType", sum(x.emails * CASE WHEN c."attachments" <> '[]' THEN 2 ELSE 1 END)
  FROM (
    SELECT e."projectId", date_trunc('month', e."createdAt" AT TIME ZONE 'UTC')::date AS "month", e."sourceType", e."contentId",
      sum(e.sign) AS emails
    FROM (
      SELECT 1 AS sign, "projectId", "createdAt", "sourceType", "contentId" FROM after
      WHERE "status" NOT IN ('FAILED', 'SKIPPED') AND NOT "simulated" AND "to" NOT LIKE {{simulated}}
      UNION ALL
      SELECT -1, "projectId", "createdAt", "sourceType", "contentId" FROM before
      WHERE "status" NOT IN ('FAILED', 'SKIPPED') AND NOT "simulated" AND "to" NOT LIKE {{simulated}}
    ) e
    WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM') GROUP BY 1, 2, 3, 4 HAVING sum(e.sign) <> 0
  ) x LEFT JOIN "Content" c ON c."id" = x."contentId"
  WHERE EXISTS (SELECT FROM "UsageCounter" u WHERE u."projectId" = x."projectId" AND u."month" = x."month")
    AND NOT EXISTS (SELECT FROM "Project" p WHERE p."id" = x."projectId" AND p."environment" = 'TEST')
  GROUP BY 2, 3, 4;
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_usage" AFTER UPDATE ON "Email" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION return_usage();
