-- The daily caps of new projects (behaviour B8.1). With NEW_PROJECT_RAMP unset no row exists and none of this runs.
-- Reserves emails of the present day (UTC) for several requests, in their order: each is granted as a whole, or refused with a text that
-- names the cap. Like reserve_usage, it keeps the rows of the projects locked until the transaction ends, in the order of their ids.
-- A test project has no cap.
-- The first reservation of a day doubles the cap, unless too many emails since the day of the last one bounced or were complained about.
-- `ramp` has `firstCap`, `growths` (after which nothing is capped), and for `bounces` and `complaints` the `least` number and `percent`
-- from which the cap stays. What is `latest` on a later day is refused while the project is capped: the allowances of many days could leave at once.
CREATE FUNCTION reserve_ramp(projects uuid[], quantities int[], kept boolean, ramp jsonb, latest timestamptz[] DEFAULT NULL)
RETURNS TABLE ("n" int, "refusal" text) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  today CONSTANT date := (now() AT TIME ZONE 'UTC')::date;
  growths CONSTANT int := (ramp ->> 'growths')::int;
  project uuid;
  quantity int;
  stage "SendRamp";
  cap bigint;
BEGIN
  FOR project IN SELECT DISTINCT p FROM unnest(projects) AS p ORDER BY p LOOP
    IF EXISTS (SELECT FROM "Project" p WHERE p."id" = project AND p."environment" = 'TEST') THEN
      RETURN QUERY SELECT r.n::int, NULL FROM unnest(projects) WITH ORDINALITY AS r(owner, n) WHERE r.owner = project ORDER BY r.n;
      CONTINUE;
    END IF;
    SELECT * INTO stage FROM "SendRamp" s WHERE s."projectId" = project;
    IF NOT FOUND THEN
      -- A project that has sent before today was there before the setting.
      INSERT INTO "SendRamp" ("projectId", "day", "growth", "used")
      SELECT project, today,
        CASE WHEN EXISTS (SELECT FROM "Email" e WHERE e."projectId" = project AND e."createdAt" < today::timestamp AT TIME ZONE 'UTC'
          AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AND NOT e."simulated" AND e."to" NOT LIKE {{simulated}})
          OR EXISTS (SELECT FROM "ExpiredEmails" x WHERE x."projectId" = project) THEN growths ELSE 0 END,
        (SELECT count(*) FROM "Email" e WHERE e."projectId" = project AND e."createdAt" >= today::timestamp AT TIME ZONE 'UTC'
          AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AND NOT e."simulated" AND e."to" NOT LIKE {{simulated}} AND e."status" NOT IN ('FAILED', 'SKIPPED'))
      ON CONFLICT DO NOTHING;
    END IF;
    SELECT * INTO stage FROM "SendRamp" s WHERE s."projectId" = project AND s."growth" < growths FOR UPDATE;
    IF NOT FOUND THEN
      RETURN QUERY SELECT r.n::int, NULL FROM unnest(projects) WITH ORDINALITY AS r(owner, n) WHERE r.owner = project ORDER BY r.n;
      CONTINUE;
    END IF;
    IF stage."day" < today THEN
      SELECT stage."growth" + CASE WHEN
          (x.bounces >= (ramp #>> '{bounces,least}')::int AND x.bounces * 100 >= x.total * (ramp #>> '{bounces,percent}')::numeric)
          OR (x.complaints >= (ramp #>> '{complaints,least}')::int AND x.complaints * 100 >= x.total * (ramp #>> '{complaints,percent}')::numeric)
        THEN 0 ELSE 1 END
      INTO stage."growth" FROM (
        SELECT count(*) AS total, count(e."bouncedAt") AS bounces, count(e."complainedAt") AS complaints FROM "Email" e
        WHERE e."projectId" = project AND e."createdAt" >= stage."day"::timestamp AT TIME ZONE 'UTC' AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AND NOT e."simulated" AND e."to" NOT LIKE {{simulated}}
          AND (e."sentAt" IS NOT NULL OR e."bouncedAt" IS NOT NULL)
      ) x;
      stage."day" := today;
      stage."used" := 0;
    END IF;
    WITH gone AS (DELETE FROM "SendRampEntry" e WHERE e."projectId" = project RETURNING e."day", e."quantity")
    SELECT stage."used" + coalesce(sum(gone."quantity") FILTER (WHERE gone."day" = today), 0) INTO stage."used" FROM gone;
    cap := CASE WHEN stage."growth" < growths THEN (ramp ->> 'firstCap')::bigint << stage."growth" END;
    UPDATE "SendRamp" s SET "day" = today, "growth" = stage."growth", "used" = stage."used" WHERE s."projectId" = project;
    FOR "n", quantity IN
      SELECT r.n, r.quantity FROM unnest(projects, quantities) WITH ORDINALITY AS r(owner, quantity, n) WHERE r.owner = project ORDER BY r.n
    LOOP
      "refusal" := CASE WHEN latest["n"] >= (today + 1)::timestamp AT TIME ZONE 'UTC' THEN 'later:' || cap
        WHEN quantity > 0 AND stage."used" + quantity > cap THEN 'ramp:' || cap END;
      IF "refusal" IS NULL THEN
        stage."used" := stage."used" + quantity;
      END IF;
      RETURN NEXT;
    END LOOP;
    IF kept THEN
      UPDATE "SendRamp" s SET "used" = stage."used" WHERE s."projectId" = project;
    END IF;
  END LOOP;
END $$;

-- Gives back what was not sent of the present day, and takes it again when such an email is requeued, whenever it was created. An address
-- that bounced was sent to.
CREATE FUNCTION return_ramp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "SendRamp") THEN
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM after WHERE "status" IN ('FAILED', 'SKIPPED') UNION ALL SELECT FROM before WHERE "status" IN ('FAILED', 'SKIPPED')) THEN
    RETURN NULL;
  END IF;
  INSERT INTO "SendRampEntry" ("id", "projectId", "day", "quantity")
  SELECT uuid7(), x."projectId", s."day", x.emails
  FROM (
    SELECT e."projectId", (e."createdAt" AT TIME ZONE 'UTC')::date AS "day", sum(e.sign) AS emails
    FROM (
      SELECT 1 AS sign, "projectId", "createdAt", "sourceType" FROM after
      WHERE ("status" NOT IN ('FAILED', 'SKIPPED') OR "bouncedAt" IS NOT NULL) AND NOT "simulated" AND "to" NOT LIKE {{simulated}}
      UNION ALL
      SELECT -1, "projectId", "createdAt", "sourceType" FROM before
      WHERE ("status" NOT IN ('FAILED', 'SKIPPED') OR "bouncedAt" IS NOT NULL) AND NOT "simulated" AND "to" NOT LIKE {{simulated}}
    ) e
    WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM') GROUP BY 1, 2 HAVING sum(e.sign) <> 0
  ) x JOIN "SendRamp" s ON s."projectId" = x."projectId" AND s."day" = (now() AT TIME ZONE 'UTC')::date AND (x.emails > 0 OR x."day" = s."day");
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_ramp" AFTER UPDATE ON "Email" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION return_ramp();
