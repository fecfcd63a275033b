import type { SqlConstants } from '../../base/db/index.ts';
import { simulatorPattern } from '../../base/kernel/simulator.rules.ts';
import { freeEmailsPerMonth } from './billing.rules.ts';

export const constants: SqlConstants = { freeEmails: freeEmailsPerMonth, simulated: simulatorPattern };
