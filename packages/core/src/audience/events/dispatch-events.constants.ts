import type { SqlConstants } from '../../base/db/index.ts';
import type { StoredType } from '../../base/event-types/event-types.rules.ts';
import { senderRefusals } from '../../base/kernel/enums.ts';

/** After these the reputation of the project is judged again. */
const judged: readonly StoredType[] = ['email.bounce', 'email.complaint'];
/** After this as well, if it is a refusal that is about the sender. */
const failed: StoredType = 'email.failed';

export const constants: SqlConstants = { judged, failed, refusals: senderRefusals };
