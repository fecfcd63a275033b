import type { SqlConstants } from '../../base/db/index.ts';
import { earliestInstant, isoPattern, latestInstant } from '../../base/lib/index.ts';

export const constants: SqlConstants = {
  iso: isoPattern,
  earliest: new Date(earliestInstant).toISOString(),
  latest: new Date(latestInstant).toISOString(),
};
