import { useInfiniteQuery } from '@tanstack/react-query';
import { type Segment, useApi } from '../../../lib/api.ts';
import { LoadMore } from '../../../ui/list-end.tsx';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { AddMembers } from './add-members.tsx';
import { MemberTable } from './member-table.tsx';
import styles from './segment-members.module.css';

const pageSize = 20;
/** The number of all members is among the details of the segment. */
const countTo = 10_000;

/** The contacts of a segment at this moment, newest first. */
export function SegmentMembers({ segment }: { segment: Segment }) {
  const list = useInfiniteQuery(
    useApi().contacts.list.infiniteQueryOptions(
      { limit: pageSize, segmentId: segment.id, countTo },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const members = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Panel title="Members" aside={segment.type === 'STATIC' && <AddMembers segmentId={segment.id} />} flush>
      {list.isPending && <Skeleton lines={5} label="Loading members" />}
      {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.data && members.length === 0 && <p className={styles.none}>No members yet.</p>}
      {members.length > 0 && (
        <>
          <MemberTable segment={segment} members={members} />
          <div className={styles.end}>
            <LoadMore
              shown={members.length}
              total={list.data?.pages[0]?.total ?? 0}
              countTo={countTo}
              hasMore={list.hasNextPage}
              pending={list.isFetchingNextPage}
              onMore={() => void list.fetchNextPage()}
            />
          </div>
        </>
      )}
    </Panel>
  );
}
