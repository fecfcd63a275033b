import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { Panel } from '../../../ui/panel.tsx';
import { ActivityTable } from './activity-table.tsx';

const shown = 5;

/** The next scheduled campaigns and workflow emails; nothing when there are none. */
export function Upcoming() {
  const upcoming = useQuery(useApi().activity.upcoming.queryOptions({ limit: shown }));
  const items = upcoming.data?.activities ?? [];
  if (items.length === 0) return null;
  return (
    <Panel title="Upcoming" flush>
      <ActivityTable label="Upcoming" items={items} />
    </Panel>
  );
}
