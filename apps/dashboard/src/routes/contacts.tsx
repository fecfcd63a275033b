import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AddContact } from '../features/contacts/add-contact.tsx';
import { contactStates } from '../features/contacts/contact-state.tsx';
import { ContactTable } from '../features/contacts/contact-table.tsx';
import { ImportContacts } from '../features/contacts/import-contacts.tsx';
import { bulkFilterOf, nothing, type Selection } from '../features/contacts/selection.rules.ts';
import { SelectionBar } from '../features/contacts/selection-bar.tsx';
import { RequestExample } from '../features/keys/request-example.tsx';
import { contactRequest } from '../features/keys/requests.ts';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { keysOf } from '../lib/keys-of.ts';
import { useSearchText } from '../lib/use-search-text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadMore } from '../ui/list-end.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Filter, Search, Toolbar } from '../ui/toolbar.tsx';

const stateOptions = keysOf(contactStates).map((value) => ({ value, label: contactStates[value] }));
const pageSize = 50;

export function ContactsRoute() {
  const to = useProjectPath();
  const [text, setText, search] = useSearchText();
  const [status, setStatus] = useState<keyof typeof contactStates | ''>('');
  const [selection, setSelection] = useState<Selection>(nothing);
  const list = useInfiniteQuery(
    useApi().contacts.list.infiniteQueryOptions(
      { limit: pageSize, ...(search && { search }), ...(status && { status }) },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const contacts = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  const hasChosen = selection.mode === 'query' || selection.ids.size > 0;
  const isFiltered = search !== '' || status !== '';
  return (
    <Page
      title="Contacts"
      intro="All contacts of this project. Sending and tracking add contacts automatically."
      actions={
        <>
          <ButtonLink kind="quiet" to={to('contacts/fields')}>
            Fields
          </ButtonLink>
          <ButtonLink kind="quiet" to={to('contacts/suppressions')}>
            Suppression list
          </ButtonLink>
          <ImportContacts />
          <AddContact />
        </>
      }
    >
      <Frame
        label="Contacts"
        head={
          <Toolbar>
            <Search
              label="Search addresses"
              value={text}
              onChange={(next) => {
                setText(next);
                setSelection(nothing);
              }}
            />
            <Filter
              label="Status"
              value={status}
              options={stateOptions}
              onChange={(next) => {
                setStatus(next);
                setSelection(nothing);
              }}
            />
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={8} label="Loading contacts" />}
        {list.isError && contacts.length === 0 && <LoadFailure error={list.error} retry={list.refetch} />}
        {hasChosen && (
          <SelectionBar
            selection={selection}
            total={total}
            filter={bulkFilterOf(search, status)}
            onSelect={setSelection}
          />
        )}
        {contacts.length > 0 && (
          <ContactTable contacts={contacts} selection={selection} onSelect={setSelection} />
        )}
        {list.isSuccess && contacts.length === 0 && (
          <EmptyState title={isFiltered ? 'No contacts match your search' : 'No contacts yet'}>
            {!isFiltered && <RequestExample title="Add one with the API" build={contactRequest} />}
          </EmptyState>
        )}
      </Frame>
      {contacts.length > 0 && (
        <LoadMore
          shown={contacts.length}
          total={total}
          hasMore={list.hasNextPage}
          pending={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </Page>
  );
}
