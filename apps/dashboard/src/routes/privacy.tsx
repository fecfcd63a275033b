import { useInfiniteQuery } from '@tanstack/react-query';
import { ExportButton } from '../features/common/exports/export-button.tsx';
import { ErasureTable } from '../features/insight/privacy/erasure-table.tsx';
import { FindPerson } from '../features/insight/privacy/find-person.tsx';
import { useApi } from '../lib/api.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';

const pageSize = 50;

export function Component() {
  const list = useInfiniteQuery(
    useApi().privacy.listErasures.infiniteQueryOptions(
      { limit: pageSize },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const erasures = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page
      title="Privacy"
      intro="What is stored about one person: as a document for them, or removed, with a receipt."
      actions={
        <ExportButton request={{ type: 'consent' }} what="The consent log" label="Export the consent log" />
      }
    >
      <Panel title="Find a person">
        <FindPerson />
      </Panel>
      <ListFrame
        label="Receipts"
        query={list}
        shown={erasures.length}
        empty={{
          icon: 'audit',
          title: 'No erasures yet',
          text: <p>Each erasure leaves a receipt here, which does not name the person.</p>,
        }}
        more={{ query: list, total: list.data?.pages[0]?.total ?? 0 }}
      >
        <ErasureTable erasures={erasures} />
      </ListFrame>
    </Page>
  );
}
