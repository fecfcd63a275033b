import { projectIdOf, query } from '../../base/kernel/index.ts';
import { contactExecutions, contactExecutionsInput } from './executions.schema.ts';
import { executionsOfContact, presentExecution } from './executions.store.ts';

/** The number of listed executions, newest first. */
const maxExecutions = 50;

export const listContactExecutions = query({
  name: 'workflows.listExecutionsOfContact',
  summary: 'Lists the latest executions of one contact in all workflows',
  permission: 'data:read',
  input: contactExecutionsInput,
  output: contactExecutions,
  async handler(ctx, { contactId }) {
    const found = await executionsOfContact(ctx.db, projectIdOf(ctx), contactId, maxExecutions);
    return found.map(({ workflow, currentStep, ...row }) => ({
      ...presentExecution(row),
      workflow,
      currentStep,
    }));
  },
});
