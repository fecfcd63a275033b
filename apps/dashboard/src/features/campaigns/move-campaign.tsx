import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { useProject } from '../../lib/current.ts';
import type { Day } from '../../ui/calendar.rules.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type CalendarItem, localTimeOnDay, onDay } from './campaign-calendar.rules.ts';
import { ScheduleDialog } from './schedule-campaign.tsx';

interface MoveCampaignProps {
  item: CalendarItem;
  /** The day to move it to, at the same time of day; null where it is yet to be chosen. */
  day: Day | null;
  onClose: () => void;
}

/** Schedules a campaign of the calendar at another time, after a look at it. */
export function MoveCampaign({ item, day, onClose }: MoveCampaignProps) {
  const { timeZone } = useProject();
  const campaign = useQuery(useApi().campaigns.get.queryOptions({ id: item.id }));
  if (!campaign.data)
    return (
      <Dialog title="Change time" onClose={onClose}>
        {campaign.isError ? (
          <LoadFailure error={campaign.error} retry={campaign.refetch} />
        ) : (
          <Skeleton lines={4} label="Loading the campaign" />
        )}
      </Dialog>
    );
  if (day === null) return <ScheduleDialog campaign={campaign.data} onClose={onClose} />;
  const { localTime } = campaign.data;
  return (
    <ScheduleDialog
      campaign={{
        ...campaign.data,
        scheduledFor: onDay(item.at, day, timeZone).toISOString(),
        localTime: localTime && { ...localTime, at: localTimeOnDay(localTime.at, item.at, day, timeZone) },
      }}
      onClose={onClose}
    />
  );
}
