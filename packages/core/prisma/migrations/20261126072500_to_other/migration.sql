-- Whether the address of an email is that of another person than its contact: a custom address of a workflow step. Comparing addresses, as
-- before, also took a contact that had changed its address for another person.
ALTER TABLE "Email" ADD COLUMN "toOther" BOOLEAN NOT NULL DEFAULT false;

-- Email that waits; what was sent before stays as it is.
UPDATE "Email" e SET "toOther" = true
FROM "DeliveryBatch" b CROSS JOIN LATERAL unnest(b."emailIds") AS u("id"), "WorkflowStepExecution" s, "WorkflowStep" t, "Contact" c
WHERE b."campaignId" IS NULL AND e."id" = u."id" AND e."sourceType" = 'WORKFLOW' AND s."id" = e."workflowStepExecutionId"
  AND t."id" = s."stepId" AND t."config" #>> '{recipient,type}' = 'CUSTOM' AND c."id" = e."contactId" AND c."email" <> e."to";
