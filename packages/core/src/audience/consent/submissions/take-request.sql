-- Counts the requests of a project by the hour, and which of them were confirmed (behaviour B12.6). False, and not counted, if more than `fewest` of a day, and
-- more than `per_confirmed` times the confirmed ones, are unconfirmed.
CREATE FUNCTION take_request(project uuid, fewest int, per_confirmed int) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  of_project CONSTANT bytea := decode(replace(project::text, '-', ''), 'hex');
  this_hour CONSTANT timestamptz := date_trunc('hour', now(), 'UTC');
  asked bigint;
  confirmed bigint;
BEGIN
  INSERT INTO "PublicAttempt" AS a ("scope", "key", "startsAt", "projectId", "count", "expiresAt")
  VALUES ('requests', of_project, this_hour, project, 1, this_hour + interval '26 hours')
  ON CONFLICT ("scope", "key", "startsAt") DO UPDATE SET "count" = a."count" + 1;
  SELECT coalesce(sum(a."count") FILTER (WHERE a."scope" = 'requests'), 0), coalesce(sum(a."count") FILTER (WHERE a."scope" = 'confirmed'), 0)
    INTO asked, confirmed FROM "PublicAttempt" a
    WHERE a."scope" IN ('requests', 'confirmed') AND a."key" = of_project AND a."startsAt" > now() - interval '24 hours';
  IF asked - confirmed > greatest(fewest, per_confirmed * confirmed) THEN
    UPDATE "PublicAttempt" a SET "count" = a."count" - 1 WHERE a."scope" = 'requests' AND a."key" = of_project AND a."startsAt" = this_hour;
    RETURN false;
  END IF;
  RETURN true;
END $$;

-- What a counted submission came to: `none`, because nobody was asked, takes it back; `confirmed` adds a confirmation.
CREATE FUNCTION count_request(project uuid, what text) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  of_project CONSTANT bytea := decode(replace(project::text, '-', ''), 'hex');
  this_hour CONSTANT timestamptz := date_trunc('hour', now(), 'UTC');
BEGIN
  INSERT INTO "PublicAttempt" AS a ("scope", "key", "startsAt", "projectId", "count", "expiresAt")
  VALUES (CASE what WHEN 'none' THEN 'requests' ELSE 'confirmed' END, of_project, this_hour, project, CASE what WHEN 'none' THEN -1 ELSE 1 END,
    this_hour + interval '26 hours')
  ON CONFLICT ("scope", "key", "startsAt") DO UPDATE SET "count" = a."count" + excluded."count";
END $$;
