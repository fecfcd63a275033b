import type { SqlConstants } from '../../base/db/index.ts';
import { manyContacts } from './segments.rules.ts';

export const constants: SqlConstants = { manyContacts };
