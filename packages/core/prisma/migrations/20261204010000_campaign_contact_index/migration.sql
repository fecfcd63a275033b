-- Created after "Email_campaign_address": of a campaign that statistics do not know yet, the planner expects one row from either index, and of
-- indexes that cost the same it takes the one created last. With the other one, a look-up by contact reads all emails of the campaign.
ALTER INDEX "Email_campaign_contact" RENAME TO "Email_campaign_contact_before";
CREATE UNIQUE INDEX "Email_campaign_contact" ON "Email" ("campaignId", "contactId") WHERE "campaignId" IS NOT NULL AND "contactId" IS NOT NULL;
DROP INDEX "Email_campaign_contact_before";
