import { useInfiniteQuery } from '@tanstack/react-query';
import { ImportContacts } from '../features/audience/contacts/import-contacts.tsx';
import { ImportTable } from '../features/audience/contacts/import-table.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';

const pageSize = 50;

export function Component() {
  const to = useProjectPath();
  const list = useInfiniteQuery(
    useApi().contacts.listImports.infiniteQueryOptions(
      { limit: pageSize },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const imports = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page
      title="Imports"
      back={{ to: to('contacts'), label: 'Contacts' }}
      intro="CSV files that were imported in the last 7 days. Rows that failed can be downloaded with the reason, corrected and imported again."
      actions={<ImportContacts />}
    >
      <ListFrame
        label="Imports"
        query={list}
        shown={imports.length}
        empty={{
          icon: 'contacts',
          title: 'No imports in the last 7 days',
          text: (
            <p>Import a CSV file to add and update contacts. Every row is checked before any is stored.</p>
          ),
        }}
        more={{ query: list, total: list.data?.pages[0]?.total ?? 0 }}
      >
        <ImportTable imports={imports} />
      </ListFrame>
    </Page>
  );
}
