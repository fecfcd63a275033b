-- What the acts of contacts say of them: the state that follows from those with an effect, in their order, from the last state that one carries. It
-- reads the log alone (behaviour B12.4). The acts come in the order of their index, whatever statistics say of the table; what an act cannot change is
-- not computed, because each expression of the loop costs as much as reading the act.
CREATE FUNCTION fold_consent(project uuid, contacts uuid[])
RETURNS TABLE (
  "contactId" uuid, "seq" bigint, "subscribed" boolean, "snoozedUntil" timestamptz, "pendingUntil" timestamptz, "topicsOn" smallint[],
  "topicsOff" smallint[], "topicDefaults" boolean, "stated" boolean, "optOutBy" "OptOutBy", "consentBasis" "ConsentBasis", "consentedAt" timestamptz
) LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_variable
DECLARE
  act record;
BEGIN
  FOR act IN
    SELECT a."contactId", a."seq", a."action", a."at", a."basis", a."optOutBy", a."until", a."before", a."topicsOn" AS "yes", a."topicsOff" AS "no",
      a."topicDefaults" AS "defaults", a."topicsOn" IS NOT NULL OR a."topicsOff" IS NOT NULL AS "chooses"
    FROM "ConsentAct" a WHERE a."contactId" = ANY(contacts) AND a."projectId" IS NOT DISTINCT FROM project AND a."effect" = 'changed'
    ORDER BY a."contactId", a."seq"
  LOOP
    IF act."contactId" IS DISTINCT FROM "contactId" THEN
      IF "contactId" IS NOT NULL THEN
        RETURN NEXT;
      END IF;
      "contactId" := act."contactId";
      "subscribed" := false;
      "snoozedUntil" := NULL;
      "pendingUntil" := NULL;
      "topicsOn" := '{}';
      "topicsOff" := '{}';
      "topicDefaults" := true;
      "stated" := false;
      "optOutBy" := NULL;
      "consentBasis" := NULL;
      "consentedAt" := NULL;
    END IF;
    "seq" := act."seq";
    IF act."before" IS NOT NULL THEN
      SELECT b."subscribed", b."snoozedUntil", b."pendingUntil", b."topicsOn", b."topicsOff", b."topicDefaults", b."stated", b."optOutBy", b."consentBasis", b."consentedAt"
        INTO "subscribed", "snoozedUntil", "pendingUntil", "topicsOn", "topicsOff", "topicDefaults", "stated", "optOutBy", "consentBasis", "consentedAt"
        FROM jsonb_to_record(act."before") AS b("subscribed" boolean, "snoozedUntil" timestamptz, "pendingUntil" timestamptz, "topicsOn" smallint[],
          "topicsOff" smallint[], "topicDefaults" boolean, "stated" boolean, "optOutBy" "OptOutBy", "consentBasis" "ConsentBasis", "consentedAt" timestamptz);
    END IF;
    IF act."chooses" AND act."action" IN ('subscribe', 'unsubscribe', 'topics', 'confirm') THEN
      -- A first choice of one topic, which most are, needs no set to be sorted.
      IF "topicsOn" = '{}' AND "topicsOff" = '{}' AND coalesce(cardinality(act."yes"), 0) + coalesce(cardinality(act."no"), 0) = 1 THEN
        "topicsOn" := coalesce(act."yes", '{}');
        "topicsOff" := coalesce(act."no", '{}');
      ELSE
        "topicsOn" := topics_without(topics_with("topicsOn", act."yes"), act."no");
        "topicsOff" := topics_without(topics_with("topicsOff", act."no"), act."yes");
      END IF;
      "stated" := true;
    END IF;
    IF act."defaults" IS NOT NULL THEN
      "topicDefaults" := act."defaults";
    END IF;
    CASE
      WHEN act."action" IN ('subscribe', 'confirm') THEN
        IF NOT "subscribed" THEN
          "consentBasis" := act."basis";
          "consentedAt" := act."at";
        ELSIF act."basis" IS NOT NULL THEN
          "consentBasis" := greatest("consentBasis", act."basis");
          "consentedAt" := greatest("consentedAt", act."at");
        END IF;
        "subscribed" := true;
        "snoozedUntil" := NULL;
        "stated" := true;
        "optOutBy" := NULL;
        IF act."action" = 'confirm' THEN
          "pendingUntil" := act."until";
        END IF;
      WHEN act."action" = 'topics' THEN
        IF "subscribed" AND act."basis" IS NOT NULL THEN
          "consentBasis" := greatest("consentBasis", act."basis");
          "consentedAt" := greatest("consentedAt", act."at");
        END IF;
      WHEN act."action" = 'snooze' THEN
        "subscribed" := false;
        "snoozedUntil" := act."until";
        "stated" := true;
        "optOutBy" := NULL;
      WHEN act."action" = 'resume' THEN
        "subscribed" := "subscribed" OR "snoozedUntil" IS NOT NULL;
        "snoozedUntil" := NULL;
      ELSE
        IF act."action" IN ('request', 'decline', 'expire') THEN
          "pendingUntil" := act."until";
        END IF;
        IF act."action" = 'unsubscribe' OR (act."action" = 'decline' AND act."optOutBy" IS NOT NULL) THEN
          "subscribed" := false;
          "snoozedUntil" := NULL;
          "stated" := true;
          "optOutBy" := act."optOutBy";
          "consentBasis" := NULL;
          "consentedAt" := NULL;
        END IF;
    END CASE;
    IF NOT "subscribed" AND "stated" AND "snoozedUntil" IS NULL AND "optOutBy" IS NULL THEN
      "optOutBy" := 'request';
    END IF;
  END LOOP;
  IF "contactId" IS NOT NULL THEN
    RETURN NEXT;
  END IF;
END $$;
