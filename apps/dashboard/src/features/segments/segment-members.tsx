import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Segment, useApi } from '../../lib/api.ts';
import { Pager } from '../../ui/list-end.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AddMembers } from './add-members.tsx';
import { MemberTable } from './member-table.tsx';
import styles from './segment-members.module.css';

export function SegmentMembers({ segment }: { segment: Segment }) {
  const [page, setPage] = useState(1);
  const list = useQuery({
    ...useApi().segments.contacts.queryOptions({ id: segment.id, page }),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title="Members" aside={segment.type === 'STATIC' && <AddMembers segmentId={segment.id} />} flush>
      {list.isPending && <Skeleton lines={5} label="Loading members" />}
      {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
      {list.data?.total === 0 && <p className={styles.none}>No members yet.</p>}
      {list.data && list.data.data.length > 0 && <MemberTable segment={segment} members={list.data.data} />}
      {list.data && list.data.total > 0 && (
        <div className={styles.end}>
          <Pager page={page} totalPages={list.data.totalPages} total={list.data.total} onPage={setPage} />
        </div>
      )}
    </Panel>
  );
}
