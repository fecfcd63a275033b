-- Whether a contact receives a topic (behaviour B12.2): the only place that says so. One expression, so that the planner puts it in the place of
-- the call. @param topic its number @param is_in whether its default is IN
CREATE FUNCTION receives_topic(
  subscribed boolean, topics_on smallint[], topics_off smallint[], topic_defaults boolean, topic smallint, is_in boolean
) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT subscribed AND (topic = ANY(topics_on) OR topic_defaults AND is_in AND NOT topic = ANY(topics_off))
$$;
