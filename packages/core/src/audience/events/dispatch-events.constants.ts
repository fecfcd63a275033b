import type { SqlConstants } from '../../base/db/index.ts';
import type { StoredType } from '../../base/event-types/event-types.rules.ts';

/** After these the reputation of the project is judged again. */
const judged: readonly StoredType[] = ['email.bounce', 'email.complaint'];

export const constants: SqlConstants = { judged };
