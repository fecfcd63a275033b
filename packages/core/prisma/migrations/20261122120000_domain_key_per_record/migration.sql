-- Each record has a key of its own (B4.11). Records that shared one get a copy under the same selector, so that the DNS records
-- that exist keep working; new records get a key and a selector of their own.
WITH sharing AS (
  SELECT "id", "keyId", uuid7() AS "copyId"
  FROM (SELECT "id", "keyId", row_number() OVER (PARTITION BY "keyId" ORDER BY "createdAt", "id") AS place FROM "Domain") d
  WHERE place > 1
), copied AS (
  INSERT INTO "DomainKey" ("id", "domain", "selector", "algorithm", "publicKey", "privateCipher", "state", "createdAt")
  SELECT s."copyId", k."domain", k."selector", k."algorithm", k."publicKey", k."privateCipher", k."state", k."createdAt"
  FROM sharing s JOIN "DomainKey" k ON k."id" = s."keyId"
  RETURNING "id"
)
UPDATE "Domain" d SET "keyId" = s."copyId" FROM sharing s JOIN copied c ON c."id" = s."copyId" WHERE d."id" = s."id";

CREATE UNIQUE INDEX "Domain_keyId_key" ON "Domain"("keyId");
ALTER TABLE "DomainKey" ALTER COLUMN "selector" DROP DEFAULT;
