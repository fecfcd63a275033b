-- Gives emails from the sandbox one of the slots of their owner's day (behaviour B11.4): the UTC day of their ids, in the order of these.
-- Which process gets a slot is decided by its primary key: ids become visible in another order than they were made in, so counting
-- the smaller ones would let more than `slots` pass. @returns those that have one, also from before
CREATE FUNCTION take_sandbox_slots(owners uuid[], emails uuid[], slots int) RETURNS SETOF uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  mail record;
  has_slot boolean;
  full_owner uuid;
  full_day date;
BEGIN
  FOR mail IN
    SELECT given.owner, given.email,
      (to_timestamp(('x' || left(replace(given.email::text, '-', ''), 12))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC')::date AS day
    FROM unnest(owners, emails) AS given(owner, email) ORDER BY given.owner, given.email
  LOOP
    has_slot := EXISTS (SELECT FROM "SandboxSlot" WHERE "emailId" = mail.email);
    IF NOT has_slot AND NOT coalesce(mail.owner = full_owner AND mail.day = full_day, false) THEN
      FOR slot IN 1..slots LOOP
        INSERT INTO "SandboxSlot" ("userId", "day", "n", "emailId") VALUES (mail.owner, mail.day, slot, mail.email) ON CONFLICT DO NOTHING;
        has_slot := FOUND;
        EXIT WHEN has_slot;
      END LOOP;
      IF NOT has_slot THEN
        full_owner := mail.owner;
        full_day := mail.day;
      END IF;
    END IF;
    IF has_slot THEN
      RETURN NEXT mail.email;
    END IF;
  END LOOP;
END $$;
