-- What the acts of contacts say of them: the state that follows from those with an effect, in their order, from the last state that one carries. It
-- reads the log alone (behaviour B12.4).
CREATE FUNCTION fold_consent(project uuid, contacts uuid[])
RETURNS TABLE (
  "contactId" uuid, "seq" bigint, "subscribed" boolean, "snoozedUntil" timestamptz, "pendingUntil" timestamptz, "topicsOn" smallint[],
  "topicsOff" smallint[], "topicDefaults" boolean, "stated" boolean, "optOutBy" "OptOutBy", "consentBasis" "ConsentBasis", "consentedAt" timestamptz
) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_variable
DECLARE
  act record;
BEGIN
  FOR act IN
    SELECT a.* FROM "ConsentAct" a WHERE a."contactId" = ANY(contacts) AND a."projectId" IS NOT DISTINCT FROM project AND a."effect" = 'changed'
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
    IF act."action" IN ('subscribe', 'unsubscribe', 'topics', 'confirm') AND (act."topicsOn" IS NOT NULL OR act."topicsOff" IS NOT NULL) THEN
      "topicsOn" := topics_without(topics_with("topicsOn", act."topicsOn"), act."topicsOff");
      "topicsOff" := topics_without(topics_with("topicsOff", act."topicsOff"), act."topicsOn");
      "stated" := true;
    END IF;
    "topicDefaults" := coalesce(act."topicDefaults", "topicDefaults");
    IF act."action" IN ('request', 'confirm', 'decline', 'expire') THEN
      "pendingUntil" := act."until";
    END IF;
    IF act."action" IN ('subscribe', 'confirm', 'topics') AND (act."basis" IS NOT NULL OR act."action" <> 'topics') THEN
      IF "subscribed" OR act."action" = 'topics' THEN
        IF "subscribed" AND act."basis" IS NOT NULL THEN
          "consentBasis" := greatest("consentBasis", act."basis");
          "consentedAt" := greatest("consentedAt", act."at");
        END IF;
      ELSE
        "consentBasis" := act."basis";
        "consentedAt" := act."at";
      END IF;
    END IF;
    IF act."action" IN ('subscribe', 'confirm') THEN
      "subscribed" := true;
      "snoozedUntil" := NULL;
      "stated" := true;
      "optOutBy" := NULL;
    ELSIF act."action" = 'unsubscribe' OR (act."action" = 'decline' AND act."optOutBy" IS NOT NULL) THEN
      "subscribed" := false;
      "snoozedUntil" := NULL;
      "stated" := true;
      "optOutBy" := act."optOutBy";
      "consentBasis" := NULL;
      "consentedAt" := NULL;
    ELSIF act."action" = 'snooze' THEN
      "subscribed" := false;
      "snoozedUntil" := act."until";
      "stated" := true;
      "optOutBy" := NULL;
    ELSIF act."action" = 'resume' THEN
      "subscribed" := "subscribed" OR "snoozedUntil" IS NOT NULL;
      "snoozedUntil" := NULL;
    END IF;
    IF "stated" AND NOT "subscribed" AND "snoozedUntil" IS NULL AND "optOutBy" IS NULL THEN
      "optOutBy" := 'request';
    END IF;
  END LOOP;
  IF "contactId" IS NOT NULL THEN
    RETURN NEXT;
  END IF;
END $$;
