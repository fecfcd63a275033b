import { useInfiniteQuery } from '@tanstack/react-query';
import { approvalStatuses } from '../features/insight/approvals/approval-outcome.tsx';
import { ApprovalTable } from '../features/insight/approvals/approval-table.tsx';
import { useApi } from '../lib/api.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Filter } from '../ui/toolbar.tsx';

export function Component() {
  const state = useListState();
  const status = state.filter('status', approvalStatuses);
  const list = useInfiniteQuery(
    useApi().approvals.list.infiniteQueryOptions(
      { ...(status && { status }), limit: 50 },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const approvals = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page
      title="Approvals"
      intro="What agents asked for, and campaigns that wait for a second person. With a key of the scope “agent”, no email leaves and nothing is deleted before a person agrees here."
    >
      <ListFrame
        label="Approvals"
        filters={
          <Filter
            label="State"
            value={status}
            options={approvalStatuses}
            onChange={(value) => state.setFilter('status', value)}
          />
        }
        query={list}
        shown={approvals.length}
        isFiltered={state.isFiltered('status')}
        onClear={state.clear}
        empty={{
          icon: 'audit',
          title: 'Nothing was asked for',
          text: 'What a key of the scope “agent” may not do by itself waits here, and campaigns that need an approval.',
        }}
        more={{ query: list, total: list.data?.pages[0]?.total ?? 0 }}
      >
        <ApprovalTable approvals={approvals} />
      </ListFrame>
    </Page>
  );
}
