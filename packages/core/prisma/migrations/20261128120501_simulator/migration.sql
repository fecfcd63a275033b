-- Emails to the simulator count for nothing, also after erasure has cleared their addresses.
ALTER TABLE "Email" ADD COLUMN "simulated" boolean NOT NULL DEFAULT false;
CREATE INDEX "Email_simulated" ON "Email" ("projectId", "id") WHERE "simulated";

-- What the simulator does later about an email.
CREATE TABLE "SimulatorTask" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "emailId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "link" TEXT,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SimulatorTask_pkey" PRIMARY KEY ("emailId", "kind")
);
CREATE INDEX "SimulatorTask_dueAt_idx" ON "SimulatorTask" ("dueAt");
CREATE INDEX "SimulatorTask_projectId_idx" ON "SimulatorTask" ("projectId");
