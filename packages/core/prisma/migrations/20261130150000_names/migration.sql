-- Contacts are found by their names, and entries of the audit log name what was removed.
CREATE INDEX "Contact_names" ON "Contact" USING gin ("projectId", array_to_tsvector(array_remove(regexp_split_to_array(lower(translate(regexp_replace(normalize(
  left(coalesce("data" ->> 'firstName', ''), 100) || ' ' || left(coalesce("data" ->> 'lastName', ''), 100) || ' ' || left(coalesce("data" ->> 'name', ''), 100), NFD),
  '[\u0300-\u036f]+', '', 'g'), 'ŁłØøĐđ', 'LlOoDd')), '\s+'), ''))) WHERE "data" ?| '{firstName,lastName,name}'::text[];
ALTER TABLE "AuditLog" ADD COLUMN "targetName" TEXT;
