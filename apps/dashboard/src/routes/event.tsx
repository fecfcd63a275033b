import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { DailyEvents } from '../features/audience/events/daily-chart.tsx';
import { DeleteEvents } from '../features/audience/events/delete-events.tsx';
import { EventList } from '../features/audience/events/event-list.tsx';
import { EventUsage } from '../features/audience/events/event-usage.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

/** All events of one name. */
export function Component() {
  const [search] = useSearchParams();
  const name = search.get('name') ?? '';
  const to = useProjectPath();
  const { events } = useApi();
  const usage = useQuery(events.usage.queryOptions({ eventName: name }));
  const names = useQuery(events.figures.queryOptions());
  const isOwn = names.data?.find((each) => each.name === name)?.isOwn ?? false;
  return (
    <Page
      title={name || 'Event'}
      back={{ to: to('events'), label: 'Events' }}
      actions={usage.data && names.data && !isOwn && <DeleteEvents name={name} usage={usage.data} />}
    >
      {usage.isPending && <Skeleton lines={8} label="Loading the event" />}
      {usage.isError && !usage.data && <LoadFailure error={usage.error} retry={usage.refetch} />}
      {usage.data && (
        <div className={styles.columns}>
          <DailyEvents name={name} />
          <EventUsage usage={usage.data} isOwn={isOwn} />
        </div>
      )}
      {usage.data && <EventList key={name} name={name} />}
    </Page>
  );
}
