import type { SqlConstants } from '../../base/db/index.ts';
import { claimedPriorities } from './ledger.rules.ts';

export const constants: SqlConstants = claimedPriorities;
