import type { SqlConstants } from '../../base/db/index.ts';
import type { StoredType } from '../../base/event-types/event-types.rules.ts';
import { dataLimitBytes } from './contacts.rules.ts';

const subscribed: StoredType = 'contact.subscribed';
const unsubscribed: StoredType = 'contact.unsubscribed';

export const constants: SqlConstants = { maxBytes: dataLimitBytes, subscribed, unsubscribed };
