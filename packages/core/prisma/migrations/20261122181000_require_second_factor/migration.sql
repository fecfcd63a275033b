-- A project may ask its members for a second factor.
ALTER TABLE "Project" ADD COLUMN "requireSecondFactor" BOOLEAN NOT NULL DEFAULT false;
