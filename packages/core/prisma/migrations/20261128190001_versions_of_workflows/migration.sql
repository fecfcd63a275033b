-- Versions of workflows: steps have keys, a published definition is kept as a document, and executions run the one that they began with.
ALTER TABLE "Workflow" ADD COLUMN "version" integer;
ALTER TABLE "WorkflowStep" ADD COLUMN "key" text NOT NULL DEFAULT (gen_random_uuid())::text;

-- A key is made from the name: lower case, accents removed, everything else a hyphen, cut. From a name without a letter a to z it is the type.
DO $migration$
DECLARE
  step record;
  base text;
  free text;
  n int;
BEGIN
  FOR step IN SELECT "id", "workflowId", "type", "name" FROM "WorkflowStep" ORDER BY "createdAt", "id" LOOP
    base := trim(BOTH '-' FROM left(trim(BOTH '-' FROM regexp_replace(
      regexp_replace(normalize(lower(step."name"), NFD), '[\u0300-\u036f]+', '', 'g'), '[^a-z0-9]+', '-', 'g')), 60));
    IF step."type" = 'TRIGGER' THEN
      base := 'trigger';
    ELSIF base !~ '[a-z]' THEN
      base := replace(lower(step."type"::text), '_', '-');
    END IF;
    free := base;
    n := 1;
    WHILE (free = 'trigger' AND step."type" <> 'TRIGGER')
      OR EXISTS (SELECT FROM "WorkflowStep" s WHERE s."workflowId" = step."workflowId" AND s."key" = free) LOOP
      n := n + 1;
      free := trim(BOTH '-' FROM left(base, 60 - length('-' || n))) || '-' || n;
    END LOOP;
    UPDATE "WorkflowStep" SET "key" = free WHERE "id" = step."id";
  END LOOP;
END $migration$;

DROP INDEX "WorkflowStep_workflowId_idx";
CREATE UNIQUE INDEX "WorkflowStep_workflowId_key_key" ON "WorkflowStep"("workflowId", "key");

CREATE TABLE "WorkflowVersion" (
    "projectId" UUID NOT NULL,
    "workflowId" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" JSONB NOT NULL,
    "steps" JSONB NOT NULL,
    "reads" TEXT[],
    "templateIds" UUID[],
    "note" TEXT,
    "authorType" TEXT NOT NULL,
    "authorId" UUID,
    "keyName" TEXT,
    "move" JSONB,
    "movedTo" INTEGER,
    "entered" BOOLEAN NOT NULL DEFAULT false,
    "publishedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WorkflowVersion_pkey" PRIMARY KEY ("workflowId","version")
);
CREATE INDEX "WorkflowVersion_projectId_idx" ON "WorkflowVersion"("projectId");
ALTER TABLE "WorkflowVersion" ADD CONSTRAINT "WorkflowVersion_projectId_workflowId_fkey" FOREIGN KEY ("projectId", "workflowId") REFERENCES "Workflow"("projectId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "WorkflowDraft" (
    "workflowId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "definition" JSONB NOT NULL,
    "steps" JSONB NOT NULL,
    "reads" TEXT[],
    "templateIds" UUID[],
    "changes" INTEGER NOT NULL,
    "authorType" TEXT NOT NULL,
    "authorId" UUID,
    "keyName" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WorkflowDraft_pkey" PRIMARY KEY ("workflowId")
);
CREATE UNIQUE INDEX "WorkflowDraft_projectId_workflowId_key" ON "WorkflowDraft"("projectId", "workflowId");
ALTER TABLE "WorkflowDraft" ADD CONSTRAINT "WorkflowDraft_projectId_workflowId_fkey" FOREIGN KEY ("projectId", "workflowId") REFERENCES "Workflow"("projectId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX "WorkflowVersion_steps" ON "WorkflowVersion" USING gin ("steps");
CREATE INDEX "WorkflowDraft_steps" ON "WorkflowDraft" USING gin ("steps");

-- Rows that exist have the first version: a default that is dropped again is given to them without writing them.
ALTER TABLE "WorkflowExecution" ADD COLUMN "version" integer DEFAULT 1;
ALTER TABLE "WorkflowExecution" ALTER COLUMN "version" DROP DEFAULT;
ALTER TABLE "WorkflowStepExecution" ADD COLUMN "version" integer DEFAULT 1;
ALTER TABLE "WorkflowStepExecution" ALTER COLUMN "version" DROP DEFAULT;
CREATE INDEX "Execution_at_step" ON "WorkflowExecution" ("workflowId", "currentStepId", "id") WHERE "status" IN ('RUNNING', 'WAITING');

-- Every workflow that was ever enabled has version 1.
UPDATE "Workflow" w SET "version" = 1
WHERE w."enabled" OR w."triggersSince" IS NOT NULL
  OR EXISTS (SELECT FROM "WorkflowExecution" x WHERE x."projectId" = w."projectId" AND x."workflowId" = w."id");

INSERT INTO "WorkflowVersion" ("projectId", "workflowId", "version", "definition", "steps", "reads", "templateIds", "authorType", "entered")
SELECT w."projectId", w."id", 1,
  jsonb_build_object('triggerType', w."triggerType", 'triggerConfig', w."triggerConfig", 'allowReentry', w."allowReentry",
    'steps', coalesce((
      SELECT jsonb_agg(jsonb_build_object('id', s."id", 'key', s."key", 'type', s."type", 'name', s."name",
        'position', jsonb_build_object('x', s."positionX", 'y', s."positionY"), 'config', s."config", 'templateId', s."templateId",
        'createdAt', to_char(s."createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'updatedAt', to_char(s."updatedAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY s."createdAt", s."id")
      FROM "WorkflowStep" s WHERE s."workflowId" = w."id"), '[]'),
    'transitions', coalesce((
      SELECT jsonb_agg(jsonb_build_object('id', t."id", 'fromStepId', t."fromStepId", 'toStepId', t."toStepId", 'branch', t."branch",
        'waitOutcome', t."waitOutcome", 'priority', t."priority",
        'createdAt', to_char(t."createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'updatedAt', to_char(t."updatedAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY t."createdAt", t."id")
      FROM "WorkflowTransition" t WHERE t."workflowId" = w."id"), '[]')),
  coalesce((
    SELECT jsonb_object_agg(s."id", jsonb_build_object('key', s."key", 'name', s."name", 'type', s."type",
      'waits', CASE WHEN s."type" = 'WAIT_FOR_EVENT' THEN jsonb_build_array(s."config" -> 'eventName') ELSE '[]' END))
    FROM "WorkflowStep" s WHERE s."workflowId" = w."id"), '{}'),
  w."reads" || ARRAY(
    SELECT DISTINCT r FROM "WorkflowStep" s CROSS JOIN unnest(s."reads" || coalesce(s."textReads", '{}')) r WHERE s."workflowId" = w."id"),
  ARRAY(SELECT DISTINCT s."templateId" FROM "WorkflowStep" s WHERE s."workflowId" = w."id" AND s."templateId" IS NOT NULL),
  'system',
  EXISTS (SELECT FROM "WorkflowExecution" x WHERE x."projectId" = w."projectId" AND x."workflowId" = w."id")
FROM "Workflow" w WHERE w."version" IS NOT NULL;
