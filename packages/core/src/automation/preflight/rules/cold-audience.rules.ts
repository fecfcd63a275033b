import { countedOf } from '../counted.rules.ts';
import { defineRule } from '../rule.rules.ts';

/** With a larger share, an old list can spoil the reputation of the sender before its bounces are seen. */
const mostPercent = 20;
/** As many as the first wave of a careful beginning has (behaviour B13.4): waves change nothing for fewer. */
const fewest = 200;

/** Many recipients were never mailed, and it does not begin carefully. */
export const coldAudienceRule = defineRule({
  name: 'cold_audience',
  level: 'warning',
  needs: ['traits', 'isCareful'],
  check: ({ traits: { of, neverMailed, isEstimated }, isCareful }) =>
    isCareful || of <= fewest || neverMailed * 100 <= of * mostPercent
      ? []
      : [
          {
            field: 'pace',
            message: `${countedOf(neverMailed, isEstimated, 'recipient was', 'recipients were')} never sent an email, of ${of.toLocaleString('en-US')}; begin carefully, in waves, so that bounces and complaints are seen in time.`,
            details: { count: neverMailed, of, ...(isEstimated && { estimated: true }) },
          },
        ],
});
