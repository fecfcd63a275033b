-- No writer can omit the log (behaviour B12.4): what acts say of a contact changes together with the act of the present state. Until the contacts from
-- before there was a log are brought into it, processes of the version before may still write; what they change is known as from before.
CREATE FUNCTION guard_consent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "ConsentPass" p WHERE p."part" = TG_ARGV[0] AND p."completedAt" IS NOT NULL) THEN
    RAISE EXCEPTION 'the consent of contact % changes without an act', NEW."id" USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  NEW."consentSeq" := NULL;
  NEW."stated" := true;
  NEW."optOutBy" := opt_out_by(NEW."subscribed", NEW."snoozedUntil", true, NULL, NEW."subscriptionChangedAt", NEW."optedOutAt");
  NEW."consentBasis" := CASE WHEN NEW."subscribed" OR NEW."snoozedUntil" IS NOT NULL THEN coalesce(NEW."consentBasis", 'unknown') END;
  NEW."consentedAt" := CASE WHEN NEW."subscribed" OR NEW."snoozedUntil" IS NOT NULL THEN NEW."consentedAt" END;
  RETURN NEW;
END $$;
CREATE TRIGGER "Contact_consent_created" BEFORE INSERT ON "Contact" FOR EACH ROW
  WHEN (coalesce(NEW."consentSeq", 0) = 0 AND (NEW."subscribed" OR NEW."snoozedUntil" IS NOT NULL OR NEW."pendingUntil" IS NOT NULL
    OR NEW."optOutBy" IS NOT NULL OR NEW."topicsOn" <> '{}' OR NEW."topicsOff" <> '{}' OR NOT NEW."topicDefaults"))
  EXECUTE FUNCTION guard_consent('creations');
CREATE TRIGGER "Contact_consent_changed" BEFORE UPDATE OF "subscribed", "snoozedUntil", "pendingUntil", "topicsOn", "topicsOff", "topicDefaults", "stated", "optOutBy"
  ON "Contact" FOR EACH ROW
  WHEN (NEW."consentSeq" IS NOT DISTINCT FROM OLD."consentSeq" AND (NEW."subscribed", NEW."snoozedUntil", NEW."pendingUntil", NEW."topicsOn",
    NEW."topicsOff", NEW."topicDefaults", NEW."stated", NEW."optOutBy") IS DISTINCT FROM (OLD."subscribed", OLD."snoozedUntil", OLD."pendingUntil",
    OLD."topicsOn", OLD."topicsOff", OLD."topicDefaults", OLD."stated", OLD."optOutBy"))
  EXECUTE FUNCTION guard_consent('changes');

-- Acts stay as they are. Once its contact is deleted, an act keeps what is told of no person; addresses of clients go when an opt-out is old, rows
-- without a contact after the same time, and everything with its project.
CREATE FUNCTION guard_acts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF (OLD."contactId" IS NULL AND OLD."recordedAt" < now() - {{keptFor}}::interval)
      OR EXISTS (SELECT FROM "ProjectRemoval" r WHERE r."projectId" = OLD."projectId" AND r."completedAt" IS NULL AND r."kind" = 'DELETE')
      OR NOT EXISTS (SELECT FROM "Project" p WHERE p."id" = OLD."projectId")
    THEN
      RETURN OLD;
    END IF;
  ELSIF to_jsonb(NEW) - {{ofPeople}}::text[] = to_jsonb(OLD) - {{ofPeople}}::text[]
    AND (NEW."contactId" IS NULL OR NEW."recordedAt" < now() - {{keptFor}}::interval AND NEW."contactId" = OLD."contactId"
      AND to_jsonb(NEW) - '{page,ip,userAgent}'::text[] = to_jsonb(OLD) - '{page,ip,userAgent}'::text[])
    AND NOT EXISTS (
      SELECT FROM jsonb_each(to_jsonb(NEW)) n WHERE n."value" <> 'null' AND n."key" <> 'addressHash' AND n."value" IS DISTINCT FROM to_jsonb(OLD) -> n."key")
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a consent act is never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER "ConsentAct_kept" BEFORE UPDATE OR DELETE ON "ConsentAct" FOR EACH ROW EXECUTE FUNCTION guard_acts();
