import { useInfiniteQuery } from '@tanstack/react-query';
import { SuppressAddresses } from '../features/audience/suppressions/suppress-addresses.tsx';
import { suppressionReasons } from '../features/audience/suppressions/suppression-reason.tsx';
import { SuppressionTable } from '../features/audience/suppressions/suppression-table.tsx';
import { ExportButton } from '../features/common/exports/export-button.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { diagnosisWords } from '../lib/diagnosis-words.ts';
import { keysOf } from '../lib/keys-of.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Filter } from '../ui/toolbar.tsx';

const reasonOptions = keysOf(suppressionReasons).map((value) => ({
  value,
  label: suppressionReasons[value],
}));
const classOptions = keysOf(diagnosisWords).map((value) => ({ value, label: diagnosisWords[value].label }));
const pageSize = 50;

export function Component() {
  const to = useProjectPath();
  const state = useListState();
  const { search } = state;
  const reason = state.filter('reason', reasonOptions);
  const diagnosed = state.filter('class', classOptions);
  const list = useInfiniteQuery(
    useApi().contacts.listSuppressions.infiniteQueryOptions(
      {
        limit: pageSize,
        ...(search && { search }),
        ...(reason && { reason }),
        ...(diagnosed && { class: diagnosed }),
      },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const isFiltered = state.isFiltered('reason', 'class');
  const suppressions = list.data?.pages.flatMap(({ data }) => data) ?? [];
  /** Nothing is there yet, so the list itself offers the one action. */
  const isEmpty = list.isSuccess && suppressions.length === 0 && !isFiltered;
  return (
    <Page
      title="Suppression list"
      back={{ to: to('contacts'), label: 'Contacts' }}
      intro="Addresses that receive no email of any type, because an earlier email bounced permanently or was marked as spam, or because they were added by hand."
      actions={
        !isEmpty && (
          <>
            <ExportButton
              request={{ type: 'suppressions', ...(search && { search }), ...(reason && { reason }) }}
              what={search || reason ? 'the suppressed addresses shown' : 'all suppressed addresses'}
            />
            <SuppressAddresses />
          </>
        )
      }
    >
      <ListFrame
        label="Suppression list"
        noun="addresses"
        search={{ label: 'Search addresses', text: state.text, onChange: state.setText }}
        filters={
          <>
            <Filter
              label="Reason"
              value={reason}
              options={reasonOptions}
              onChange={(value) => state.setFilter('reason', value)}
            />
            <Filter
              label="The server said"
              value={diagnosed}
              options={classOptions}
              onChange={(value) => state.setFilter('class', value)}
            />
          </>
        }
        query={list}
        shown={suppressions.length}
        isFiltered={isFiltered}
        onClear={state.clear}
        empty={{
          icon: 'stop',
          title: 'No suppressed addresses',
          text: <p>Bounces and complaints add addresses here. You can also add addresses by hand.</p>,
          action: <SuppressAddresses />,
        }}
        more={{ query: list, total: list.data?.pages[0]?.total ?? 0 }}
      >
        <SuppressionTable suppressions={suppressions} />
      </ListFrame>
    </Page>
  );
}
