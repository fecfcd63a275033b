-- Counted for audiences and the overview, with the addresses for the suppressed ones among them.
DROP INDEX "Contact_unsubscribed";
CREATE INDEX "Contact_unsubscribed" ON "Contact" ("projectId", "createdAt", "id") INCLUDE ("snoozedUntil", "email") WHERE NOT "subscribed";
