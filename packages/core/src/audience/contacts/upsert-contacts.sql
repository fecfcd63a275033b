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
  "id" uuid, "email" text, "externalId" text, "data" jsonb, "subscribed" boolean, "snoozedUntil" timestamptz, "createdAt" timestamptz,
  "updatedAt" timestamptz, "is_new" boolean, "flipped" boolean, "topicsOn" smallint[], "topicsOff" smallint[], "topicDefaults" boolean
) LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  address text;
  change jsonb;
  patch jsonb;
  lists jsonb;
  names boolean;
  named text;
  wanted boolean;
  opt_out bytea;
BEGIN
  FOR address, change IN SELECT e."key", e."value" FROM jsonb_each(changes) e ORDER BY e."key" LOOP
    patch := change -> 'patch';
    lists := change -> 'lists';
    names := change ? 'externalId';
    named := change ->> 'externalId';
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

    SELECT c."id", c."email", c."externalId", c."data", c."subscribed", c."snoozedUntil", c."createdAt", c."updatedAt", false, false,
        c."topicsOn", c."topicsOff", c."topicDefaults"
      INTO "id", "email", "externalId", "data", "subscribed", "snoozedUntil", "createdAt", "updatedAt", "is_new", "flipped",
        "topicsOn", "topicsOff", "topicDefaults"
      FROM "Contact" c WHERE c."projectId" = project AND c."email" = address
      FOR KEY SHARE;
    IF FOUND AND patched_data("data", patch, lists) = "data" AND NOT (names AND named IS DISTINCT FROM "externalId")
      AND (wanted IS NULL OR (wanted = "subscribed" AND "snoozedUntil" IS NULL))
    THEN
      RETURN NEXT;
      CONTINUE;
    END IF;

    INSERT INTO "Contact" AS c ("id", "projectId", "email", "externalId", "subscribed", "data")
    VALUES (
      (change ->> 'id')::uuid, project, address, named,
      coalesce(wanted, default_subscribed AND NOT EXISTS (
        SELECT FROM "OptOut" o WHERE o."projectId" = project AND o."addressHash" = opt_out)),
      patched_data('{}', patch, lists)
    )
    ON CONFLICT ("projectId", "email") DO UPDATE SET
      "data" = patched_data(c."data", patch, lists),
      "externalId" = CASE WHEN names THEN named ELSE c."externalId" END,
      "subscribed" = coalesce(wanted, c."subscribed"),
      -- Equal to now() must mean "flipped by this statement", even if another transaction began in the same microsecond.
      "subscriptionChangedAt" = CASE
        WHEN wanted <> c."subscribed" THEN now()
        WHEN c."subscriptionChangedAt" = now() THEN now() - interval '1 microsecond'
        ELSE c."subscriptionChangedAt"
      END,
      "snoozedUntil" = CASE WHEN wanted IS NULL THEN c."snoozedUntil" END,
      "topicDefaults" = c."topicDefaults" OR coalesce(wanted AND NOT c."subscribed", false),
      "updatedAt" = now()
    RETURNING c."id", c."email", c."externalId", c."data", c."subscribed", c."snoozedUntil", c."createdAt", c."updatedAt",
      c."id" = (change ->> 'id')::uuid, c."subscriptionChangedAt" IS NOT DISTINCT FROM now(), c."topicsOn", c."topicsOff", c."topicDefaults"
      INTO "id", "email", "externalId", "data", "subscribed", "snoozedUntil", "createdAt", "updatedAt", "is_new", "flipped",
        "topicsOn", "topicsOff", "topicDefaults";

    -- PostgreSQL prints a blank after every colon and comma; compact JSON, which the limit of 64 KiB counts, has none.
    IF octet_length("data"::text) > {{maxBytes}}
      AND octet_length("data"::text) - 2 * (SELECT count(*) FROM jsonb_object_keys("data")) + 1 > {{maxBytes}}
    THEN
      PERFORM refuse('data_too_large:' || address);
    END IF;
    IF wanted THEN
      DELETE FROM "OptOut" o WHERE o."projectId" = project AND o."addressHash" = opt_out;
    END IF;
    IF "flipped" AND flip_reason IS NOT NULL THEN
      INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId")
      VALUES (uuid7(), project, 'SYSTEM', CASE WHEN "subscribed" THEN {{subscribed}} ELSE {{unsubscribed}} END,
        jsonb_build_object('reason', flip_reason), "id");
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
