import type { Db } from '../../base/db/index.ts';
import { presentWorkflow, type WorkflowRow } from './workflows.store.ts';

/** What the reply to an edit of a part says of the workflow: its live version, and its draft. */
export async function presentEdit(db: Db, workflow: WorkflowRow) {
  const { version, draft } = await presentWorkflow(db, workflow);
  return { version, draft };
}
