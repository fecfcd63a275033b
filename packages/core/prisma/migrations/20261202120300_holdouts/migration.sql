-- Campaigns that leave a drawn part of their audience without the email.
ALTER TABLE "Campaign" ADD COLUMN "holdout" SMALLINT NOT NULL DEFAULT 0;
