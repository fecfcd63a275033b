-- Reserves usage and emails of the day for several requests: `usages` below the caps of B4.18 if `billed`, `emails` below the daily caps
-- unless `ramp` is null. `latest` has the times of what is not to be sent at once. The refusal of a request is null, 'billing', or that of
-- reserve_ramp.
CREATE FUNCTION reserve_sends(projects uuid[], sources "EmailSource"[], usages int[], emails int[], billed boolean, ramp jsonb,
  latest timestamptz[] DEFAULT NULL)
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
      latest[place] := NULL;
    END LOOP;
  END IF;
  IF ramp IS NOT NULL THEN
    FOR place, reason IN SELECT r."n", r."refusal" FROM reserve_ramp(projects, emails, true, ramp, latest) r WHERE r."refusal" IS NOT NULL LOOP
      refusals[place] := reason;
      IF billed AND usages[place] > 0 THEN
        INSERT INTO "UsageEntry" ("id", "projectId", "month", "sourceType", "quantity")
        VALUES (uuid7(), projects[place], date_trunc('month', now() AT TIME ZONE 'UTC'), sources[place], -usages[place]);
      END IF;
    END LOOP;
  END IF;
  RETURN QUERY SELECT x.n::int, x.refusal FROM unnest(refusals) WITH ORDINALITY AS x(refusal, n);
END $$;
