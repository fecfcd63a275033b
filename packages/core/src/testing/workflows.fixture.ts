/** What tests of other packages need of the runtime of workflows. */
export { advanceExecution } from '../automation/workflows/runtime/runtime.fixture.ts';
export { writeWorkflowEmail } from '../mail/sending/write-workflow-email.fixture.ts';
