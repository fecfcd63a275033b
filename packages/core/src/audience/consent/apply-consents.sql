-- Sorted sets of the numbers of topics.
CREATE FUNCTION topics_with(chosen smallint[], more smallint[]) RETURNS smallint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT t ORDER BY t), '{}') FROM unnest(chosen || more) t
$$;
CREATE FUNCTION topics_without(chosen smallint[], others smallint[]) RETURNS smallint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_agg(DISTINCT t ORDER BY t), '{}') FROM unnest(chosen) t WHERE t <> ALL(coalesce(others, '{}'))
$$;

-- Whose the opt-out of a contact is (behaviour B12.4); null for one that is subscribed, snoozed or never was. Contacts whose column is not
-- filled yet have it in the times that were kept before there was a log.
CREATE FUNCTION opt_out_by(
  subscribed boolean, snoozed_until timestamptz, stated boolean, opt_out_by "OptOutBy", changed_at timestamptz, opted_out_at timestamptz
) RETURNS "OptOutBy" LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN subscribed OR snoozed_until IS NOT NULL OR NOT stated THEN NULL ELSE coalesce(opt_out_by,
    CASE WHEN coalesce(opted_out_at >= coalesce(changed_at, '-infinity'), false) THEN 'recipient' ELSE 'request' END::"OptOutBy") END
$$;

-- What the subscription or the pause of a contact rests on. The rows of contacts from before there was a log do not say it: it is unknown.
CREATE FUNCTION basis_of(subscribed boolean, snoozed_until timestamptz, basis "ConsentBasis") RETURNS "ConsentBasis"
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN subscribed OR snoozed_until IS NOT NULL THEN coalesce(basis, 'unknown') END
$$;

-- The one writer of consent acts: what is said about contacts that exist changes them, and is recorded, in one statement. write-consent.store.ts
-- documents its contract. Contacts are locked in email order. A function, because its second statement sees what it waited for. Its steps are
-- materialized: each uses columns of the one before several times, and put into one another they were planned for a hundred times as long as they run.
CREATE FUNCTION apply_consents(project uuid, common jsonb, said jsonb)
RETURNS TABLE (
  "contactId" uuid, "effect" "ConsentEffect", "refusal" "ConsentRefusal", "flipped" boolean, "subscribed" boolean, "snoozedUntil" timestamptz,
  "wasSubscribed" boolean, "wasSnoozed" boolean
) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
  PERFORM FROM "Contact" c
    WHERE c."id" = ANY(ARRAY(SELECT (e.value ->> 'contact')::uuid FROM jsonb_array_elements(said) e)) AND c."projectId" IS NOT DISTINCT FROM project
    ORDER BY c."email" FOR NO KEY UPDATE;
  RETURN QUERY
  WITH "given" AS MATERIALIZED (
    SELECT s.* FROM jsonb_array_elements(said) e CROSS JOIN LATERAL jsonb_to_record(common || e.value) AS s("contact" uuid, "kind" text, "wanted" boolean,
      "yes" smallint[], "no" smallint[], "defaults" boolean, "keepsPause" boolean, "endsIfNothing" boolean, "ifReachable" boolean, "until" timestamptz,
      "by" text, "optOutBy" "OptOutBy", "refusal" "ConsentRefusal", "source" "ConsentSource", "actor" "ConsentActor", "actorId" uuid, "keyName" text,
      "basis" "ConsentBasis", "at" timestamptz, "wordingId" uuid, "formId" uuid, "formVersion" int, "emailId" uuid, "jobId" uuid, "executionId" uuid,
      "requestId" uuid, "page" text, "ip" text, "userAgent" text, "evidence" jsonb, "reason" text, "always" boolean, "optOut" text)
  ), "held" AS MATERIALIZED (
    SELECT g.*, coalesce(g."at", now())::timestamptz(3) AS "time", coalesce(g."yes", '{}') AS "asked", coalesce(g."no", '{}') AS "declined",
      c."subscribed" AS "was", c."snoozedUntil" AS "wasUntil", c."pendingUntil" AS "wasPending", coalesce(c."topicsOn", '{}') AS "hadOn",
      coalesce(c."topicsOff", '{}') AS "hadOff", c."topicDefaults" AS "hadDefaults", c."stated" AS "wasStated",
      opt_out_by(c."subscribed", c."snoozedUntil", c."stated", c."optOutBy", c."subscriptionChangedAt", c."optedOutAt") AS "wasBy",
      basis_of(c."subscribed", c."snoozedUntil", c."consentBasis") AS "hadBasis", c."consentedAt" AS "hadAt", c."consentSeq" AS "hadSeq", o."byRecipient" AS "onRecord",
      g."by" IN ('recipient', 'single') AS "mayDoAll", g."kind" IN ('state', 'confirm') AS "states"
    FROM "given" g
    CROSS JOIN LATERAL (SELECT * FROM "Contact" c WHERE c."id" = g."contact" OFFSET 0) c
    LEFT JOIN "OptOut" o ON o."projectId" = project AND o."addressHash" = decode(g."optOut", 'hex')
    WHERE c."projectId" IS NOT DISTINCT FROM project
  ), "asking" AS (
    SELECT h.*, h."wasUntil" IS NOT NULL AND NOT h."was" AS "isSnoozed",
      -- A no is the recipient's, whoever wrote it down.
      CASE WHEN h."mayDoAll" OR NOT h."asked" && h."hadOff" THEN h."asked" ELSE topics_without(h."asked", h."hadOff") END AS "allowed"
    FROM "held" h
  ), "wanting" AS MATERIALIZED (
    SELECT a.*, a."states" AND NOT a."was" AND coalesce(a."wanted",
        cardinality(a."allowed") > 0 AND NOT (a."isSnoozed" AND coalesce(a."keepsPause", false))) AS "wantsIn",
      a."isSnoozed" OR coalesce(a."wasBy" = 'recipient', false) OR coalesce(a."onRecord", false) AS "isOwn"
    FROM "asking" a
  ), "judged" AS (
    SELECT w.*, w."wantsIn" AND NOT CASE WHEN w."mayDoAll" THEN true WHEN w."by" = 'import' THEN NOT w."wasStated" AND w."onRecord" IS NULL
      ELSE NOT w."isOwn" END AS "isRefused"
    FROM "wanting" w
  ), "entering" AS MATERIALIZED (
    SELECT j.*, j."wantsIn" AND NOT j."isRefused" AS "isIn", CASE WHEN j."isRefused" OR NOT j."states" THEN '{}' ELSE j."allowed" END AS "gives"
    FROM "judged" j
  ), "choosing" AS MATERIALIZED (
    SELECT e.*,
      -- Who is subscribed by a topic alone is subscribed to it alone.
      CASE WHEN e."isIn" AND e."wanted" IS NULL THEN topics_with(e."declined", topics_without(e."hadOn", e."gives"))
        WHEN e."states" THEN e."declined" ELSE '{}' END AS "takes",
      CASE WHEN e."isRefused" THEN e."hadDefaults" WHEN e."defaults" IS NOT NULL THEN e."defaults" WHEN e."isIn" THEN e."wanted" IS NOT NULL
        ELSE e."hadDefaults" END AS "newDefaults"
    FROM "entering" e
  ), "chosen" AS MATERIALIZED (
    SELECT c.*,
      CASE WHEN cardinality(c."gives") + cardinality(c."takes") = 0 THEN c."hadOn"
        ELSE topics_without(topics_with(c."hadOn", c."gives"), c."takes") END AS "newOn",
      CASE WHEN cardinality(c."gives") + cardinality(c."takes") = 0 THEN c."hadOff"
        ELSE topics_without(topics_with(c."hadOff", c."takes"), c."gives") END AS "newOff",
      cardinality(c."gives") + cardinality(c."takes") > 0 AS "hasChoices"
    FROM "choosing" c
  ), "leaving" AS MATERIALIZED (
    SELECT c.*, CASE c."kind"
      WHEN 'state' THEN coalesce(NOT c."wanted", false) AND NOT (coalesce(c."ifReachable", false) AND NOT c."was" AND NOT c."isSnoozed")
        OR coalesce(c."endsIfNothing", false) AND (c."was" OR c."isSnoozed") AND NOT EXISTS (
          SELECT FROM "Topic" t WHERE t."projectId" = project AND t."deletedAt" IS NULL AND NOT t."archived"
            AND receives_topic(true, c."newOn", c."newOff", c."newDefaults", t."number", t."default" = 'IN'))
      WHEN 'decline' THEN NOT c."was" ELSE false END AS "leaves",
      c."kind" = 'snooze' AND (c."was" OR c."isSnoozed") AS "pauses"
    FROM "chosen" c
  ), "after" AS MATERIALIZED (
    SELECT l.*,
      CASE WHEN l."leaves" OR l."pauses" THEN false WHEN l."isIn" OR (l."kind" = 'resume' AND l."isSnoozed") THEN true ELSE l."was" END AS "is",
      CASE WHEN l."pauses" THEN l."until" WHEN l."leaves" OR l."isIn" OR l."kind" = 'resume' OR (l."kind" = 'state' AND l."wanted" AND l."was") THEN NULL
        ELSE l."wasUntil" END::timestamptz(3) AS "newUntil",
      CASE WHEN l."refusal" IS NOT NULL THEN l."wasPending" WHEN l."kind" = 'request' THEN greatest(l."wasPending", l."until")
        WHEN l."kind" IN ('confirm', 'decline', 'expire') THEN (
          SELECT max(q."expiresAt") FROM "SubscriptionRequest" q
          WHERE q."contactId" = l."contact" AND q."projectId" IS NOT DISTINCT FROM project AND q."status" = 'PENDING' AND q."id" IS DISTINCT FROM l."requestId")
        ELSE l."wasPending" END::timestamptz(3) AS "newPending",
      l."wasStated" OR l."leaves" OR l."isIn" OR l."pauses" OR l."hasChoices" AS "newStated"
    FROM "leaving" l
  ), "result" AS MATERIALIZED (
    SELECT a.*,
      CASE WHEN a."leaves" THEN CASE WHEN a."isSnoozed" OR a."wasBy" = 'recipient' THEN 'recipient'
          ELSE coalesce(a."optOutBy", CASE WHEN a."by" = 'recipient' THEN 'recipient' ELSE 'request' END::"OptOutBy") END
        WHEN a."is" OR a."newUntil" IS NOT NULL OR NOT a."newStated" THEN NULL ELSE coalesce(a."wasBy", 'request') END::"OptOutBy" AS "newBy",
      -- A pause keeps what the subscription rests on.
      CASE WHEN a."isIn" THEN coalesce(a."basis", CASE a."kind" WHEN 'confirm' THEN 'confirmed' ELSE 'default' END::"ConsentBasis")
        WHEN a."is" AND a."was" AND NOT a."isRefused" THEN greatest(a."hadBasis", a."basis")
        WHEN a."is" OR a."newUntil" IS NOT NULL THEN a."hadBasis" END AS "newBasis",
      CASE WHEN a."isIn" THEN a."time" WHEN a."is" AND a."was" AND a."basis" IS NOT NULL THEN greatest(a."hadAt", a."time")
        WHEN a."is" OR a."newUntil" IS NOT NULL THEN a."hadAt" END AS "newAt"
    FROM "after" a
  ), "compared" AS MATERIALIZED (
    SELECT r.*, ("is", "newUntil", "newPending", "newOn", "newOff", "newDefaults", "newStated", "newBy", "newBasis", "newAt")
      IS DISTINCT FROM ("was", "wasUntil", "wasPending", "hadOn", "hadOff", "hadDefaults", "wasStated", "wasBy", "hadBasis", "hadAt") AS "changes",
      coalesce(r."refusal", CASE WHEN r."isRefused" OR r."allowed" <> r."asked" THEN 'opted_out' WHEN r."kind" = 'snooze' AND NOT r."pauses" THEN 'not_subscribed' END::"ConsentRefusal") AS "why"
    FROM "result" r
  ), "decided" AS MATERIALIZED (
    SELECT c.*, CASE WHEN c."changes" THEN 'changed' WHEN c."why" IS NOT NULL THEN 'refused' ELSE 'unchanged' END::"ConsentEffect" AS "outcome",
      -- What has no effect is told of, up to a number that no person reaches. Programs that repeat themselves do not use up what people may say.
      CASE WHEN c."changes" OR ((c."why" IS NOT NULL OR c."always" OR c."basis" IS NOT NULL OR c."evidence" IS NOT NULL) AND (
        SELECT count(*) FROM "ConsentAct" x WHERE x."contactId" = c."contact" AND x."effect" <> 'changed' AND x."recordedAt" > now() - interval '1 hour'
          AND (x."actor" = 'recipient') = (c."actor" = 'recipient')
        ) < {{withoutEffect}}) THEN nextval('"ConsentSeq"') END AS "seq",
      -- Where the subscription was refused, a no to a topic still counts.
      CASE WHEN c."kind" <> 'state' THEN c."kind" WHEN c."isRefused" AND c."changes" THEN 'topics' WHEN c."leaves" OR NOT c."wanted" THEN 'unsubscribe'
        WHEN c."wanted" OR c."wantsIn" OR (c."asked" = '{}' AND c."declined" = '{}' AND c."defaults" IS NULL) THEN 'subscribe' ELSE 'topics'
        END::"ConsentAction" AS "action"
    FROM "compared" c
  ), "written" AS (
    UPDATE "Contact" c SET "subscribed" = d."is", "snoozedUntil" = d."newUntil", "pendingUntil" = d."newPending", "topicsOn" = d."newOn",
      "topicsOff" = d."newOff", "topicDefaults" = d."newDefaults", "stated" = d."newStated", "optOutBy" = d."newBy", "consentBasis" = d."newBasis",
      "consentedAt" = d."newAt", "consentSeq" = d."seq", "updatedAt" = now(),
      "subscriptionChangedAt" = CASE WHEN d."was" <> d."is" THEN now() ELSE c."subscriptionChangedAt" END,
      "optedOutAt" = CASE WHEN d."newBy" = 'recipient' AND d."wasBy" IS DISTINCT FROM 'recipient' THEN now() ELSE c."optedOutAt" END
    FROM "decided" d WHERE c."id" = ANY(ARRAY[d."contact"]) AND d."changes"
  ), "acts" AS (
    INSERT INTO "ConsentAct" ("seq", "projectId", "contactId", "at", "action", "effect", "refusal", "source", "actor", "actorId", "keyName", "basis",
      "liftsOptOut", "optOutBy", "topicsOn", "topicsOff", "topicDefaults", "until", "before", "wordingId", "formId", "formVersion", "emailId", "jobId",
      "executionId", "requestId", "page", "ip", "userAgent", "evidence")
    SELECT d."seq", project, d."contact", d."time", d."action", d."outcome", d."why", d."source", d."actor", d."actorId", d."keyName",
      CASE WHEN d."isIn" THEN d."newBasis" ELSE d."basis" END,
      d."changes" AND (d."isIn" AND d."isOwn" OR d."by" <> 'recipient' AND d."gives" && d."hadOff"), CASE WHEN d."leaves" THEN d."newBy" END,
      CASE WHEN d."changes" AND d."states" THEN nullif(d."gives", '{}') ELSE nullif(d."asked", '{}') END,
      CASE WHEN d."changes" AND d."states" THEN nullif(d."takes", '{}') ELSE nullif(d."declined", '{}') END,
      CASE WHEN d."newDefaults" <> d."hadDefaults" THEN d."newDefaults" END,
      CASE WHEN d."kind" = 'snooze' THEN d."until" WHEN d."kind" NOT IN ('state', 'resume') THEN d."newPending" END,
      CASE WHEN d."changes" AND d."hadSeq" IS NULL THEN jsonb_build_object('subscribed', d."was", 'snoozedUntil', d."wasUntil", 'pendingUntil', d."wasPending",
        'topicsOn', d."hadOn", 'topicsOff', d."hadOff", 'topicDefaults', d."hadDefaults", 'stated', d."wasStated", 'optOutBy', d."wasBy",
        'consentBasis', d."hadBasis", 'consentedAt', d."hadAt") END,
      d."wordingId", d."formId", d."formVersion", d."emailId", d."jobId", d."executionId", d."requestId", d."page", d."ip", d."userAgent", d."evidence"
    FROM "decided" d WHERE d."seq" IS NOT NULL
  ), "forgotten" AS (
    DELETE FROM "OptOut" o USING "decided" d WHERE d."is" AND (d."isIn" OR d."wanted" AND d."mayDoAll") AND o."projectId" = project
      AND o."addressHash" = decode(d."optOut", 'hex')
  ), "told" AS (
    INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId")
    SELECT uuid7(), project, 'SYSTEM'::"EventKind", CASE WHEN d."is" THEN {{subscribed}} ELSE {{unsubscribed}} END,
      jsonb_strip_nulls(jsonb_build_object('reason', d."reason",
        'snoozedUntil', CASE WHEN d."pauses" THEN to_char(d."newUntil" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END,
        'basis', CASE WHEN d."isIn" AND (d."basis" IS NOT NULL OR d."kind" = 'confirm') THEN d."newBasis" END,
        'topics', CASE WHEN d."hasChoices" THEN topics_by_key(project, d."gives", d."takes") END)),
      d."contact", CASE WHEN d."actor" = 'recipient' THEN d."emailId" END
    FROM "decided" d WHERE d."was" <> d."is" AND d."reason" IS NOT NULL
    UNION ALL
    SELECT uuid7(), project, 'SYSTEM'::"EventKind", CASE WHEN t."gets" THEN {{topicSubscribed}} ELSE {{topicUnsubscribed}} END,
      jsonb_build_object('topic', t."key", 'reason', d."reason"), d."contact", CASE WHEN d."actor" = 'recipient' THEN d."emailId" END
    FROM "decided" d CROSS JOIN LATERAL (
      SELECT t."key", receives_topic(true, d."newOn", d."newOff", d."newDefaults", t."number", t."default" = 'IN') AS "gets",
        receives_topic(true, d."hadOn", d."hadOff", d."hadDefaults", t."number", t."default" = 'IN') AS "got"
      FROM "Topic" t WHERE t."projectId" = project AND t."number" = ANY(d."gives" || d."takes")) t
    WHERE d."hasChoices" AND d."was" AND d."is" AND d."reason" IS NOT NULL AND t."gets" <> t."got"
  )
  SELECT d."contact", d."outcome", d."why", d."was" <> d."is", d."is", d."newUntil", d."was", d."isSnoozed" FROM "decided" d;
END $$;

-- Choices as people name them. A topic that was deleted is still named.
CREATE FUNCTION topics_by_key(project uuid, yes smallint[], no smallint[]) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(t."key", t."number" = ANY(coalesce(yes, '{}')) ORDER BY t."number"), '{}') FROM "Topic" t
  WHERE t."projectId" = project AND t."number" = ANY(coalesce(yes, '{}') || coalesce(no, '{}'))
$$;

-- The act of a contact that is created subscribed, opted out or with choices.
CREATE FUNCTION record_first_act(project uuid, contact uuid, act bigint, act_action "ConsentAction", lifts boolean, by_whom "OptOutBy", yes smallint[],
  nos smallint[], is_partial boolean, said jsonb) RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO "ConsentAct" ("seq", "projectId", "contactId", "at", "action", "effect", "source", "actor", "actorId", "keyName", "basis", "liftsOptOut",
    "optOutBy", "topicsOn", "topicsOff", "topicDefaults", "wordingId", "formId", "formVersion", "emailId", "jobId", "executionId", "page", "ip",
    "userAgent", "evidence")
  SELECT act, project, contact, coalesce(s."at", now()), act_action, 'changed', s."source", s."actor", s."actorId", s."keyName",
    CASE WHEN act_action = 'subscribe' THEN coalesce(s."basis", 'default') ELSE s."basis" END, coalesce(lifts, false), by_whom, nullif(yes, '{}'),
    nullif(nos, '{}'), CASE WHEN is_partial THEN false END, s."wordingId", s."formId", s."formVersion", s."emailId", s."jobId", s."executionId", s."page",
    s."ip", s."userAgent", s."evidence"
  FROM jsonb_to_record(said) AS s("source" "ConsentSource", "actor" "ConsentActor", "actorId" uuid, "keyName" text, "basis" "ConsentBasis",
    "at" timestamptz, "wordingId" uuid, "formId" uuid, "formVersion" int, "emailId" uuid, "jobId" uuid, "executionId" uuid, "page" text, "ip" text,
    "userAgent" text, "evidence" jsonb)
$$;
