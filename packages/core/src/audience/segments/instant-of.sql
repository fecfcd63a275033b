-- The instant of an ISO 8601 date, in a zone unless it has an offset; null for what `instantOf` of base/lib refuses. The first ten
-- characters are the day, so the parts are found by their places.
CREATE FUNCTION instant_of(value text, zone text) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  suffix text;
  moment timestamp;
  at timestamptz;
BEGIN
  IF value IS NULL OR value !~ {{iso}} THEN
    RETURN NULL;
  END IF;
  IF length(value) = 10 THEN
    RETURN value::timestamp AT TIME ZONE zone;
  END IF;
  suffix := substring(substring(value FROM 12) FROM '[Zz+-].*$');
  -- Microseconds would be rounded, and JavaScript cuts off what follows the milliseconds.
  moment := (left(value, 10) || ' ' || substring(substring(value FROM 12) FROM '^[0-9:]+(?:[.][0-9]{1,3})?'))::timestamp;
  IF suffix IS NULL THEN
    at := moment AT TIME ZONE zone;
  ELSIF length(suffix) = 1 THEN
    at := moment AT TIME ZONE 'UTC';
  ELSE
    -- PostgreSQL takes no offsets of 16 hours or more.
    at := (moment - (left(suffix, 3) || ' hours')::interval - (left(suffix, 1) || right(suffix, 2) || ' minutes')::interval) AT TIME ZONE 'UTC';
  END IF;
  IF at < {{earliest}}::timestamptz OR at > {{latest}}::timestamptz THEN
    RETURN NULL;
  END IF;
  RETURN at;
END $$;
