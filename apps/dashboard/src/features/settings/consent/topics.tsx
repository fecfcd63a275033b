import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Frame } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TopicTable } from './topic-table.tsx';

/** The topics of the project, and those that are archived. */
export function Topics() {
  const api = useApi();
  const topics = useQuery(api.topics.list.queryOptions({}));
  const archived = useQuery(api.topics.list.queryOptions({ archived: true }));
  if (topics.isPending) return <Skeleton lines={4} label="Loading the topics" />;
  if (!topics.data) return <LoadFailure error={topics.error} retry={topics.refetch} />;
  return (
    <>
      <Frame label="Topics">
        <TopicTable label="Topics" topics={topics.data} />
      </Frame>
      {archived.data && archived.data.length > 0 && (
        <Frame label="Archived topics">
          <TopicTable label="Archived topics" topics={archived.data} />
        </Frame>
      )}
    </>
  );
}
