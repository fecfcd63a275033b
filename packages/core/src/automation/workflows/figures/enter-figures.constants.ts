import type { SqlConstants } from '../../../base/db/index.ts';
import { quarter } from '../../../base/figures/index.ts';
import { exitedOutcome, longestOutcome } from '../figure-outcomes.rules.ts';

const second = 1;
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

export const constants: SqlConstants = {
  quarter,
  exitedOutcome,
  longestOutcome,
  second,
  minute,
  tenMinutes: 10 * minute,
  hour,
  day,
  minutesFrom: 2 * minute,
  tensFrom: 2 * hour,
  hoursFrom: 2 * day,
  daysFrom: 14 * day,
};
