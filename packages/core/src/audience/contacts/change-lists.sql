-- The data of a contact after changes of its lists, an object of {add, remove} by key. `changedList` in lists.rules.ts does the same.
CREATE FUNCTION change_lists(data jsonb, changes jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT data || coalesce(jsonb_object_agg(change."key", (
    SELECT coalesce(jsonb_agg(kept."item" ORDER BY kept."at"), '[]') FROM (
      SELECT item."item", min(item."at") AS "at" FROM (
        SELECT e."value" AS "item", e."ordinality" AS "at"
        FROM jsonb_array_elements(CASE jsonb_typeof(data -> change."key")
          WHEN 'array' THEN data -> change."key" WHEN 'string' THEN jsonb_build_array(data -> change."key") ELSE '[]' END)
          WITH ORDINALITY e
        WHERE NOT (change."value" -> 'remove') @> e."value"
        UNION ALL
        SELECT e."value", {{maxItems}} + e."ordinality" FROM jsonb_array_elements(change."value" -> 'add') WITH ORDINALITY e
      ) item GROUP BY item."item" ORDER BY min(item."at") LIMIT {{maxItems}}
    ) kept
  )), '{}')
  FROM jsonb_each(changes) change
$$;

-- The data of a contact after the change of a request. It is inlined, so that requests without lists pay for a comparison with NULL.
CREATE FUNCTION patched_data(data jsonb, patch jsonb, lists jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN lists IS NULL THEN jsonb_strip_nulls(data || patch)
    ELSE change_lists(jsonb_strip_nulls(data || patch), lists) END
$$;
