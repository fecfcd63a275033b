-- A pass of an execution is a tick everywhere else.
ALTER TABLE "WorkflowExecution" RENAME COLUMN "lostTurns" TO "lostTicks";

-- Since PostgreSQL 18, NOT NULL is a constraint whose name contains that of its column.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'WorkflowExecution_lostTurns_not_null') THEN
    ALTER TABLE "WorkflowExecution" RENAME CONSTRAINT "WorkflowExecution_lostTurns_not_null" TO "WorkflowExecution_lostTicks_not_null";
  END IF;
END $$;
