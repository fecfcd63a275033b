import { z } from 'zod';
import {
  campaignStatus,
  isoDate,
  namedEnum,
  notGiven,
  periodBound,
  recordId,
  timeZone,
  typeNames,
} from '../../base/kernel/schemas.ts';
import { campaignLocalTime } from '../campaigns/campaigns.schema.ts';

const itemKind = namedEnum('CalendarItemKind', ['campaign', 'wave', 'decision', 'schedule']);

const itemStatus = namedEnum('CalendarItemStatus', ['ENABLED', ...campaignStatus.options]);

export const listCalendarInput = z.object({
  from: notGiven(periodBound).describe('Start of the period, or its first day. Default: the present day.'),
  to: notGiven(periodBound).describe(
    'End of the period, itself not included, or its last day, which is. At most 92 days after its start. Default: 31 days after it.',
  ),
  tz: notGiven(timeZone).describe('Time zone of days, by its IANA name. Default: that of the project.'),
});

const calendarItem = z
  .object({
    kind: itemKind.meta({
      description:
        '`campaign`: one that starts, or has started; `wave`: emails of a campaign that are due at a local time; `decision`: the end of a test; `schedule`: a time at which a workflow takes contacts.',
      examples: ['campaign'],
    }),
    id: recordId.describe('Id of the campaign or workflow.'),
    name: z.string().meta({ description: 'Name of it.', examples: ['Spring offer'] }),
    at: isoDate.describe('When.'),
    status: itemStatus.meta({
      description: 'State of the campaign; `ENABLED` of a workflow.',
      examples: ['SCHEDULED'],
    }),
    recipients: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description: 'Its emails, an estimate before a campaign starts; null where that is not known.',
        examples: [103],
      }),
    audience: z.string().meta({
      description:
        'For whom it is: the name of a segment, `All contacts`, `Filter` or `Subscribed contacts`.',
      examples: ['All contacts'],
    }),
    localTime: campaignLocalTime,
  })
  .register(typeNames, { name: 'CalendarItem' });

export const calendar = z
  .object({
    items: z.array(calendarItem).describe('What happens in the period, first to last.'),
    truncated: z.boolean().meta({
      description:
        'Whether some are missing: at most 1,000 are listed, those of campaigns before those of workflows.',
      examples: [false],
    }),
  })
  .register(typeNames, { name: 'Calendar' });

export type CalendarItem = z.input<typeof calendarItem>;
