import { nameFields } from '@postrider/core/audience/contacts/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AddContact } from '../features/audience/contacts/add-contact.tsx';
import { ContactFilter } from '../features/audience/contacts/contact-filter.tsx';
import { contactStates } from '../features/audience/contacts/contact-state.tsx';
import { ContactTable } from '../features/audience/contacts/contact-table.tsx';
import { ImportContacts } from '../features/audience/contacts/import-contacts.tsx';
import { bulkFilterOf, nothing, type Selection } from '../features/audience/contacts/selection.rules.ts';
import { SelectionBar } from '../features/audience/contacts/selection-bar.tsx';
import { useKnownFields } from '../features/audience/contacts/use-known-fields.ts';
import { ExportButton } from '../features/common/exports/export-button.tsx';
import { parseTree, toTree } from '../features/common/filters/filter-tree.rules.ts';
import { RequestExample } from '../features/settings/keys/request-example.tsx';
import { contactRequest } from '../features/settings/keys/requests.ts';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { formatTotal } from '../lib/format.ts';
import { keysOf } from '../lib/keys-of.ts';
import { useColumns } from '../lib/use-columns.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ButtonLink } from '../ui/button.tsx';
import { ListFrame } from '../ui/list-frame.tsx';
import { ActionMenu } from '../ui/menu.tsx';
import { Page } from '../ui/page.tsx';
import { Filter } from '../ui/toolbar.tsx';

const stateOptions = keysOf(contactStates).map((value) => ({ value, label: contactStates[value] }));
const pageSize = 50;
/** What a filter or segment finds is counted up to this number: counting all of a million contacts takes too long for a list. */
const countTo = 10_000;

/** The id of the column of a field of contact data. */
const fieldColumn = (field: string): string => `data.${field}`;

export function Component() {
  const to = useProjectPath();
  const api = useApi();
  const state = useListState();
  const { search } = state;
  const status = state.filter('status', stateOptions);
  const segmentId = state.param('segment');
  const condition = state.param('filter');
  const sort = state.sort('createdAt');
  const [selection, setSelection] = useState<Selection>(nothing);
  const segments = useQuery(api.segments.list.queryOptions());
  const tree = parseTree(condition);
  const isCounted = segmentId !== '' || condition !== '';
  const list = useInfiniteQuery(
    api.contacts.list.infiniteQueryOptions(
      {
        limit: pageSize,
        sort: sort.by,
        dir: sort.direction,
        ...(search && { text: search }),
        ...(status && { status }),
        ...(segmentId && { segmentId }),
        ...(condition && { filter: condition }),
        ...(isCounted && { countTo }),
      },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const contacts = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  const known = useKnownFields();
  const hasNames = known.some(({ name }) => nameFields.some((field) => field === name));
  const columns = useColumns('contacts', state, [
    { value: 'Name', label: 'Name', isDefault: hasNames },
    'Status',
    { value: 'Data', label: 'Data', isDefault: false },
    'Created',
    ...known.map(({ name }) => ({ value: fieldColumn(name), label: name, isDefault: false })),
  ]);
  const fields = known.map(({ name }) => name).filter((name) => columns.shown.has(fieldColumn(name)));
  const hasChosen = selection.mode === 'query' || selection.ids.size > 0;
  /** What is selected belongs to the list as it was. */
  const filter = (name: string, value: string) => {
    state.setFilter(name, value);
    setSelection(nothing);
  };
  return (
    <Page
      title="Contacts"
      intro="All contacts of this project. Sending and tracking add contacts automatically."
      actions={
        <>
          <ActionMenu
            actions={[
              { label: 'Fields', icon: 'columns', to: to('contacts/fields') },
              { label: 'Imports', icon: 'upload', to: to('contacts/imports') },
              { label: 'Suppression list', icon: 'stop', to: to('contacts/suppressions') },
            ]}
          />
          <ExportButton
            request={{
              type: 'contacts',
              ...(search && { text: search }),
              ...(status && { status }),
              ...(segmentId && { segmentId }),
              ...(tree && { filter: toTree(tree) }),
            }}
            what={state.isFiltered('status', 'segment', 'filter') ? 'the contacts shown' : 'all contacts'}
          />
          <ImportContacts />
          <AddContact />
        </>
      }
    >
      <ListFrame
        label="Contacts"
        search={{
          label: 'Search names and addresses',
          text: state.text,
          onChange(text) {
            state.setText(text);
            setSelection(nothing);
          },
        }}
        filters={
          <>
            <Filter
              label="Status"
              value={status}
              options={stateOptions}
              onChange={(value) => filter('status', value)}
            />
            {segments.data && segments.data.length > 0 && (
              <Filter
                label="Segment"
                value={segmentId}
                options={segments.data.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(value) => filter('segment', value)}
              />
            )}
            <ContactFilter condition={condition} onChange={(value) => filter('filter', value)} />
          </>
        }
        selection={
          hasChosen && (
            <SelectionBar
              selection={selection}
              total={total}
              filter={segmentId === '' && condition === '' ? bulkFilterOf(search, status) : null}
              onSelect={setSelection}
            />
          )
        }
        aside={
          total > 0 &&
          `${formatTotal(total, isCounted ? countTo : undefined)} ${total === 1 ? 'contact' : 'contacts'}`
        }
        columns={columns}
        query={list}
        shown={contacts.length}
        isFiltered={state.isFiltered('status', 'segment', 'filter')}
        onClear={state.clear}
        empty={{
          icon: 'contacts',
          title: 'No contacts yet',
          text: (
            <>
              <p>Import those you have from a CSV file, or add them from your app.</p>
              <p>
                <ButtonLink icon="upload" to={to('contacts#import')}>
                  Import a file
                </ButtonLink>
              </p>
              <RequestExample title="Add one with the API" build={contactRequest} />
            </>
          ),
        }}
        more={{ query: list, total, countTo: isCounted ? countTo : undefined }}
      >
        <ContactTable
          contacts={contacts}
          selection={selection}
          onSelect={setSelection}
          sorting={{ ...sort, onSort: state.setSort }}
          fields={fields}
        />
      </ListFrame>
    </Page>
  );
}
