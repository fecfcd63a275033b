import type { SqlConstants } from '../../base/db/index.ts';
import type { StoredType } from '../../base/event-types/event-types.rules.ts';

const failed: StoredType = 'email.failed';
const skipped: StoredType = 'email.skipped';

export const constants: SqlConstants = { failed, skipped };
