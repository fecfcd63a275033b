-- Figures of workflows. Executions of before are counted in the background, by rows: what a row does is entered by triggers once it is `counted`.
ALTER TABLE "WorkflowExecution" ADD COLUMN "counted" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "WorkflowExecution" ALTER COLUMN "counted" SET DEFAULT true;
ALTER TABLE "WorkflowStepExecution" ADD COLUMN "counted" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "WorkflowStepExecution" ALTER COLUMN "counted" SET DEFAULT true;
CREATE INDEX "Execution_uncounted" ON "WorkflowExecution" ("id") WHERE NOT "counted";
CREATE INDEX "StepExecution_uncounted" ON "WorkflowStepExecution" ("id") WHERE NOT "counted";

CREATE TABLE "StepFigureEntry" (
  "id" BIGSERIAL NOT NULL,
  "projectId" UUID NOT NULL,
  "workflowId" UUID NOT NULL,
  "scopeId" UUID NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 0,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "outcome" TEXT NOT NULL DEFAULT '',
  "spent" INTEGER NOT NULL DEFAULT 0,
  "entered" INTEGER NOT NULL DEFAULT 0,
  "left" INTEGER NOT NULL DEFAULT 0,
  "failed" INTEGER NOT NULL DEFAULT 0,
  "blocked" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "StepFigureEntry_pkey" PRIMARY KEY ("projectId", "id")
);
ALTER TABLE "StepFigureEntry" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

CREATE TABLE "StepFigure" (
  "projectId" UUID NOT NULL,
  "workflowId" UUID NOT NULL,
  "scopeId" UUID NOT NULL,
  "unit" "FigureUnit" NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "version" INTEGER NOT NULL,
  "outcome" TEXT NOT NULL,
  "spent" INTEGER NOT NULL,
  "entered" INTEGER NOT NULL,
  "left" INTEGER NOT NULL,
  "failed" INTEGER NOT NULL,
  "blocked" INTEGER NOT NULL,
  CONSTRAINT "StepFigure_pkey" PRIMARY KEY ("projectId", "workflowId", "scopeId", "unit", "at", "version", "outcome", "spent")
);
ALTER TABLE "StepFigure" SET (fillfactor = 70);
-- steps that failed lately, of all projects
CREATE INDEX "StepFigure_failed" ON "StepFigure" ("at") WHERE "unit" = 'quarter' AND "failed" > 0;
