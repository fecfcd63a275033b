import type { SqlConstants } from '../../base/db/index.ts';
import { maxItems } from './fields/lists.rules.ts';

export const constants: SqlConstants = { maxItems };
