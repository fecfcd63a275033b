-- Whether the emails of a batch, which have one content, leave while marketing is held back.
CREATE FUNCTION leaves_first(emails uuid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT FROM "Email" e WHERE e."id" = emails[1] AND e."type" <> 'TRANSACTIONAL')
$$;

-- Claims due batches for several projects; claim.store.ts documents its contract. A function, because each project takes several
-- statements that depend on each other. Returns one row per batch and, with a null id, one per project.
CREATE FUNCTION claim_batches(projects uuid[], limits int[], bulk boolean, fence uuid, claimer text, lease_ms float8, default_rate float8)
RETURNS TABLE ("id" uuid, "projectId" uuid, "campaignId" uuid, "count" int, "more" boolean, "tokensInMs" int)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  levels CONSTANT int[] := CASE WHEN bulk THEN {{bulk}}::int[] ELSE {{direct}}::int[] END;
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
  -- Since the last restore of the database, or because it is moved (behaviour B11.6).
  hold_back text;
  -- Where claims of the project begin, by level and turn (`skipGone` in due.store.ts).
  places timestamptz[];
BEGIN
  SELECT CASE WHEN i."stoppedAt" IS NULL THEN i."hold" ELSE 'all' END INTO hold_back FROM "Installation" i WHERE i."id" = 1;
  IF NOT FOUND OR hold_back = 'all' THEN
    FOREACH project IN ARRAY projects LOOP
      "projectId" := project;
      "more" := false;
      RETURN NEXT;
    END LOOP;
    RETURN;
  END IF;

  FOR project, most IN SELECT * FROM unnest(projects, limits) LOOP
    "projectId" := project;
    "id" := NULL;
    "campaignId" := NULL;
    "count" := NULL;
    "more" := false;
    "tokensInMs" := NULL;

    SELECT b."tokens", b."updatedAt", coalesce(p."sendRate", default_rate), clock_timestamp(),
        CASE WHEN b."claimFromUntil" > now() AND b."claimFromUntil" <= now() + interval '61 seconds' THEN b."claimFrom" END
      INTO available, counted_at, rate, read_at, places
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
      SELECT FROM unnest({{direct}}::int[]) AS direct(n) CROSS JOIN unnest(turns) AS t(again)
      CROSS JOIN LATERAL (
        SELECT FROM "DeliveryBatch" b
        WHERE b."projectId" = project AND b."priority" = direct.n AND b."again" = t.again AND b."token" IS NULL AND NOT b."held"
          AND b."nextAttemptAt" >= coalesce(places[direct.n * 2 + t.again::int + 1], '-infinity')
          AND b."nextAttemptAt" <= due_at AND (hold_back IS NULL OR leaves_first(b."emailIds")) LIMIT 1
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
            WHERE b."projectId" = project AND b."priority" = l.n AND b."again" = t.again AND b."token" IS NULL AND NOT b."held"
              AND b."nextAttemptAt" >= coalesce(places[l.n * 2 + t.again::int + 1], '-infinity')
              AND b."nextAttemptAt" <= due_at AND (hold_back IS NULL OR leaves_first(b."emailIds"))
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
          WHERE b."projectId" = project AND b."priority" = l.n AND b."again" = t.again AND b."token" IS NULL AND NOT b."held"
            AND b."nextAttemptAt" >= coalesce(places[l.n * 2 + t.again::int + 1], '-infinity')
            AND b."nextAttemptAt" <= due_at AND (hold_back IS NULL OR leaves_first(b."emailIds"))
          ORDER BY b."nextAttemptAt", b."id" LIMIT 1
        ) h ORDER BY l.n, t.again LIMIT 1;
    END IF;
    room := room - claimed;

    -- A batch larger than the limit, or than the bucket can ever hold, is split; direct email does not wait for enough tokens either.
    IF head_size > room AND room > 0 AND claimed = 0 AND (NOT bulk OR room >= least(capacity, most)) THEN
      SELECT b."token" IS NULL AND NOT b."held" INTO fits FROM "DeliveryBatch" b WHERE b."id" = head_id FOR UPDATE SKIP LOCKED;
      IF fits THEN
        INSERT INTO "DeliveryBatch" AS n ("id", "projectId", "campaignId", "domainId", "priority", "again", "nextAttemptAt",
          "firstAnsweredAt", "heldBy", "heldSince", "wave", "token", "worker", "leaseUntil", "begun", "answered", "written", "progressAt", "emailIds")
        SELECT uuid7(), b."projectId", b."campaignId", b."domainId", b."priority", b."again", b."nextAttemptAt", b."firstAnsweredAt", b."heldBy", b."heldSince", b."wave", fence, claimer,
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
