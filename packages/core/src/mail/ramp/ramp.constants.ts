import type { SqlConstants } from '../../base/db/index.ts';
import { simulatorPattern } from '../../base/kernel/simulator.rules.ts';

export const constants: SqlConstants = { simulated: simulatorPattern };
