ALTER TABLE "Email" ADD COLUMN "unprovenNews" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Project" ADD COLUMN "unprovenMailAt" TIMESTAMPTZ(3);

-- Emails that count against the reputation of a project, and those to the simulator of the provider, which count for nothing. Both are few,
-- and no update that sends an email changes their columns.
CREATE INDEX "Email_reputation" ON "Email" ("projectId", "id") WHERE "bouncedAt" IS NOT NULL OR "complainedAt" IS NOT NULL;
CREATE INDEX "Email_simulator" ON "Email" ("projectId", "id") WHERE "to" LIKE '%@simulator.amazonses.com';
