import { useQuery } from '@tanstack/react-query';
import { SegmentTable } from '../features/segments/segment-table.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { idle } from '../lib/polling.ts';
import { useSearchText } from '../lib/use-search-text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Search, Toolbar } from '../ui/toolbar.tsx';

/** The API returns all segments at once, so they are searched here. */
export function SegmentsRoute() {
  const to = useProjectPath();
  const [text, setText, search] = useSearchText();
  const list = useQuery({ ...useApi().segments.list.queryOptions(), refetchInterval: idle });
  const shown = (list.data ?? []).filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <Page
      title="Segments"
      intro="Groups of contacts, defined by a filter or kept as a list, for campaigns and workflows."
      actions={
        <ButtonLink kind="primary" icon="plus" to={to('segments/new')}>
          New segment
        </ButtonLink>
      }
    >
      <Frame
        label="Segments"
        head={
          <Toolbar>
            <Search label="Search segments" value={text} onChange={setText} />
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={6} label="Loading segments" />}
        {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
        {shown.length > 0 && <SegmentTable segments={shown} />}
        {list.data && shown.length === 0 && (
          <EmptyState title={list.data.length === 0 ? 'No segments yet' : 'No segments match your search'}>
            {list.data.length === 0 && (
              <p>
                A segment groups contacts by their data, the events they triggered, or the emails they
                received.
              </p>
            )}
          </EmptyState>
        )}
      </Frame>
    </Page>
  );
}
