import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { useProject } from '../../lib/current.ts';
import type { Day } from '../../ui/calendar.rules.ts';
import { periodOfMonth } from './campaign-calendar.rules.ts';

/** What is sent in the weeks of a month. */
export function useCampaignCalendar(month: Day) {
  const { timeZone } = useProject();
  return useQuery({
    ...useApi().campaigns.listCalendar.queryOptions({ ...periodOfMonth(month, timeZone), tz: timeZone }),
    placeholderData: keepPreviousData,
  });
}
