import type { JobContract } from '../kernel/ports/workflow-engine.ts';

/** Hands over what is due in one project's outbox. */
export const drainOutboxJob: JobContract<{ projectId: string }> = {
  workflow: 'drainOutbox',
  taskQueue: 'control',
  id: ({ projectId }) => `outbox/${projectId}`,
};
