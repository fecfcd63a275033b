-- Entries that are not added up yet have no source: they are in the counts.
LOCK TABLE "EmailCount" IN EXCLUSIVE MODE;
INSERT INTO "Figure" ("projectId", "scopeId", "dimension", "unit", "at", "key", "sent", "delivered", "opened", "clicked", "bounced", "complained",
  "unsubscribed", "opens", "clicks")
SELECT c."projectId", c."projectId", 'source', u.unit, u."at", c."sourceType"::text, sum(c."sent"), sum(c."delivered"), sum(c."opened"),
  sum(c."clicked"), sum(c."bounced"), sum(c."complained"), 0, 0, 0
FROM "EmailCount" c
CROSS JOIN LATERAL (VALUES ('quarter'::"FigureUnit", c."at"), ('day', date_trunc('day', c."at", 'UTC'))) u(unit, "at")
GROUP BY c."projectId", u.unit, u."at", c."sourceType";
DROP TABLE "EmailCount";
