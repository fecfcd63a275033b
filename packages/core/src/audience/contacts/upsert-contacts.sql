-- Whether a contact is not subscribed because of its recipient or a bounce, rather than by a request (behaviour B4.3).
CREATE FUNCTION opted_out(subscribed boolean, changed_at timestamptz, opted_out_at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT NOT subscribed AND coalesce(opted_out_at >= coalesce(changed_at, '-infinity'), false)
$$;

-- Creates or updates contacts inside a larger statement; contacts.store.ts documents its contract. A function rather than a chain
-- of CTEs, because each of its statements takes a new snapshot (and so sees the changes it waited for), and because it halves the
-- cost of a request with one recipient, the most frequent case. What is said about a contact that exists is written by `apply_consents`;
-- a new one is inserted as it is to be, with its act. A change of a process of the version before does not say who makes it.
CREATE FUNCTION upsert_contacts(project uuid, changes jsonb, default_subscribed boolean, flip_reason text)
RETURNS TABLE (
  "id" uuid, "email" text, "externalId" text, "data" jsonb, "subscribed" boolean, "snoozedUntil" timestamptz, "createdAt" timestamptz,
  "updatedAt" timestamptz, "is_new" boolean, "flipped" boolean
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
  yes smallint[];
  nos smallint[];
  -- by whom an opt-out of the address is on record
  recorded boolean;
  -- something is said of the subscription or the topics
  states boolean;
  goes_in boolean;
  leaves boolean;
  is_refused boolean;
  is_partial boolean;
  act bigint;
  stated_at timestamptz;
  is_stated boolean;
  statement jsonb;
  said jsonb;
BEGIN
  FOR address, change IN SELECT e."key", e."value" FROM jsonb_each(changes) e ORDER BY e."key" LOOP
    patch := change -> 'patch';
    lists := change -> 'lists';
    names := change ? 'externalId';
    named := change ->> 'externalId';
    said := coalesce(change -> 'said', '{"by": "single", "source": "api", "actor": "key"}');
    wanted := (change ->> 'subscribed')::boolean;
    states := wanted IS NOT NULL OR change ? 'yes' OR change ? 'no' OR said ->> 'basis' IS NOT NULL;

    SELECT c."id", c."email", c."externalId", c."data", c."subscribed", c."snoozedUntil", c."createdAt", c."updatedAt", false, false, c."stated"
      INTO "id", "email", "externalId", "data", "subscribed", "snoozedUntil", "createdAt", "updatedAt", "is_new", "flipped", is_stated
      FROM "Contact" c WHERE c."projectId" = project AND c."email" = address
      FOR KEY SHARE;
    IF FOUND THEN
      -- What holds already, machines repeat.
      states := states AND NOT coalesce(wanted = "subscribed" AND "snoozedUntil" IS NULL AND is_stated AND NOT (change ? 'yes' OR change ? 'no')
        AND said ->> 'basis' IS NULL AND NOT coalesce((said ->> 'always')::boolean, false), false);
      IF patched_data("data", patch, lists) <> "data" OR (names AND named IS DISTINCT FROM "externalId") THEN
        UPDATE "Contact" c SET "data" = patched_data(c."data", patch, lists), "externalId" = CASE WHEN names THEN named ELSE c."externalId" END,
          "updatedAt" = now()
        WHERE c."projectId" = project AND c."email" = address
        RETURNING c."externalId", c."data", c."subscribed", c."snoozedUntil", c."updatedAt"
          INTO "externalId", "data", "subscribed", "snoozedUntil", "updatedAt";
      ELSIF NOT states THEN
        RETURN NEXT;
        CONTINUE;
      END IF;
    ELSE
      yes := coalesce(ARRAY(SELECT t::smallint FROM jsonb_array_elements_text(change -> 'yes') t ORDER BY 1), '{}');
      nos := coalesce(ARRAY(SELECT t::smallint FROM jsonb_array_elements_text(change -> 'no') t ORDER BY 1), '{}');
      wanted := coalesce(wanted, (change ->> 'ifNew')::boolean);
      recorded := NULL;
      SELECT o."byRecipient" INTO recorded FROM "OptOut" o
        WHERE o."projectId" = project AND o."addressHash" = decode(change ->> 'optOut', 'hex');
      goes_in := coalesce(wanted, yes <> '{}' OR default_subscribed) AND (recorded IS NULL OR ((wanted OR yes <> '{}') AND (
        said ->> 'by' IN ('single', 'recipient') OR (said ->> 'by' <> 'import' AND NOT recorded))) IS TRUE);
      leaves := NOT goes_in AND (recorded IS NOT NULL OR NOT coalesce(wanted, true));
      is_refused := NOT goes_in AND coalesce(wanted, yes <> '{}');
      is_partial := goes_in AND wanted IS NULL AND yes <> '{}';
      IF is_refused THEN
        yes := '{}';
      END IF;
      act := CASE WHEN goes_in OR leaves OR yes <> '{}' OR nos <> '{}' THEN nextval('"ConsentSeq"') ELSE 0 END;
      stated_at := coalesce((said ->> 'at')::timestamptz, now());
      INSERT INTO "Contact" AS c ("id", "projectId", "email", "externalId", "subscribed", "data", "topicsOn", "topicsOff", "topicDefaults", "stated",
        "optOutBy", "optedOutAt", "consentSeq", "consentBasis", "consentedAt")
      VALUES (
        (change ->> 'id')::uuid, project, address, named, goes_in, patched_data('{}', patch, lists),
        yes, nos, NOT is_partial, act <> 0,
        CASE WHEN goes_in OR act = 0 THEN NULL WHEN recorded THEN 'recipient' ELSE 'request' END::"OptOutBy",
        CASE WHEN recorded AND NOT goes_in THEN now() END, act,
        CASE WHEN goes_in THEN coalesce(said ->> 'basis', 'default') END::"ConsentBasis", CASE WHEN goes_in THEN stated_at END
      )
      ON CONFLICT ("projectId", "email") DO UPDATE SET
        "data" = patched_data(c."data", patch, lists),
        "externalId" = CASE WHEN names THEN named ELSE c."externalId" END,
        "updatedAt" = now()
      RETURNING c."id", c."email", c."externalId", c."data", c."subscribed", c."snoozedUntil", c."createdAt", c."updatedAt",
        c."id" = (change ->> 'id')::uuid, false
        INTO "id", "email", "externalId", "data", "subscribed", "snoozedUntil", "createdAt", "updatedAt", "is_new", "flipped";
      IF "is_new" AND act <> 0 THEN
        PERFORM record_first_act(project, "id", act, CASE WHEN goes_in THEN 'subscribe' WHEN leaves THEN 'unsubscribe' ELSE 'topics' END::"ConsentAction",
          recorded AND goes_in, CASE WHEN leaves THEN CASE WHEN recorded THEN 'recipient' ELSE 'request' END END::"OptOutBy",
          yes, nos, is_partial, said);
        -- The address stays out although the caller wanted it in.
        IF is_refused THEN
          PERFORM apply_consents(project, said, jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('contact', "id", 'kind', 'state',
            'wanted', wanted, 'yes', change -> 'yes', 'optOut', change -> 'optOut'))));
        END IF;
      END IF;
      IF goes_in AND (wanted OR yes <> '{}') THEN
        DELETE FROM "OptOut" o WHERE o."projectId" = project AND o."addressHash" = decode(change ->> 'optOut', 'hex');
      END IF;
    END IF;

    -- PostgreSQL prints a blank after every colon and comma; compact JSON, which the limit of 64 KiB counts, has none.
    IF octet_length("data"::text) > {{maxBytes}}
      AND octet_length("data"::text) - 2 * (SELECT count(*) FROM jsonb_object_keys("data")) + 1 > {{maxBytes}}
    THEN
      PERFORM refuse('data_too_large:' || address);
    END IF;
    IF states AND NOT "is_new" THEN
      statement := jsonb_build_object('contact', "id", 'kind', 'state', 'wanted', wanted, 'optOut', change -> 'optOut')
        || jsonb_strip_nulls(jsonb_build_object('yes', change -> 'yes', 'no', change -> 'no'));
      SELECT a."subscribed", a."snoozedUntil", a."flipped", CASE WHEN a."effect" = 'changed' THEN now() ELSE "updatedAt" END
        INTO "subscribed", "snoozedUntil", "flipped", "updatedAt"
        FROM apply_consents(project, jsonb_build_object('reason', flip_reason) || said, jsonb_build_array(statement)) a;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
