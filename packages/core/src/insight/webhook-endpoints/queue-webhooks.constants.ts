import type { SqlConstants } from '../../base/db/index.ts';
import { reportedActivities } from '../../base/event-types/event-types.rules.ts';

export const constants: SqlConstants = { reportedActivities };
