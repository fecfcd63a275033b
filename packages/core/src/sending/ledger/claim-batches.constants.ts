import type { SqlConstants } from '../../db/index.ts';
import { claimedPriorities } from '../sending.rules.ts';

export const constants: SqlConstants = claimedPriorities;
