import type { SqlConstants } from '../../../base/db/index.ts';
import { quarter } from '../../../base/figures/index.ts';

export const constants: SqlConstants = { quarter };
