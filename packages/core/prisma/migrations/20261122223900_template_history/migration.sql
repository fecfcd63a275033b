-- Versions get a number; until now each content was stored once, under its hash.
ALTER TABLE "TemplateVersion"
  ADD COLUMN "id" UUID,
  ADD COLUMN "number" INTEGER,
  ADD COLUMN "authorType" TEXT,
  ADD COLUMN "authorId" UUID,
  ADD COLUMN "keyName" TEXT;

-- The present content comes last, also where an older content is in use again.
UPDATE "TemplateVersion" v SET "id" = gen_random_uuid(), "number" = n."number"
FROM (
  SELECT v."templateId", v."version", row_number() OVER (
    PARTITION BY v."templateId"
    ORDER BY t."version" IS NOT DISTINCT FROM v."version", v."createdAt", v."version"
  )::int AS "number"
  FROM "TemplateVersion" v LEFT JOIN "Template" t ON t."id" = v."templateId"
) n
WHERE n."templateId" = v."templateId" AND n."version" = v."version";

ALTER TABLE "Template" ADD COLUMN "lastVersion" INTEGER NOT NULL DEFAULT 1;
UPDATE "Template" t SET "lastVersion" = v."number"
FROM (SELECT "templateId", max("number") AS "number" FROM "TemplateVersion" GROUP BY 1) v
WHERE v."templateId" = t."id";
ALTER TABLE "Template" DROP COLUMN "version";

ALTER TABLE "TemplateVersion"
  DROP CONSTRAINT "TemplateVersion_pkey",
  DROP COLUMN "version",
  ALTER COLUMN "id" SET NOT NULL,
  ALTER COLUMN "number" SET NOT NULL,
  ADD CONSTRAINT "TemplateVersion_pkey" PRIMARY KEY ("id");
CREATE UNIQUE INDEX "TemplateVersion_templateId_number_key" ON "TemplateVersion"("templateId", "number");
