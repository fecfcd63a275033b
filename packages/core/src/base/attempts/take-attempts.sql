-- Takes one attempt of each of several limits, or of none: `wanted` is a list of {scope, key (hex), project, most, seconds}. A limit counts from the first
-- attempt that finds it unused or over; limits are locked in the order of the list. attempts.store.ts documents it.
CREATE FUNCTION take_attempts(wanted jsonb) RETURNS TABLE ("over" text, "resetSeconds" int) LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  one record;
  taken int;
  ends timestamptz;
BEGIN
  "over" := NULL;
  "resetSeconds" := 0;
  FOR one IN
    SELECT w."scope", decode(w."key", 'hex') AS "key", w."project", w."most", w."seconds", e.place
    FROM jsonb_array_elements(wanted) WITH ORDINALITY AS e(value, place)
    CROSS JOIN LATERAL jsonb_to_record(e.value) AS w("scope" text, "key" text, "project" uuid, "most" int, "seconds" int) ORDER BY e.place
  LOOP
    INSERT INTO "PublicAttempt" AS a ("scope", "key", "startsAt", "projectId", "count", "expiresAt")
    VALUES (one."scope", one."key", '-infinity', one."project", 1, now() + one."seconds" * interval '1 s')
    ON CONFLICT ("scope", "key", "startsAt") DO UPDATE SET
      "count" = CASE WHEN a."expiresAt" > now() AND a."expiresAt" <= excluded."expiresAt" THEN a."count" + 1 ELSE 1 END,
      "expiresAt" = CASE WHEN a."expiresAt" > now() AND a."expiresAt" <= excluded."expiresAt" THEN a."expiresAt" ELSE excluded."expiresAt" END
    RETURNING a."count", a."expiresAt" INTO taken, ends;
    IF taken > one."most" THEN
      "over" := one."scope";
      "resetSeconds" := greatest(1, ceil(extract(epoch FROM ends - now())))::int;
      -- What was refused counts nowhere.
      UPDATE "PublicAttempt" a SET "count" = a."count" - 1
      FROM jsonb_array_elements(wanted) WITH ORDINALITY AS e(value, place)
      WHERE e.place <= one.place AND a."scope" = e.value ->> 'scope' AND a."key" = decode(e.value ->> 'key', 'hex') AND a."startsAt" = '-infinity';
      EXIT;
    END IF;
  END LOOP;
  RETURN NEXT;
END $$;
