import type { SqlConstants } from '../db/index.ts';
import { freeEmailsPerMonth } from './billing.rules.ts';

export const constants: SqlConstants = { freeEmails: freeEmailsPerMonth };
