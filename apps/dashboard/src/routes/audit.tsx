import { useInfiniteQuery } from '@tanstack/react-query';
import { ExportButton } from '../features/common/exports/export-button.tsx';
import { AuditTable } from '../features/people/audit/audit-table.tsx';
import { useApi } from '../lib/api.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';

const pageSize = 50;

export function Component() {
  const list = useInfiniteQuery(
    useApi().audit.list.infiniteQueryOptions(
      { limit: pageSize },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page
      title="Audit log"
      intro="Who changed what in this project. Entries are kept for 400 days."
      actions={<ExportButton request={{ type: 'audit' }} what="the audit log" />}
    >
      <ListFrame
        label="Audit log"
        query={list}
        shown={entries.length}
        empty={{ icon: 'audit', title: 'Nothing has been changed yet' }}
        more={{ query: list, total: list.data?.pages[0]?.total ?? 0 }}
      >
        <AuditTable entries={entries} />
      </ListFrame>
    </Page>
  );
}
