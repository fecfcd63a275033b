-- What Prisma's schema language cannot express: functions, partial, expression and GIN indexes, checks, storage settings.
-- The first migration contains this file; a later change needs a migration and is repeated here.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits. PostgreSQL 15 has no built-in uuidv7().
CREATE FUNCTION uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

-- Aborts the calling statement, so that a data-modifying statement that detects a broken rule at its end stores nothing.
-- The text becomes the message of SQLSTATE PR001, which src/db/refusal.ts reads.
CREATE FUNCTION refuse(text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'PR001', MESSAGE = $1;
END $$;

-- Whether a contact is not subscribed because of its recipient or a bounce, rather than by a request (behaviour B4.3).
CREATE FUNCTION opted_out(subscribed boolean, changed_at timestamptz, opted_out_at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT NOT subscribed AND coalesce(opted_out_at >= coalesce(changed_at, '-infinity'), false)
$$;

-- Creates or updates contacts inside a larger statement; contacts.store.ts documents its contract. A function rather than a chain
-- of CTEs, because each of its statements takes a new snapshot (and so sees the changes it waited for), and because it halves the
-- cost of a request with one recipient, the most frequent case.
CREATE FUNCTION upsert_contacts(project uuid, changes jsonb, default_subscribed boolean, flip_reason text)
RETURNS TABLE (
  "id" uuid, "email" text, "data" jsonb, "subscribed" boolean, "snoozedUntil" timestamptz, "createdAt" timestamptz,
  "updatedAt" timestamptz, "is_new" boolean, "flipped" boolean
) LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  address text;
  change jsonb;
  patch jsonb;
  wanted boolean;
  opt_out bytea;
BEGIN
  FOR address, change IN SELECT e."key", e."value" FROM jsonb_each(changes) e ORDER BY e."key" LOOP
    patch := change -> 'patch';
    wanted := (change ->> 'subscribed')::boolean;
    opt_out := decode(change ->> 'optOut', 'hex');
    IF wanted AND (change ->> 'keepsOptOut')::boolean THEN
      -- Locked first, so that the next statement sees an opt-out that is being made.
      PERFORM FROM "Contact" c WHERE c."projectId" = project AND c."email" = address FOR NO KEY UPDATE;
      IF EXISTS (SELECT FROM "Contact" c WHERE c."projectId" = project AND c."email" = address
          AND opted_out(c."subscribed", c."subscriptionChangedAt", c."optedOutAt"))
        OR EXISTS (SELECT FROM "OptOut" o WHERE o."projectId" = project AND o."addressHash" = opt_out AND o."byRecipient")
      THEN
        wanted := NULL;
      END IF;
    END IF;

    SELECT c."id", c."email", c."data", c."subscribed", c."snoozedUntil", c."createdAt", c."updatedAt", false, false
      INTO "id", "email", "data", "subscribed", "snoozedUntil", "createdAt", "updatedAt", "is_new", "flipped"
      FROM "Contact" c WHERE c."projectId" = project AND c."email" = address
      FOR KEY SHARE;
    IF FOUND AND jsonb_strip_nulls("data" || patch) = "data"
      AND (wanted IS NULL OR (wanted = "subscribed" AND "snoozedUntil" IS NULL))
    THEN
      RETURN NEXT;
      CONTINUE;
    END IF;

    INSERT INTO "Contact" AS c ("id", "projectId", "email", "subscribed", "data")
    VALUES (
      (change ->> 'id')::uuid, project, address,
      coalesce(wanted, default_subscribed AND NOT EXISTS (
        SELECT FROM "OptOut" o WHERE o."projectId" = project AND o."addressHash" = opt_out)),
      jsonb_strip_nulls(patch)
    )
    ON CONFLICT ("projectId", "email") DO UPDATE SET
      "data" = jsonb_strip_nulls(c."data" || patch),
      "subscribed" = coalesce(wanted, c."subscribed"),
      -- Equal to now() must mean "flipped by this statement", even if another transaction began in the same microsecond.
      "subscriptionChangedAt" = CASE
        WHEN wanted <> c."subscribed" THEN now()
        WHEN c."subscriptionChangedAt" = now() THEN now() - interval '1 microsecond'
        ELSE c."subscriptionChangedAt"
      END,
      "snoozedUntil" = CASE WHEN wanted IS NULL THEN c."snoozedUntil" END,
      "updatedAt" = now()
    RETURNING c."id", c."email", c."data", c."subscribed", c."snoozedUntil", c."createdAt", c."updatedAt",
      c."id" = (change ->> 'id')::uuid, c."subscriptionChangedAt" IS NOT DISTINCT FROM now()
      INTO "id", "email", "data", "subscribed", "snoozedUntil", "createdAt", "updatedAt", "is_new", "flipped";

    -- PostgreSQL prints a blank after every colon and comma; compact JSON, which the limit of 64 KiB counts, has none.
    IF octet_length("data"::text) > 65536
      AND octet_length("data"::text) - 2 * (SELECT count(*) FROM jsonb_object_keys("data")) + 1 > 65536
    THEN
      PERFORM refuse('data_too_large:' || address);
    END IF;
    IF wanted THEN
      DELETE FROM "OptOut" o WHERE o."projectId" = project AND o."addressHash" = opt_out;
    END IF;
    IF "flipped" AND flip_reason IS NOT NULL THEN
      INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId")
      VALUES (uuid7(), project, 'SYSTEM', CASE WHEN "subscribed" THEN 'contact.subscribed' ELSE 'contact.unsubscribed' END,
        jsonb_build_object('reason', flip_reason), "id");
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- The event queue: stores an EventDispatch row with every event that something waits for, and a ReputationCheck row for projects with a
-- bounce or complaint. A trigger, so that no writer can omit it; it runs once per statement.
CREATE FUNCTION dispatch_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "EventDispatch" ("eventId", "projectId")
  SELECT e."id", e."projectId" FROM stored e
  WHERE e."kind" <> 'ACTIVITY' AND e."contactId" IS NOT NULL
    AND EXISTS (SELECT FROM "EventInterest" i WHERE i."projectId" = e."projectId" AND i."name" = e."name");
  INSERT INTO "ReputationCheck" ("projectId", "seq")
  SELECT p."projectId", nextval('"TouchSeq"') FROM (
    SELECT DISTINCT e."projectId" FROM stored e WHERE e."kind" = 'SYSTEM' AND e."name" IN ('email.bounce', 'email.complaint')
    ORDER BY e."projectId") p
  ON CONFLICT ("projectId") DO UPDATE SET "seq" = EXCLUDED."seq";
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_dispatch" AFTER INSERT ON "Event" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION dispatch_events();

-- Marks contacts whose change may move them into or out of a tracked segment. If one statement changes more than 10,000 contacts,
-- the segments are marked stale instead, because recomputing them is cheaper.
CREATE SEQUENCE "TouchSeq";
CREATE FUNCTION touch_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "Segment" s WHERE s."trackMembership" AND s."type" = 'DYNAMIC'
    AND s."projectId" IN (SELECT c."projectId" FROM changed c)) THEN
    RETURN NULL;
  END IF;
  IF (SELECT count(*) FROM (SELECT FROM changed LIMIT 10001) c) > 10000 THEN
    UPDATE "Segment" s SET "stale" = true, "wakeSeq" = s."wakeSeq" + 1
    WHERE s."trackMembership" AND s."type" = 'DYNAMIC' AND s."projectId" IN (SELECT c."projectId" FROM changed c);
    RETURN NULL;
  END IF;
  INSERT INTO "TouchedContact" ("projectId", "contactId", "seq")
  SELECT c."projectId", c."id", nextval('"TouchSeq"') FROM changed c ORDER BY c."id"
  ON CONFLICT ("projectId", "contactId") DO UPDATE SET "seq" = EXCLUDED."seq";
  RETURN NULL;
END $$;
CREATE TRIGGER "Contact_inserted" AFTER INSERT ON "Contact" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION touch_contacts();
CREATE TRIGGER "Contact_updated" AFTER UPDATE ON "Contact" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION touch_contacts();

-- Claims due batches for several projects; claim.store.ts documents its contract. A function, because each project takes several
-- statements that depend on each other. Returns one row per batch and, with a null id, one per project.
CREATE FUNCTION claim_batches(projects uuid[], limits int[], bulk boolean, fence uuid, claimer text, lease_ms float8, default_rate float8)
RETURNS TABLE ("id" uuid, "projectId" uuid, "campaignId" uuid, "count" int, "more" boolean, "tokensInMs" int)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  -- Processes of an earlier version write retries of campaigns with priority 3.
  levels CONSTANT int[] := CASE WHEN bulk THEN '{3,4}'::int[] ELSE '{0,1,2}'::int[] END;
  -- First attempts, then retries.
  turns CONSTANT boolean[] := '{false,true}';
  -- Batches of campaigns are large: a few of them are enough for one claim.
  most_batches CONSTANT int := CASE WHEN bulk THEN 16 ELSE 1000 END;
  project uuid;
  most int;
  rate float8;
  available float8;
  counted_at timestamptz;
  read_at timestamptz;
  due_at timestamptz;
  reserved int;
  capacity int;
  claimed int;
  room int;
  needed float8;
  taken int;
  fits boolean;
  head_id uuid;
  head_size int;
  part_id uuid;
BEGIN
  FOR project, most IN SELECT * FROM unnest(projects, limits) LOOP
    "projectId" := project;
    "id" := NULL;
    "campaignId" := NULL;
    "count" := NULL;
    "more" := false;
    "tokensInMs" := NULL;

    SELECT b."tokens", b."updatedAt", coalesce(p."sendRate", default_rate), clock_timestamp() INTO available, counted_at, rate, read_at
      FROM "SendBucket" b LEFT JOIN "Project" p ON p."id" = b."projectId" WHERE b."projectId" = project
      FOR UPDATE OF b SKIP LOCKED;
    IF NOT FOUND THEN
      rate := coalesce((SELECT p."sendRate" FROM "Project" p WHERE p."id" = project), default_rate);
      available := rate;
      read_at := clock_timestamp();
      counted_at := read_at;
      INSERT INTO "SendBucket" ("projectId", "tokens", "updatedAt") VALUES (project, rate, read_at) ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN
        -- Another process is claiming for this project.
        "more" := true;
        "tokensInMs" := 20;
        RETURN NEXT;
        CONTINUE;
      END IF;
    END IF;
    -- The bucket is full a second after any time. A later time than that is one of a clock that has been set back since.
    available := CASE WHEN counted_at > read_at + interval '1 second' THEN rate
      ELSE least(rate, available + greatest(0, extract(epoch FROM read_at - counted_at)) * rate) END;
    reserved := CASE WHEN bulk THEN floor(rate / 5) ELSE 0 END;
    capacity := greatest(1, floor(rate) - reserved);
    -- The time of a new batch is rounded to a millisecond, possibly upwards.
    due_at := read_at + interval '1 millisecond';

    IF bulk AND EXISTS (
      SELECT FROM unnest('{0,1,2}'::int[]) AS direct(n) CROSS JOIN unnest(turns) AS t(again)
      CROSS JOIN LATERAL (
        SELECT FROM "DeliveryBatch" b
        WHERE b."projectId" = project AND b."priority" = direct.n AND b."again" = t.again AND b."token" IS NULL
          AND b."nextAttemptAt" <= due_at LIMIT 1
      ) b
    ) THEN
      "more" := true;
      "tokensInMs" := 20;
      RETURN NEXT;
      CONTINUE;
    END IF;

    claimed := 0;
    taken := 0;
    head_id := NULL;
    head_size := NULL;
    room := least(floor(available) - reserved, most);
    IF room > 0 THEN
      FOR "id", "campaignId", "count", fits IN
        WITH due AS MATERIALIZED (
          SELECT l.n AS level, t.again, b.* FROM unnest(levels) AS l(n) CROSS JOIN unnest(turns) AS t(again)
          CROSS JOIN LATERAL (
            SELECT b."id", b."campaignId", b."nextAttemptAt", cardinality(b."emailIds") AS size FROM "DeliveryBatch" b
            WHERE b."projectId" = project AND b."priority" = l.n AND b."again" = t.again AND b."token" IS NULL
              AND b."nextAttemptAt" <= due_at
            ORDER BY b."nextAttemptAt", b."id" LIMIT least(room, most_batches) FOR UPDATE SKIP LOCKED
          ) b
        ), shared AS (
          -- Retries get a fifth of the room, and what first attempts of their level leave. A batch that is larger than the rest of the fifth
          -- gets it as a chance: by lot, nothing needs to be remembered between claims.
          SELECT s.*, CASE WHEN NOT s.again THEN 1 WHEN random() * least(s.size, room) < room / 5.0 - (s.upto - s.size) THEN 0 ELSE 2 END AS part
          FROM (SELECT d.*, sum(d.size) OVER (PARTITION BY d.level, d.again ORDER BY d."nextAttemptAt", d."id") AS upto FROM due d) s
        ), ranked AS MATERIALIZED (
          SELECT s.*, sum(s.size) OVER (ORDER BY s.level, s.part, s."nextAttemptAt", s."id") AS total FROM shared s
        ), claim AS (
          UPDATE "DeliveryBatch" b SET "token" = fence, "worker" = claimer, "stopped" = false, "results" = NULL, "progressAt" = read_at,
            "leaseUntil" = clock_timestamp() + lease_ms * interval '1 millisecond',
            "begun" = f.zero, "answered" = f.zero, "written" = f.zero
          FROM (SELECT r."id", decode(repeat('00', (r.size + 7) / 8), 'hex') AS zero FROM ranked r WHERE r.total <= room) f
          WHERE b."id" = ANY(ARRAY[f."id"])
        )
        SELECT r."id", r."campaignId", r.size, r.total <= room FROM ranked r ORDER BY r.total
      LOOP
        IF NOT fits THEN
          head_id := "id";
          head_size := "count";
          EXIT;
        END IF;
        claimed := claimed + "count";
        taken := taken + 1;
        RETURN NEXT;
      END LOOP;
    END IF;

    -- Whether more is due is not known yet when nothing, or as much as the limit, was looked at.
    IF head_id IS NULL AND taken >= least(greatest(room, 0), most_batches) THEN
      SELECT h."id", h.size INTO head_id, head_size
        FROM unnest(levels) AS l(n) CROSS JOIN unnest(turns) AS t(again)
        CROSS JOIN LATERAL (
          SELECT b."id", cardinality(b."emailIds") AS size FROM "DeliveryBatch" b
          WHERE b."projectId" = project AND b."priority" = l.n AND b."again" = t.again AND b."token" IS NULL AND b."nextAttemptAt" <= due_at
          ORDER BY b."nextAttemptAt", b."id" LIMIT 1
        ) h ORDER BY l.n, t.again LIMIT 1;
    END IF;
    room := room - claimed;

    -- A batch larger than the limit, or than the bucket can ever hold, is split; direct email does not wait for enough tokens either.
    IF head_size > room AND room > 0 AND claimed = 0 AND (NOT bulk OR room >= least(capacity, most)) THEN
      SELECT b."token" IS NULL INTO fits FROM "DeliveryBatch" b WHERE b."id" = head_id FOR UPDATE SKIP LOCKED;
      IF fits THEN
        INSERT INTO "DeliveryBatch" AS n ("id", "projectId", "campaignId", "domainId", "priority", "again", "nextAttemptAt",
          "firstAnsweredAt", "token", "worker", "leaseUntil", "begun", "answered", "written", "progressAt", "emailIds")
        SELECT uuid7(), b."projectId", b."campaignId", b."domainId", b."priority", b."again", b."nextAttemptAt", b."firstAnsweredAt", fence, claimer,
          clock_timestamp() + lease_ms * interval '1 millisecond', z.zero, z.zero, z.zero, read_at, b."emailIds"[1:room]
        FROM "DeliveryBatch" b CROSS JOIN (SELECT decode(repeat('00', (room + 7) / 8), 'hex') AS zero) z WHERE b."id" = head_id
        RETURNING n."id", n."campaignId", room INTO part_id, "campaignId", "count";
        UPDATE "DeliveryBatch" b SET "emailIds" = b."emailIds"[room + 1:] WHERE b."id" = head_id;
        UPDATE "Email" e SET "batchId" = part_id
          FROM (SELECT unnest(b."emailIds") AS "emailId" FROM "DeliveryBatch" b WHERE b."id" = part_id) part
          WHERE e."id" = ANY(ARRAY[part."emailId"]) AND e."batchId" = head_id;
        "id" := part_id;
        RETURN NEXT;
        claimed := room;
      END IF;
    END IF;

    IF claimed > 0 THEN
      UPDATE "SendBucket" b SET "tokens" = available - claimed, "updatedAt" = read_at WHERE b."projectId" = project;
    END IF;
    "id" := NULL;
    "campaignId" := NULL;
    "count" := NULL;
    IF head_id IS NOT NULL THEN
      "more" := true;
      -- Claims that wait for tokens wait for a fifth of a second of them: one claim per token would cost more than the email.
      needed := least(capacity, greatest(1, rate / 5, CASE WHEN bulk THEN head_size ELSE 0 END));
      IF available - reserved - claimed < needed THEN
        "tokensInMs" := 1 + ceil((needed - (available - reserved - claimed)) * 1000 / rate);
      ELSIF claimed = 0 THEN
        "tokensInMs" := 20;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

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
-- Figures by campaign, template, workflow step, sender domain and mailbox provider are entered where emails are counted: in the
-- transaction that changes the emails, as rows that a job adds to "Figure". A bounce of an email that was never sent is also refused.
CREATE FUNCTION count_updated_emails() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER "Email_updated_counts" AFTER UPDATE ON "Email" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_updated_emails();

-- Emails are inserted before they are sent, so this trigger runs for imported rows only and costs nothing for others.
CREATE FUNCTION count_inserted_email() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER "Email_inserted_counts" AFTER INSERT ON "Email" FOR EACH ROW
  WHEN (NEW."sourceType" NOT IN ('TEST', 'SYSTEM')
    AND coalesce(NEW."sentAt", NEW."deliveredAt", NEW."openedAt", NEW."clickedAt", NEW."bouncedAt", NEW."complainedAt") IS NOT NULL)
  EXECUTE FUNCTION count_inserted_email();

ALTER TABLE "EmailCount" SET (fillfactor = 50);

ALTER TABLE "FigureEntry" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
ALTER TABLE "Figure" SET (fillfactor = 70);
ALTER TABLE "LinkFigure" SET (fillfactor = 70);

-- domains that wait for a lookup of their MX records, by the project that asked
CREATE INDEX "MailboxDomain_due" ON "MailboxDomain" ("requestedBy", "dueAt") WHERE "dueAt" IS NOT NULL;

-- Contacts created and removed in a quarter of an hour, in as many rows as transactions that wrote at the same time, like EmailCount.
CREATE FUNCTION add_contact_counts(project uuid, new_ones int, gone int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  quarter CONSTANT timestamptz := date_bin('15 minutes', now(), 'epoch');
  free uuid;
BEGIN
  SELECT c."id" INTO free FROM "ContactCount" c
    WHERE c."projectId" = project AND c."at" = quarter LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE "ContactCount" c SET "created" = c."created" + new_ones, "removed" = c."removed" + gone WHERE c."id" = free;
  ELSE
    INSERT INTO "ContactCount" ("id", "projectId", "at", "created", "removed") VALUES (uuid7(), project, quarter, new_ones, gone);
  END IF;
END $$;
CREATE FUNCTION count_created_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_contact_counts(c."projectId", c.contacts, 0)
  FROM (SELECT "projectId", count(*)::int AS contacts FROM created GROUP BY 1) c;
  RETURN NULL;
END $$;
CREATE TRIGGER "Contact_created_counts" AFTER INSERT ON "Contact" REFERENCING NEW TABLE AS created
  FOR EACH STATEMENT EXECUTE FUNCTION count_created_contacts();
-- The contacts of a project that is reset are not counted: their counts are removed with them.
CREATE FUNCTION count_removed_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('postrider.uncounted', true) = 'on' THEN
    RETURN NULL;
  END IF;
  PERFORM add_contact_counts(c."projectId", 0, c.contacts)
  FROM (SELECT "projectId", count(*)::int AS contacts FROM removed GROUP BY 1) c;
  RETURN NULL;
END $$;
CREATE TRIGGER "Contact_removed_counts" AFTER DELETE ON "Contact" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_contacts();
ALTER TABLE "ContactCount" SET (fillfactor = 50);

-- Events with a name on a day (UTC), without those of the activity feed only, like EmailCount: a row that another transaction has locked is left to it, and one of its own is added.
CREATE FUNCTION add_event_count(project uuid, event text, on_day date, difference int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free uuid;
  total int;
BEGIN
  SELECT c."id" INTO free FROM "EventCount" c
    WHERE c."projectId" = project AND c."name" = event AND c."day" = on_day LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE "EventCount" c SET "count" = c."count" + difference WHERE c."id" = free RETURNING c."count" INTO total;
    IF total = 0 THEN
      DELETE FROM "EventCount" c WHERE c."id" = free;
    END IF;
  ELSE
    INSERT INTO "EventCount" ("id", "projectId", "name", "day", "count") VALUES (uuid7(), project, event, on_day, difference);
  END IF;
END $$;
CREATE FUNCTION count_stored_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_event_count(e."projectId", e."name", e.on_day, e.events)
  FROM (SELECT "projectId", "name", ("createdAt" AT TIME ZONE 'UTC')::date AS on_day, count(*)::int AS events FROM stored
    WHERE "kind" <> 'ACTIVITY' GROUP BY 1, 2, 3) e;
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_stored_counts" AFTER INSERT ON "Event" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_events();
CREATE FUNCTION count_removed_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_event_count(e."projectId", e."name", e.on_day, -e.events)
  FROM (SELECT "projectId", "name", ("createdAt" AT TIME ZONE 'UTC')::date AS on_day, count(*)::int AS events FROM removed
    WHERE "kind" <> 'ACTIVITY' GROUP BY 1, 2, 3) e;
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_removed_counts" AFTER DELETE ON "Event" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_events();
ALTER TABLE "EventCount" SET (fillfactor = 50);

CREATE INDEX "Contact_email_trgm" ON "Contact" USING gin ("projectId", "email" gin_trgm_ops);
-- Search of emails (decision 025). Campaign email goes to the address of its contact, which has an index of its own; an index on the
-- recipient of every email would slow its insertion down. These are the emails whose recipient can be another one.
CREATE INDEX "Email_other_recipient" ON "Email" USING gin ("projectId", "to" gin_trgm_ops)
  WHERE "contactId" IS NULL OR "sourceType" = 'WORKFLOW' OR "readdressed";
CREATE INDEX "Content_subject_trgm" ON "Content" USING gin ("projectId", lower("subject") gin_trgm_ops);
CREATE INDEX "Contact_data" ON "Contact" USING gin ("projectId", "data" jsonb_path_ops);
CREATE INDEX "Contact_snoozed" ON "Contact" ("snoozedUntil") WHERE "snoozedUntil" IS NOT NULL;
-- Counted for audiences and the overview, with the addresses for the suppressed ones among them.
CREATE INDEX "Contact_unsubscribed" ON "Contact" ("projectId", "createdAt", "id") INCLUDE ("snoozedUntil", "email") WHERE NOT "subscribed";
CREATE INDEX "CachedFigure_wanted" ON "CachedFigure" ("wantedAt") WHERE "wantedAt" IS NOT NULL;
-- Addresses that no email can be sent to, which an audience counts: the condition is that of `isInvalid` (sending/ledger/audience.store.ts).
CREATE INDEX "Contact_invalid" ON "Contact" ("projectId") WHERE "email" NOT LIKE '%_@_%._%' OR "email" LIKE '%@%@%'
  OR "email" <> translate("email", E' \t\n\r\f\v', '');

CREATE UNIQUE INDEX "Member_one_owner" ON "Member" ("projectId") WHERE "role" = 'OWNER';
CREATE INDEX "Project_deleted" ON "Project" ("deletedAt") WHERE "deletedAt" IS NOT NULL;

-- One email per contact and per address of a campaign, even if freezing runs twice.
CREATE UNIQUE INDEX "Email_campaign_contact" ON "Email" ("campaignId", "contactId") WHERE "campaignId" IS NOT NULL AND "contactId" IS NOT NULL;
CREATE UNIQUE INDEX "Email_campaign_address" ON "Email" ("campaignId", "toHash") WHERE "campaignId" IS NOT NULL;
CREATE UNIQUE INDEX "Email_step" ON "Email" ("workflowStepExecutionId") WHERE "workflowStepExecutionId" IS NOT NULL;
-- emails of a contact, email filters
CREATE INDEX "Email_contact" ON "Email" ("projectId", "contactId", "createdAt") WHERE "contactId" IS NOT NULL;
-- emails of a template, and of an execution of a workflow
CREATE INDEX "Email_template" ON "Email" ("projectId", "templateId", "createdAt") WHERE "templateId" IS NOT NULL;
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

-- retention: expired bodies and attachments
CREATE INDEX "Content_kept" ON "Content" ("createdAt") WHERE "body" IS NOT NULL AND "sourceType" IN ('TRANSACTIONAL', 'WORKFLOW', 'TEST');
-- email of the platform: bodies to clear, and ciphertexts in the order in which a rotation reads them
CREATE INDEX "Content_system" ON "Content" ("createdAt", "id") WHERE "sourceType" = 'SYSTEM' AND ("body" IS NOT NULL OR "sealedBody" IS NOT NULL);
CREATE INDEX "Content_sealed" ON "Content" ("id") WHERE "sealedBody" IS NOT NULL;
CREATE INDEX "ProjectRemoval_open" ON "ProjectRemoval" ("projectId") WHERE "completedAt" IS NULL;
CREATE INDEX "Blob_kept" ON "Blob" ("keptUntil");
-- The claim: oldest due first within the first attempts, and within the retries, of a priority.
CREATE INDEX "DeliveryBatch_waiting" ON "DeliveryBatch" ("projectId", "priority", "again", "nextAttemptAt", "id") WHERE "token" IS NULL;
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
ALTER TABLE "TouchedContact" SET (fillfactor = 50);

-- reconcile: rows with an unprocessed signal, and rows that are due
CREATE INDEX "Campaign_unseen" ON "Campaign" ("updatedAt") WHERE "wakeSeq" > "seenSeq";
CREATE INDEX "Campaign_due" ON "Campaign" ("scheduledFor") WHERE "status" = 'SCHEDULED';
CREATE INDEX "Campaign_sending" ON "Campaign" ("updatedAt") WHERE "status" = 'SENDING';
CREATE INDEX "Domain_unseen" ON "Domain" ("updatedAt") WHERE "wakeSeq" > "seenSeq";
CREATE INDEX "Domain_due" ON "Domain" ("nextCheckAt") WHERE "nextCheckAt" IS NOT NULL;
CREATE INDEX "Segment_due" ON "Segment" ("nextComputeAt") WHERE "nextComputeAt" IS NOT NULL;
CREATE INDEX "Segment_tracked" ON "Segment" ("projectId") WHERE "trackMembership" AND "type" = 'DYNAMIC';
CREATE INDEX "Segment_unseen" ON "Segment" ("updatedAt") WHERE "wakeSeq" > "seenSeq";
CREATE INDEX "Execution_unseen" ON "WorkflowExecution" ("updatedAt") WHERE "wakeSeq" > "seenSeq";
CREATE INDEX "Execution_due" ON "WorkflowExecution" ("resumeAt") WHERE "resumeAt" IS NOT NULL;
CREATE INDEX "Job_finished" ON "Job" ("completedAt") WHERE "completedAt" IS NOT NULL;
CREATE INDEX "Job_open" ON "Job" ("createdAt") WHERE "state" IN ('waiting', 'active');

-- entry rules of workflows (B3.4)
CREATE UNIQUE INDEX "Execution_event_once" ON "WorkflowExecution" ("workflowId", "sourceEventId") WHERE "sourceEventId" IS NOT NULL;
-- executions that an event started
CREATE INDEX "Execution_source_event" ON "WorkflowExecution" ("sourceEventId") WHERE "sourceEventId" IS NOT NULL;
CREATE UNIQUE INDEX "Execution_active_once" ON "WorkflowExecution" ("workflowId", "contactId") WHERE "status" IN ('RUNNING', 'WAITING');
CREATE UNIQUE INDEX "Execution_single_entry" ON "WorkflowExecution" ("workflowId", "contactId") WHERE "singleEntry";
-- waiting executions of a contact, which a dispatched event can resume
CREATE INDEX "Execution_waiting" ON "WorkflowExecution" ("projectId", "contactId") WHERE "status" = 'WAITING';
CREATE UNIQUE INDEX "WorkflowStep_one_trigger" ON "WorkflowStep" ("workflowId") WHERE "type" = 'TRIGGER';

ALTER TABLE "Contact" ADD CONSTRAINT "Contact_data_object" CHECK (jsonb_typeof("data") = 'object');
ALTER TABLE "Contact" ADD CONSTRAINT "Contact_email_normal" CHECK ("email" = lower("email") AND length("email") <= 254);
ALTER TABLE "Email" ADD CONSTRAINT "Email_failed_not_sent" CHECK ("status" <> 'FAILED' OR "sentAt" IS NULL);
ALTER TABLE "Job" ADD CONSTRAINT "Job_progress" CHECK ("progress" BETWEEN 0 AND 100);

-- The log of a campaign's recipients: which emails reached which state, in sets, one row per statement, state and time. A trigger writes
-- it, so that no writer can omit it; freezing, which inserts a whole audience, writes its own rows. It is read instead of an index
-- over states and times, which every result would have to update (and which would end HOT updates of Email).
CREATE FUNCTION log_recipients() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on SET enable_nestloop = off AS $$
BEGIN
  INSERT INTO "RecipientLog" ("id", "campaignId", "status", "at", "firstId", "lastId", "count", "emailIds")
  WITH changed AS MATERIALIZED (
    SELECT a."id", a."campaignId", a."status",
      CASE WHEN a."sentAt" IS DISTINCT FROM b."sentAt" THEN a."sentAt" END AS sent,
      CASE WHEN a."deliveredAt" IS DISTINCT FROM b."deliveredAt" THEN a."deliveredAt" END AS delivered,
      CASE WHEN a."openedAt" IS DISTINCT FROM b."openedAt" THEN a."openedAt" END AS opened,
      CASE WHEN a."clickedAt" IS DISTINCT FROM b."clickedAt" THEN a."clickedAt" END AS clicked,
      CASE WHEN a."bouncedAt" IS DISTINCT FROM b."bouncedAt" THEN a."bouncedAt" END AS bounced,
      CASE WHEN a."complainedAt" IS DISTINCT FROM b."complainedAt" THEN a."complainedAt" END AS complained,
      CASE WHEN a."status" IN ('PENDING', 'FAILED', 'SKIPPED', 'UNCERTAIN')
        AND (a."status" <> b."status" OR a."updatedAt" IS DISTINCT FROM b."updatedAt") THEN a."updatedAt" END AS other
    FROM after a JOIN before b ON b."id" = a."id" WHERE a."campaignId" IS NOT NULL
  )
  SELECT uuid7(), s."campaignId", s."status", s."at", s.ids[1], s.ids[cardinality(s.ids)], cardinality(s.ids), s.ids
  FROM (
    SELECT f."campaignId", f."status", f."at", array_agg(f."id" ORDER BY f."id") AS ids
    FROM (
      SELECT "id", "campaignId", 'SENT'::"EmailStatus" AS "status", sent AS "at" FROM changed WHERE sent IS NOT NULL
      UNION ALL SELECT "id", "campaignId", 'DELIVERED', delivered FROM changed WHERE delivered IS NOT NULL
      UNION ALL SELECT "id", "campaignId", 'OPENED', opened FROM changed WHERE opened IS NOT NULL
      UNION ALL SELECT "id", "campaignId", 'CLICKED', clicked FROM changed WHERE clicked IS NOT NULL
      UNION ALL SELECT "id", "campaignId", 'BOUNCED', bounced FROM changed WHERE bounced IS NOT NULL
      UNION ALL SELECT "id", "campaignId", 'COMPLAINED', complained FROM changed WHERE complained IS NOT NULL
      UNION ALL SELECT "id", "campaignId", "status", other FROM changed WHERE other IS NOT NULL
    ) f GROUP BY 1, 2, 3
  ) s;
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_recipient_log" AFTER UPDATE ON "Email" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION log_recipients();
ALTER TABLE "RecipientLog" ALTER COLUMN "emailIds" SET STORAGE EXTERNAL;

-- The activity feed shows when executions of workflows start and end. Triggers write it, so that no way to start or end one can omit it.
CREATE FUNCTION record_started_executions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId")
  SELECT uuid7(), s."projectId", 'ACTIVITY', 'workflow.started',
    jsonb_build_object('workflowId', s."workflowId", 'workflowName', w."name", 'executionId', s."id", 'status', s."status", 'exitReason', NULL),
    s."contactId"
  FROM started s JOIN "Workflow" w ON w."id" = s."workflowId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Execution_started" AFTER INSERT ON "WorkflowExecution" REFERENCING NEW TABLE AS started
  FOR EACH STATEMENT EXECUTE FUNCTION record_started_executions();

-- Most updates of an execution do not end it, so this trigger is one for rows: its condition costs those nothing.
CREATE FUNCTION record_ended_execution() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId")
  SELECT uuid7(), NEW."projectId", 'ACTIVITY', 'workflow.completed',
    jsonb_build_object('workflowId', w."id", 'workflowName', w."name", 'executionId', NEW."id", 'status', NEW."status",
      'exitReason', NEW."exitReason"),
    NEW."contactId"
  FROM "Workflow" w WHERE w."id" = NEW."workflowId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Execution_ended" AFTER UPDATE OF "status" ON "WorkflowExecution" FOR EACH ROW
  WHEN (OLD."status" IN ('RUNNING', 'WAITING') AND NEW."status" NOT IN ('RUNNING', 'WAITING'))
  EXECUTE FUNCTION record_ended_execution();

-- activity feed of one type: the events of customers and segments, whose names are not fixed
CREATE INDEX "Event_triggered" ON "Event" ("projectId", "createdAt", "id") WHERE "kind" = 'CUSTOM' OR "name" LIKE 'segment.%';
-- upcoming emails of workflows
CREATE INDEX "Execution_upcoming" ON "WorkflowExecution" ("projectId", "resumeAt") WHERE "status" = 'WAITING' AND "resumeAt" IS NOT NULL;

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
-- the caller keeps what was granted elsewhere.
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
          AND coalesce(p."billingLimitTransactional", p."billingLimitCampaigns", p."billingLimitWorkflows") IS NULL THEN 1000 END
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
      SELECT 1 AS sign, "projectId", "createdAt", "sourceType", "contentId" FROM after WHERE "status" NOT IN ('FAILED', 'SKIPPED')
      UNION ALL
      SELECT -1, "projectId", "createdAt", "sourceType", "contentId" FROM before WHERE "status" NOT IN ('FAILED', 'SKIPPED')
    ) e
    WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM') GROUP BY 1, 2, 3, 4 HAVING sum(e.sign) <> 0
  ) x LEFT JOIN "Content" c ON c."id" = x."contentId"
  WHERE EXISTS (SELECT FROM "UsageCounter" u WHERE u."projectId" = x."projectId" AND u."month" = x."month")
  GROUP BY 2, 3, 4;
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_usage" AFTER UPDATE ON "Email" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION return_usage();
ALTER TABLE "UsageCounter" SET (fillfactor = 50);

-- Gives emails from the sandbox one of the slots of their owner's day (behaviour B11.4): the UTC day of their ids, in the order of these.
-- Which process gets a slot is decided by its primary key: ids become visible in another order than they were made in, so counting
-- the smaller ones would let more than `slots` pass. @returns those that have one, also from before
CREATE FUNCTION take_sandbox_slots(owners uuid[], emails uuid[], slots int) RETURNS SETOF uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  mail record;
  has_slot boolean;
  full_owner uuid;
  full_day date;
BEGIN
  FOR mail IN
    SELECT given.owner, given.email,
      (to_timestamp(('x' || left(replace(given.email::text, '-', ''), 12))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC')::date AS day
    FROM unnest(owners, emails) AS given(owner, email) ORDER BY given.owner, given.email
  LOOP
    has_slot := EXISTS (SELECT FROM "SandboxSlot" WHERE "emailId" = mail.email);
    IF NOT has_slot AND NOT coalesce(mail.owner = full_owner AND mail.day = full_day, false) THEN
      FOR slot IN 1..slots LOOP
        INSERT INTO "SandboxSlot" ("userId", "day", "n", "emailId") VALUES (mail.owner, mail.day, slot, mail.email) ON CONFLICT DO NOTHING;
        has_slot := FOUND;
        EXIT WHEN has_slot;
      END LOOP;
      IF NOT has_slot THEN
        full_owner := mail.owner;
        full_day := mail.day;
      END IF;
    END IF;
    IF has_slot THEN
      RETURN NEXT mail.email;
    END IF;
  END LOOP;
END $$;

-- The daily caps of new projects (behaviour B8.1). With NEW_PROJECT_RAMP unset no row exists and none of this runs.
-- Reserves emails of the present day (UTC) for several requests, in their order: each is granted as a whole, or refused with a text that
-- names the cap. Like reserve_usage, it keeps the rows of the projects locked until the transaction ends, in the order of their ids.
-- The first reservation of a day doubles the cap, unless too many emails since the day of the last one bounced or were complained about.
-- `ramp` has `firstCap`, `growths` (after which nothing is capped), and for `bounces` and `complaints` the `least` number and `percent`
-- from which the cap stays.
CREATE FUNCTION reserve_ramp(projects uuid[], quantities int[], kept boolean, ramp jsonb)
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
    SELECT * INTO stage FROM "SendRamp" s WHERE s."projectId" = project;
    IF NOT FOUND THEN
      -- A project that has sent before today was there before the setting.
      INSERT INTO "SendRamp" ("projectId", "day", "growth", "used")
      SELECT project, today,
        CASE WHEN EXISTS (SELECT FROM "Email" e WHERE e."projectId" = project AND e."createdAt" < today::timestamp AT TIME ZONE 'UTC'
          AND e."sourceType" NOT IN ('TEST', 'SYSTEM')) THEN growths ELSE 0 END,
        (SELECT count(*) FROM "Email" e WHERE e."projectId" = project AND e."createdAt" >= today::timestamp AT TIME ZONE 'UTC'
          AND e."sourceType" NOT IN ('TEST', 'SYSTEM') AND e."status" NOT IN ('FAILED', 'SKIPPED'))
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
        WHERE e."projectId" = project AND e."createdAt" >= stage."day"::timestamp AT TIME ZONE 'UTC' AND e."sourceType" NOT IN ('TEST', 'SYSTEM')
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
      "refusal" := CASE WHEN quantity > 0 AND stage."used" + quantity > cap THEN 'ramp:' || cap END;
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

-- Reserves usage and emails of the day for several requests: `usages` below the caps of B4.18 if `billed`, `emails` below the daily caps
-- unless `ramp` is null. The refusal of a request is null, 'billing', or that of reserve_ramp.
CREATE FUNCTION reserve_sends(projects uuid[], sources "EmailSource"[], usages int[], emails int[], billed boolean, ramp jsonb)
RETURNS TABLE ("n" int, "refusal" text) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  refusals text[] := array_fill(NULL::text, ARRAY[cardinality(projects)]);
  place int;
  reason text;
BEGIN
  IF billed THEN
    FOR place IN SELECT r."n" FROM reserve_usage(projects, sources, usages, true) r WHERE NOT r."granted" LOOP
      refusals[place] := 'billing';
      emails[place] := 0;
    END LOOP;
  END IF;
  IF ramp IS NOT NULL THEN
    FOR place, reason IN SELECT r."n", r."refusal" FROM reserve_ramp(projects, emails, true, ramp) r WHERE r."refusal" IS NOT NULL LOOP
      refusals[place] := reason;
      IF billed AND usages[place] > 0 THEN
        INSERT INTO "UsageEntry" ("id", "projectId", "month", "sourceType", "quantity")
        VALUES (uuid7(), projects[place], date_trunc('month', now() AT TIME ZONE 'UTC'), sources[place], -usages[place]);
      END IF;
    END LOOP;
  END IF;
  RETURN QUERY SELECT x.n::int, x.refusal FROM unnest(refusals) WITH ORDINALITY AS x(refusal, n);
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
      SELECT 1 AS sign, "projectId", "createdAt", "sourceType" FROM after WHERE "status" NOT IN ('FAILED', 'SKIPPED') OR "bouncedAt" IS NOT NULL
      UNION ALL
      SELECT -1, "projectId", "createdAt", "sourceType" FROM before WHERE "status" NOT IN ('FAILED', 'SKIPPED') OR "bouncedAt" IS NOT NULL
    ) e
    WHERE e."sourceType" NOT IN ('TEST', 'SYSTEM') GROUP BY 1, 2 HAVING sum(e.sign) <> 0
  ) x JOIN "SendRamp" s ON s."projectId" = x."projectId" AND s."day" = (now() AT TIME ZONE 'UTC')::date AND (x.emails > 0 OR x."day" = s."day");
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_ramp" AFTER UPDATE ON "Email" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION return_ramp();
ALTER TABLE "SendRamp" SET (fillfactor = 50);

-- payment notifications name a customer or a subscription
CREATE INDEX "Project_customer" ON "Project" ("customer") WHERE "customer" IS NOT NULL;
CREATE INDEX "Project_subscription" ON "Project" ("subscription") WHERE "subscription" IS NOT NULL;
-- Tells the api processes that listen which records of a project changed. Without a listener the triggers only find an empty table, so
-- that mail and events pay nothing. A payload is `<project id> <topic>`; the topics are those of live/topics.ts.
CREATE FUNCTION notify_live_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('postrider_live', l."projectId" || ' activity')
  FROM "LiveListener" l
  WHERE l."topic" = 'activity' AND l."expiresAt" > now() AND EXISTS (SELECT FROM stored e WHERE e."projectId" = l."projectId")
  GROUP BY l."projectId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_live" AFTER INSERT ON "Event" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION notify_live_events();

CREATE FUNCTION notify_live_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  project CONSTANT uuid := coalesce(NEW."projectId", OLD."projectId");
  about text;
  listed text;
BEGIN
  IF TG_TABLE_NAME = 'CampaignCounter' THEN about := 'campaign:' || NEW."campaignId"; listed := 'campaigns';
  ELSIF TG_TABLE_NAME = 'Campaign' THEN about := 'campaign:' || coalesce(NEW."id", OLD."id"); listed := 'campaigns';
  ELSIF TG_TABLE_NAME = 'Job' THEN about := 'job:' || NEW."id"; listed := 'jobs';
  ELSE about := 'execution:' || NEW."id"; listed := 'executions';
  END IF;
  PERFORM pg_notify('postrider_live', project || ' ' || l."topic")
  FROM "LiveListener" l WHERE l."projectId" = project AND l."topic" IN (about, listed) AND l."expiresAt" > now() GROUP BY l."topic";
  RETURN NULL;
END $$;
CREATE TRIGGER "CampaignCounter_live" AFTER UPDATE ON "CampaignCounter" FOR EACH ROW EXECUTE FUNCTION notify_live_record();
CREATE TRIGGER "Campaign_live" AFTER INSERT OR UPDATE OR DELETE ON "Campaign" FOR EACH ROW EXECUTE FUNCTION notify_live_record();
CREATE TRIGGER "Job_live" AFTER UPDATE ON "Job" FOR EACH ROW EXECUTE FUNCTION notify_live_record();
CREATE TRIGGER "Execution_live" AFTER UPDATE ON "WorkflowExecution" FOR EACH ROW EXECUTE FUNCTION notify_live_record();

-- Records that are watched as a list only, under the topic that the trigger names.
CREATE FUNCTION notify_live_list() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  project CONSTANT uuid := coalesce(NEW."projectId", OLD."projectId");
BEGIN
  IF EXISTS (SELECT FROM "LiveListener" l WHERE l."projectId" = project AND l."topic" = TG_ARGV[0] AND l."expiresAt" > now()) THEN
    PERFORM pg_notify('postrider_live', project || ' ' || TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Segment_live" AFTER INSERT OR UPDATE OR DELETE ON "Segment" FOR EACH ROW EXECUTE FUNCTION notify_live_list('segments');
CREATE TRIGGER "Domain_live" AFTER INSERT OR UPDATE OR DELETE ON "Domain" FOR EACH ROW EXECUTE FUNCTION notify_live_list('domains');
CREATE TRIGGER "Workflow_live" AFTER INSERT OR UPDATE OR DELETE ON "Workflow" FOR EACH ROW EXECUTE FUNCTION notify_live_list('workflows');
-- Figures that were estimated before; one that could not be computed keeps its estimate.
CREATE TRIGGER "CachedFigure_live" AFTER UPDATE ON "CachedFigure" FOR EACH ROW
  WHEN (OLD."wantedAt" IS NOT NULL AND NEW."wantedAt" IS NULL AND NEW."estimatedAt" IS NULL) EXECUTE FUNCTION notify_live_list('figures');

-- Emails that are accepted, or wait for another attempt.
CREATE FUNCTION notify_live_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('postrider_live', l."projectId" || ' emails')
  FROM "LiveListener" l
  WHERE l."topic" = 'emails' AND l."expiresAt" > now() AND EXISTS (SELECT FROM stored b WHERE b."projectId" = l."projectId")
  GROUP BY l."projectId";
  RETURN NULL;
END $$;
CREATE TRIGGER "DeliveryBatch_live" AFTER INSERT ON "DeliveryBatch" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION notify_live_emails();
CREATE TRIGGER "ProjectRemoval_live" AFTER INSERT OR UPDATE ON "ProjectRemoval" FOR EACH ROW EXECUTE FUNCTION notify_live_list('jobs');

CREATE FUNCTION notify_live_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('postrider_live', l."projectId" || ' ' || l."topic")
  FROM "LiveListener" l
  WHERE l."topic" LIKE 'deliveries%' AND l."expiresAt" > now() AND EXISTS (
    SELECT FROM stored d WHERE d."projectId" = l."projectId" AND l."topic" IN ('deliveries', 'deliveries:' || d."endpointId"))
  GROUP BY l."projectId", l."topic";
  RETURN NULL;
END $$;
CREATE TRIGGER "Delivery_live_added" AFTER INSERT ON "WebhookDelivery" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION notify_live_deliveries();
CREATE TRIGGER "Delivery_live_changed" AFTER UPDATE ON "WebhookDelivery" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION notify_live_deliveries();


-- Deliveries of webhooks are written with the event they report, in its transaction and by triggers, so that no writer can omit them. A
-- statement of a project without an enabled endpoint pays for one look at the index of endpoints.
CREATE FUNCTION queue_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "WebhookEndpoint" w WHERE w."enabled" AND w."projectId" IN (SELECT e."projectId" FROM stored e)) THEN
    RETURN NULL;
  END IF;
  INSERT INTO "WebhookDelivery" ("id", "projectId", "endpointId", "type", "data", "eventAt", "contactId")
  SELECT uuid7(), e."projectId", w."id", e."type",
    CASE jsonb_typeof(e."data") WHEN 'object' THEN e."data" ELSE '{}' END || jsonb_build_object('contact',
      CASE WHEN c."id" IS NOT NULL THEN jsonb_build_object('id', c."id", 'email', c."email") END),
    e."createdAt", c."id"
  FROM (
    SELECT s."projectId", s."data", s."contactId", s."createdAt",
      CASE WHEN s."kind" = 'CUSTOM' THEN 'event.' || s."name"
        WHEN s."kind" = 'SYSTEM' OR s."name" IN ('email.failed', 'email.skipped', 'campaign.sent', 'workflow.completed') THEN s."name" END AS "type"
    FROM stored s
  ) e
  JOIN "WebhookEndpoint" w ON w."projectId" = e."projectId" AND w."enabled" AND w."types" && ARRAY['*', e."type"]
  LEFT JOIN "Contact" c ON c."id" = e."contactId"
  WHERE e."type" IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_webhooks" AFTER INSERT ON "Event" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION queue_webhooks();

-- Queues what is reported to webhook endpoints only: these changes are no events, since the activity feed shows every event.
CREATE FUNCTION queue_webhook(project uuid, event_type text, event_data jsonb, contact uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "WebhookDelivery" ("id", "projectId", "endpointId", "type", "data", "contactId")
  SELECT uuid7(), project, w."id", event_type,
    event_data || jsonb_build_object('contact', CASE WHEN c."id" IS NOT NULL THEN jsonb_build_object('id', c."id", 'email', c."email") END),
    c."id"
  FROM "WebhookEndpoint" w LEFT JOIN "Contact" c ON c."id" = contact
  WHERE w."projectId" = project AND w."enabled" AND w."types" && ARRAY['*', event_type]
$$;

CREATE FUNCTION report_domain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhook(NEW."projectId", CASE WHEN NEW."status" = 'VERIFIED' THEN 'domain.verified' ELSE 'domain.lost' END,
    jsonb_build_object('domainId', NEW."id", 'domain', NEW."domain", 'status', NEW."status"), NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER "Domain_webhooks" AFTER UPDATE OF "status" ON "Domain" FOR EACH ROW
  WHEN (OLD."status" <> NEW."status" AND (OLD."status" = 'VERIFIED' OR NEW."status" = 'VERIFIED')) EXECUTE FUNCTION report_domain();

CREATE FUNCTION report_disabled_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhook(NEW."id", 'project.disabled',
    jsonb_build_object('projectId', NEW."id", 'projectName', NEW."name", 'reason', NEW."disabledReason"), NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER "Project_webhooks" AFTER UPDATE OF "disabled" ON "Project" FOR EACH ROW
  WHEN (NEW."disabled" AND NOT OLD."disabled") EXECUTE FUNCTION report_disabled_project();

CREATE FUNCTION report_cancelled_campaign() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhook(NEW."projectId", 'campaign.cancelled',
    jsonb_build_object('campaignId', NEW."id", 'campaignName', NEW."name", 'subject', NEW."subject", 'reason', NEW."statusReason",
      'totalRecipients', NEW."totalRecipients"), NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER "Campaign_webhooks" AFTER UPDATE OF "status" ON "Campaign" FOR EACH ROW
  WHEN (NEW."status" = 'CANCELLED' AND OLD."status" <> 'CANCELLED') EXECUTE FUNCTION report_cancelled_campaign();

CREATE FUNCTION report_uncertain_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhook(NEW."projectId", 'email.uncertain',
    jsonb_build_object('emailId', NEW."id", 'subject', coalesce(NEW."subject", c."subject"), 'from', c."from", 'fromName', c."fromName",
      'messageId', coalesce(NEW."messageId", '<' || NEW."id" || '@' || split_part(c."from", '@', 2) || '>'), 'templateId', NEW."templateId",
      'campaignId', NEW."campaignId", 'sourceType', NEW."sourceType", 'error', NEW."error"), NEW."contactId")
  FROM "Content" c WHERE c."id" = NEW."contentId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_webhooks" AFTER UPDATE OF "status" ON "Email" FOR EACH ROW
  WHEN (NEW."status" = 'UNCERTAIN' AND OLD."status" <> 'UNCERTAIN' AND NEW."sourceType" NOT IN ('TEST', 'SYSTEM'))
  EXECUTE FUNCTION report_uncertain_email();

-- deliveries of webhooks that are due, per endpoint; those of a contact, which are erased with it
CREATE INDEX "WebhookDelivery_due" ON "WebhookDelivery" ("endpointId", "nextAttemptAt") WHERE "status" = 'PENDING';
CREATE INDEX "WebhookDelivery_contact" ON "WebhookDelivery" ("contactId") WHERE "contactId" IS NOT NULL;

-- Statistics of tables that all projects share: an analysis after a share of a whole table would leave a new project unknown for days.
ALTER TABLE "Contact" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "Event" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "Email" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);
ALTER TABLE "WorkflowExecution" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

-- What every event of an email says (behaviour B6.1). `own_subject` and `message_id` are null until the email has its own.
CREATE FUNCTION email_facts(email uuid, own_subject text, message_id text, template uuid, campaign uuid, source "EmailSource", content uuid)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('emailId', email, 'subject', coalesce(own_subject, c."subject"), 'from', c."from", 'fromName', c."fromName",
    'messageId', coalesce(message_id, '<' || email || '@' || split_part(c."from", '@', 2) || '>'), 'templateId', template,
    'campaignId', campaign, 'sourceType', source)
  FROM "Content" c WHERE c."id" = content
$$;

-- An email that is not sent from the start: its address is suppressed, or a cap is used up. A trigger, so that no way to accept email can omit
-- the event. Freezing an audience, which writes many of them at once, writes their events itself.
CREATE FUNCTION tell_unsent_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId")
  VALUES (uuid7(), NEW."projectId", 'ACTIVITY', 'email.' || lower(NEW."status"::text),
    email_facts(NEW."id", NEW."subject", NEW."messageId", NEW."templateId", NEW."campaignId", NEW."sourceType", NEW."contentId")
      || jsonb_build_object('error', NEW."error", 'reason', NEW."reason"), NEW."contactId", NEW."id");
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_unsent" AFTER INSERT ON "Email" FOR EACH ROW
  WHEN (NEW."status" IN ('FAILED', 'SKIPPED') AND NEW."campaignId" IS NULL AND NEW."sourceType" NOT IN ('TEST', 'SYSTEM'))
  EXECUTE FUNCTION tell_unsent_email();

-- Enters what a statement stores or removes of the storage of projects (behaviour B8.7), once per project. `octet_length` reads no byte of a
-- value: the length is in its header. One function for each table, so that its statements are planned once.

CREATE FUNCTION enter_storage_of_upload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'images', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", ("size"::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'images', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -("size"::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'images', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", ("size"::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -("size"::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Upload_storage_added" AFTER INSERT ON "Upload" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_upload();
CREATE TRIGGER "Upload_storage_removed" AFTER DELETE ON "Upload" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_upload();
CREATE TRIGGER "Upload_storage_changed" AFTER UPDATE ON "Upload" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_upload();

CREATE FUNCTION enter_storage_of_blob() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'attachments', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", (CASE WHEN "bytes" IS NULL THEN 0 ELSE "size" END::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'attachments', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -(CASE WHEN "bytes" IS NULL THEN 0 ELSE "size" END::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'attachments', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", (CASE WHEN "bytes" IS NULL THEN 0 ELSE "size" END::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -(CASE WHEN "bytes" IS NULL THEN 0 ELSE "size" END::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Blob_storage_added" AFTER INSERT ON "Blob" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_blob();
CREATE TRIGGER "Blob_storage_removed" AFTER DELETE ON "Blob" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_blob();
CREATE TRIGGER "Blob_storage_changed" AFTER UPDATE ON "Blob" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_blob();

CREATE FUNCTION enter_storage_of_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'contents', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", ((octet_length("subject") + coalesce(octet_length("body"), 0))::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'contents', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -((octet_length("subject") + coalesce(octet_length("body"), 0))::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'contents', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", ((octet_length("subject") + coalesce(octet_length("body"), 0))::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -((octet_length("subject") + coalesce(octet_length("body"), 0))::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Content_storage_added" AFTER INSERT ON "Content" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_content();
CREATE TRIGGER "Content_storage_removed" AFTER DELETE ON "Content" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_content();
CREATE TRIGGER "Content_storage_changed" AFTER UPDATE ON "Content" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_content();

-- What is written to be sent. The size of a design as stored is known only after the triggers of its insertion, and reading it as text takes
-- time, so that a column has the sum: an update that changes none of the texts keeps it. A function is planned for each of its triggers.
ALTER TABLE "Template" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "TemplateVersion" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "Campaign" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "SavedBlock" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;
CREATE FUNCTION enter_storage_of_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT "projectId", sum("storedBytes") AS "bytes" FROM after GROUP BY 1 HAVING sum("storedBytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT "projectId", -sum("storedBytes") AS "bytes" FROM before GROUP BY 1 HAVING sum("storedBytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", "storedBytes" AS "bytes" FROM after UNION ALL SELECT "projectId", -"storedBytes" FROM before) s
      GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Template_storage_added" AFTER INSERT ON "Template" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "Template_storage_removed" AFTER DELETE ON "Template" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "Template_storage_changed" AFTER UPDATE ON "Template" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "TemplateVersion_storage_added" AFTER INSERT ON "TemplateVersion" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "TemplateVersion_storage_removed" AFTER DELETE ON "TemplateVersion" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "TemplateVersion_storage_changed" AFTER UPDATE ON "TemplateVersion" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "Campaign_storage_added" AFTER INSERT ON "Campaign" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "Campaign_storage_removed" AFTER DELETE ON "Campaign" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "Campaign_storage_changed" AFTER UPDATE ON "Campaign" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "SavedBlock_storage_added" AFTER INSERT ON "SavedBlock" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "SavedBlock_storage_removed" AFTER DELETE ON "SavedBlock" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "SavedBlock_storage_changed" AFTER UPDATE ON "SavedBlock" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();

CREATE FUNCTION enter_storage_of_jobfile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "JobFile_storage_added" AFTER INSERT ON "JobFile" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_jobfile();
CREATE TRIGGER "JobFile_storage_removed" AFTER DELETE ON "JobFile" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_jobfile();
CREATE TRIGGER "JobFile_storage_changed" AFTER UPDATE ON "JobFile" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_jobfile();

CREATE FUNCTION enter_storage_of_importfailedrows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "ImportFailedRows_storage_added" AFTER INSERT ON "ImportFailedRows" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_importfailedrows();
CREATE TRIGGER "ImportFailedRows_storage_removed" AFTER DELETE ON "ImportFailedRows" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_importfailedrows();
CREATE TRIGGER "ImportFailedRows_storage_changed" AFTER UPDATE ON "ImportFailedRows" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_importfailedrows();

CREATE FUNCTION enter_storage_of_exportchunk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'exports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'exports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'exports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "ExportChunk_storage_added" AFTER INSERT ON "ExportChunk" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_exportchunk();
CREATE TRIGGER "ExportChunk_storage_removed" AFTER DELETE ON "ExportChunk" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_exportchunk();
CREATE TRIGGER "ExportChunk_storage_changed" AFTER UPDATE ON "ExportChunk" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_exportchunk();

-- Entries come and go by the minute.
ALTER TABLE "StorageEntry" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
