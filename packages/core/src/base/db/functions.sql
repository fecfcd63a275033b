-- UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits. PostgreSQL 15 has no built-in uuidv7().
CREATE FUNCTION uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

-- Aborts the calling statement, so that a data-modifying statement that detects a broken rule at its end stores nothing.
-- The text becomes the message of SQLSTATE PR001, which src/db/refusal.ts reads.
CREATE FUNCTION refuse(text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'PR001', MESSAGE = $1;
END $$;
