-- Each project has the topic that marketing email without one belongs to (behaviour B12.2). The first migration of topics gave it to those that existed.
CREATE FUNCTION make_general_topic() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Topic" ("id", "projectId", "number", "key", "name", "default")
  VALUES (uuid7(), NEW."id", 1, {{key}}, {{name}}, 'IN') ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "Project_general_topic" AFTER INSERT ON "Project" FOR EACH ROW EXECUTE FUNCTION make_general_topic();
