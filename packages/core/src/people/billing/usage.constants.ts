import type { SqlConstants } from '../../base/db/index.ts';
import { freeEmailsPerMonth } from './billing.rules.ts';

export const constants: SqlConstants = { freeEmails: freeEmailsPerMonth };
