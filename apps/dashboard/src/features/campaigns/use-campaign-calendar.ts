import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { useProject } from '../../lib/current.ts';
import type { Day } from '../../ui/calendar.rules.ts';
import { type CalendarItem, periodOfMonth } from './campaign-calendar.rules.ts';

/** The most scheduled campaigns that are read; those that have started are limited by the API. */
const mostScheduled = 100;

/** The campaigns that start or have started in the weeks of a month. */
export function useCampaignCalendar(month: Day) {
  const api = useApi();
  const { timeZone } = useProject();
  const period = periodOfMonth(month, timeZone);
  const started = useQuery({
    ...api.analytics.campaignStats.queryOptions({ ...period, tz: timeZone }),
    placeholderData: keepPreviousData,
  });
  const scheduled = useQuery(
    api.campaigns.list.queryOptions({ status: 'SCHEDULED', pageSize: mostScheduled }),
  );
  const begun = started.data?.campaigns ?? [];
  const begunIds = new Set(begun.map(({ id }) => id));
  const [from, to] = [Date.parse(period.from), Date.parse(period.to)];
  const items: CalendarItem[] = [
    ...begun.map(({ sentAt, ...campaign }) => ({ ...campaign, at: sentAt })),
    // One that starts between the two replies is in both.
    ...(scheduled.data?.data ?? []).flatMap(({ scheduledFor, ...campaign }) =>
      scheduledFor === null || begunIds.has(campaign.id) ? [] : [{ ...campaign, at: scheduledFor }],
    ),
  ].filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to);
  const [failed] = [started, scheduled].filter(({ isError, data }) => isError && !data);
  const isWhole =
    (started.data?.totals.campaigns ?? 0) <= begun.length && (scheduled.data?.total ?? 0) <= mostScheduled;
  const isRead = started.isSuccess && !started.isPlaceholderData && scheduled.isSuccess;
  return {
    items,
    isWhole,
    isPending: started.isPending || scheduled.isPending,
    isEmpty: isRead && items.length === 0,
    failed,
  };
}
