import { findContactId } from '../../audience/contacts/index.ts';
import { projectOf, query } from '../../base/kernel/index.ts';
import { periodOf } from '../../base/lib/index.ts';
import { findStepByKey } from './bulk/matching.store.ts';
import { executionPage, listExecutionsInput } from './executions.schema.ts';
import { presentExecution, readNames, searchExecutions } from './executions.store.ts';
import { workflowNotFound } from './not-found.ts';
import { workflowIdOf } from './workflow-id.ts';
import { findWorkflow } from './workflows.store.ts';

export const listExecutions = query({
  name: 'workflows.listExecutions',
  summary: 'Lists the executions of a workflow, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'WORKFLOW_NOT_FOUND'],
  input: listExecutionsInput,
  output: executionPage,
  async handler(ctx, { id: named, page, pageSize, status, version, stepKey, contact, from, to, heldOut }) {
    const id = await workflowIdOf(ctx, named);
    const { id: projectId, timeZone } = projectOf(ctx);
    if (!(await findWorkflow(ctx.db, projectId, id))) throw workflowNotFound();
    const stepId =
      stepKey === undefined ? undefined : await findStepByKey(ctx.db, { projectId, workflowId: id }, stepKey);
    const contactId = contact === undefined ? undefined : await findContactId(ctx.db, projectId, contact);
    const period = periodOf({ from, to }, timeZone, 'excluded');
    const search = { page, pageSize, status, version, heldOut, ...period };
    const { rows, total } =
      // A step or contact that does not exist has nothing.
      stepId === null || contactId === null
        ? { rows: [], total: 0 }
        : await searchExecutions(ctx.db, projectId, id, { ...search, stepId, contactId });
    const { contactOf, stepOf } = await readNames(
      ctx.db,
      projectId,
      rows,
      rows.flatMap(({ currentStepId }) => currentStepId ?? []),
    );
    const executions = rows.map((row) => ({
      ...presentExecution(row),
      contact: contactOf(row.contactId),
      currentStep: stepOf(row.currentStepId),
    }));
    return { executions, total, page, pageSize, totalPages: Math.ceil(total / pageSize) };
  },
});
