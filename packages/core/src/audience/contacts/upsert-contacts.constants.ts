import type { SqlConstants } from '../../base/db/index.ts';
import { dataLimitBytes } from './contacts.rules.ts';

export const constants: SqlConstants = { maxBytes: dataLimitBytes };
