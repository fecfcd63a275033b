import type { SqlConstants } from '../db/index.ts';
import { dataLimitBytes } from './contacts.rules.ts';

export const constants: SqlConstants = { maxBytes: dataLimitBytes };
