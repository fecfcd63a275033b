import { type FilterTree, readsOf } from '../../../audience/segments/filters.rules.ts';
import { filterTree } from '../../../audience/segments/filters.schema.ts';
import { notGiven, requiredText, uuid } from '../../../base/kernel/schemas.ts';
import { defineTrigger, type TriggerConfig, textIn } from './trigger.rules.ts';

/** Whom a SCHEDULE takes in place of the members of a segment. */
export const filterOfTrigger = ({ filter }: TriggerConfig): FilterTree | null =>
  typeof filter === 'object' && filter !== null ? (filter as FilterTree) : null;

/** Starts executions of many contacts at each time of a cron expression, which `schedule.ts` checks. */
export const scheduleTrigger = defineTrigger({
  type: 'SCHEDULE',
  label: 'Schedule',
  fields: {
    cron: notGiven(requiredText(200)).meta({
      description: 'Five fields: minute, hour, day of month, month, day of week. Required by `SCHEDULE`.',
      examples: ['0 9 * * 1'],
    }),
    timezone: notGiven(requiredText(100)).meta({
      description: 'IANA time zone. Default `UTC`.',
      examples: ['Europe/Berlin'],
    }),
    segmentId: notGiven(uuid).describe('Segment whose members enter at each time of a `SCHEDULE`.'),
    filter: notGiven(filterTree).describe(
      'In place of `segmentId`: the contacts that match this filter enter at each time of a `SCHEDULE`.',
    ),
  },
  needed: 'cron',
  defaults: { timezone: 'UTC' },
  subject: () => 'schedule',
  events: () => [],
  isScheduled: true,
  reads: (config) => {
    const segmentId = textIn(config, 'segmentId');
    const filter = filterOfTrigger(config);
    return [...(segmentId === undefined ? [] : [`segment.${segmentId}`]), ...(filter ? readsOf(filter) : [])];
  },
});
