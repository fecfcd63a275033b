import type { Db } from '../../base/db/index.ts';
import { findReferences, type References } from '../../base/references/index.ts';

/**
 * The segments, open campaigns, workflows and goals that use an event. Filters refer to email activity by field
 * (`email.open`), which is the event of that name.
 */
export const findEventReferences = (db: Db, projectId: string, name: string): Promise<References> =>
  findReferences(db, projectId, name.startsWith('email.') ? [`event.${name}`, name] : [`event.${name}`]);

export const isInUse = ({ segments, campaigns, workflows, goals }: References): boolean =>
  segments.length + campaigns.length + workflows.length + goals.length > 0;
