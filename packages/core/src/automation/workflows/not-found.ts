import { AppError } from '../../base/kernel/index.ts';

export const workflowNotFound = (): AppError => new AppError('WORKFLOW_NOT_FOUND', 'Workflow not found');

export const draftNotFound = (): AppError => new AppError('RESOURCE_NOT_FOUND', 'The workflow has no draft');

/** Steps, transitions and executions share the general error code. */
export const partNotFound = (part: 'Step' | 'Transition' | 'Execution'): AppError =>
  new AppError('RESOURCE_NOT_FOUND', `${part} not found`);
