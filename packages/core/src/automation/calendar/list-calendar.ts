import { invalid, orderedPeriod, projectIdOf, query } from '../../base/kernel/index.ts';
import { clockOf } from '../../base/lib/index.ts';
import { timeZoneOfProject } from '../../people/projects/index.ts';
import { type CalendarItem, calendar, listCalendarInput } from './calendar.schema.ts';
import {
  type CampaignEntry,
  findCampaignEntries,
  findScheduledWorkflows,
  type Span,
} from './calendar.store.ts';
import { firstTicks, type Tick } from './ticks.ts';

const dayMs = 86_400_000;
const mostDays = 92;
const usualDays = 31;
/** A period of whole days is longer than that by what clocks go back. */
const slackMs = 2 * 3_600_000;
const mostItems = 1_000;

export const listCalendar = query({
  name: 'campaigns.listCalendar',
  summary: 'Lists what is sent in a period: campaigns, their waves, and the times of workflows',
  permission: 'data:read',
  input: listCalendarInput,
  output: calendar,
  async handler(ctx, { tz, ...given }) {
    const projectId = projectIdOf(ctx);
    const now = new Date();
    const timeZone = tz ?? (await timeZoneOfProject(ctx.db, projectId));
    const span = spanOf(given, timeZone, now);
    const entries = await findCampaignEntries(ctx.db, { projectId, ...span, now }, mostItems + 1);
    const workflows = await findScheduledWorkflows(ctx.db, projectId, mostItems);
    // What a schedule has done is not known here: only what it will do.
    const ahead = { from: now > span.from ? now : span.from, to: span.to };
    const left = mostItems - Math.min(entries.length, mostItems);
    const ticks = ahead.from < ahead.to ? await firstTicks(workflows, ahead, left) : [];
    const items = [...entries.slice(0, mostItems).map(ofCampaign), ...ticks.slice(0, left).map(ofWorkflow)];
    return {
      items: items.toSorted((one, other) => one.at.getTime() - other.at.getTime()),
      truncated: entries.length > mostItems || ticks.length > left,
    };
  },
});

type Given = Parameters<typeof orderedPeriod>[0];

/** @throws AppError VALIDATION_ERROR when it ends before it starts, or is too long */
function spanOf({ from, to }: Given, timeZone: string, now: Date): Span {
  const clock = clockOf(timeZone);
  const period = orderedPeriod({ from: from ?? clock.dayAt(now.getTime()), to }, timeZone, 'excluded', [
    'from',
    'to',
  ]);
  const start = period.from ?? now;
  const end = period.to ?? new Date(start.getTime() + usualDays * dayMs);
  if (end.getTime() - start.getTime() > mostDays * dayMs + slackMs)
    throw invalid([
      { field: 'to', code: 'invalid_range', message: `A calendar has at most ${mostDays} days` },
    ]);
  return { from: start, to: end };
}

type Listed = Omit<CalendarItem, 'at'> & { at: Date };

const audienceNames = { ALL: 'All contacts', SEGMENT: 'Segment', FILTERED: 'Filter' };

function ofCampaign({ audienceType, segment, localAt, whenPassed, ...entry }: CampaignEntry): Listed {
  return {
    ...entry,
    audience: (audienceType === 'SEGMENT' && segment) || audienceNames[audienceType],
    localTime:
      localAt === null ? null : { at: localAt, whenPassed: whenPassed === 'NOW' ? 'NOW' : 'NEXT_DAY' },
  };
}

const ofWorkflow = ({ at, workflow: { id, name, segment, hasFilter } }: Tick): Listed => ({
  ...{ kind: 'schedule', id, name, at, status: 'ENABLED', recipients: null },
  audience: segment ?? (hasFilter ? 'Filter' : 'Subscribed contacts'),
  localTime: null,
});
