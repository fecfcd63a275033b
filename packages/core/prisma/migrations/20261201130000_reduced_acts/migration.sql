-- Retention of what is left of the acts of deleted contacts, and of closed subscription requests. Both tables are as new as the log itself.
CREATE INDEX "ConsentAct_reduced" ON "ConsentAct" ("recordedAt") WHERE "contactId" IS NULL;
CREATE INDEX "SubscriptionRequest_closed" ON "SubscriptionRequest" ("closedAt") WHERE "closedAt" IS NOT NULL;
CREATE INDEX "ConsentAct_left" ON "ConsentAct" ("recordedAt") WHERE "contactId" IS NOT NULL AND "action" = 'unsubscribe';
