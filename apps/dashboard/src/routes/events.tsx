import { useQuery } from '@tanstack/react-query';
import { DailyEvents } from '../features/audience/events/daily-chart.tsx';
import { EventList } from '../features/audience/events/event-list.tsx';
import { EventNames } from '../features/audience/events/event-names.tsx';
import { RequestExample } from '../features/settings/keys/request-example.tsx';
import { trackRequest } from '../features/settings/keys/requests.ts';
import { useApi } from '../lib/api.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

export function Component() {
  const names = useQuery(useApi().events.figures.queryOptions());
  return (
    <Page
      title="Events"
      intro="Events from your product and from Postrider. Use them in workflows and segments."
    >
      {names.isPending && <Skeleton lines={10} label="Loading events" />}
      {names.isError && !names.data && <LoadFailure error={names.error} retry={names.refetch} />}
      {names.data?.length === 0 && (
        <Frame label="Events">
          <EmptyState title="No events yet">
            <RequestExample
              title="Track your first event"
              keyType="public"
              first="javascript"
              build={trackRequest}
            />
          </EmptyState>
        </Frame>
      )}
      {names.data && names.data.length > 0 && (
        <>
          <div className={styles.columns}>
            <EventNames names={names.data} />
            <DailyEvents />
          </div>
          <EventList names={names.data.map(({ name }) => name)} />
        </>
      )}
    </Page>
  );
}
