-- Gives emails the slots of their contacts (behaviour B14.8). Contacts are taken in their order, so that two claims never wait for each
-- other, and the time is read when all of them are locked: those of a contact grow from one claim to the next.
-- Returns one row per email, with the time (milliseconds since 1970) at which a slot is expected for one that got none.
CREATE FUNCTION take_contact_slots(project uuid, contacts uuid[], emails uuid[], bulks boolean[], ends float8[], most int[], spans float8[])
RETURNS TABLE ("id" uuid, "isGranted" boolean, "freeAt" float8)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  at float8;
  longest float8 := (SELECT max(s) FROM unnest(spans) AS s);
BEGIN
  INSERT INTO "ContactLimit" ("contactId", "projectId")
  SELECT DISTINCT a.contact, project FROM unnest(contacts) AS a(contact)
  WHERE NOT EXISTS (SELECT FROM "ContactLimit" l WHERE l."contactId" = a.contact)
    AND EXISTS (SELECT FROM "Contact" c WHERE c."id" = a.contact AND c."projectId" = project)
  ORDER BY 1 ON CONFLICT DO NOTHING;
  PERFORM FROM (SELECT 1 FROM "ContactLimit" l WHERE l."contactId" = ANY(contacts) AND l."projectId" = project ORDER BY l."contactId" FOR NO KEY UPDATE) AS locked;
  at := floor(extract(epoch FROM clock_timestamp()) * 1000);

  RETURN QUERY
  WITH ask AS MATERIALIZED (
    SELECT * FROM unnest(contacts, emails, bulks, ends) AS a(contact, email, bulk, ends)
  ), stored AS MATERIALIZED (
    SELECT l."contactId" AS contact, l."sent", l."waiting",
      ARRAY(SELECT s.value::float8 FROM jsonb_each_text(l."sent") AS s WHERE s.value::float8 > at - longest ORDER BY 1) AS times
    FROM "ContactLimit" l WHERE l."contactId" = ANY(contacts) AND l."projectId" = project
  ), queue AS MATERIALIZED (
    SELECT a.contact, a.email, a.bulk, a.ends, true AS asks FROM ask a JOIN stored s ON s.contact = a.contact
    WHERE coalesce((s."sent" ->> a.email::text)::float8 <= at - longest, true)
    UNION ALL
    -- One whose claim has not come for minutes after its end is gone.
    SELECT s.contact, w.key::uuid, w.value ->> 0 = '1', (w.value ->> 1)::float8, false
    FROM stored s CROSS JOIN LATERAL jsonb_each(s."waiting") AS w
    WHERE (w.value ->> 1)::float8 > at - {{graceMs}} AND NOT w.key::uuid = ANY(emails)
  ), ranked AS (
    -- Workflows and requests before campaigns, then the older, which has the smaller id.
    SELECT q.*, (row_number() OVER (PARTITION BY q.contact ORDER BY q.bulk, q.email))::int - 1 AS ahead FROM queue q
  ), judged AS MATERIALIZED (
    SELECT r.contact, r.email, r.bulk, r.ends, r.ahead, r.asks, c.granted, c.free_at
    FROM ranked r JOIN stored s ON s.contact = r.contact
    CROSS JOIN LATERAL (
      SELECT bool_and(cardinality(w.times) + r.ahead < cap.most) AS granted,
        -- Those ahead take the slots as they become free, in turn.
        max(CASE WHEN i.n > 0 THEN w.times[i.n] + cap.span ELSE at END + (r.ahead / cap.most) * cap.span) AS free_at
      FROM unnest(most, spans) AS cap(most, span)
      CROSS JOIN LATERAL (SELECT ARRAY(SELECT t FROM unnest(s.times) AS t WHERE t > at - cap.span ORDER BY t) AS times) w
      CROSS JOIN LATERAL (SELECT cardinality(w.times) + r.ahead % cap.most - cap.most + 1 AS n) i
    ) c
  ), changed AS (
    UPDATE "ContactLimit" l SET
      "sent" = coalesce((SELECT jsonb_object_agg(s.key, s.value) FROM jsonb_each(l."sent") AS s WHERE s.value::float8 > at - longest), '{}') || n.granted,
      "waiting" = n.waiting
    FROM (
      SELECT j.contact, coalesce(jsonb_object_agg(j.email, at) FILTER (WHERE j.asks AND j.granted), '{}') AS granted,
        coalesce(jsonb_object_agg(j.email, jsonb_build_array(j.bulk::int, j.ends)) FILTER (
          WHERE j.ahead < {{mostWaiting}} AND (NOT j.asks OR NOT j.granted AND j.ends > at)), '{}') AS waiting
      FROM judged j GROUP BY j.contact HAVING bool_or(j.asks)
    ) n
    WHERE l."contactId" = n.contact AND l."projectId" = project
  )
  SELECT a.email, coalesce(j.granted, true), j.free_at FROM ask a LEFT JOIN judged j ON j.email = a.email AND j.asks;
END $$;
