import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ExportButton } from '../features/common/exports/export-button.tsx';
import { AuditTable } from '../features/people/audit/audit-table.tsx';
import { useApi } from '../lib/api.ts';
import { useProject } from '../lib/current.ts';
import { plural } from '../lib/format.ts';
import { shownAddress } from '../lib/shown-address.rules.ts';
import { useListState } from '../lib/use-list-state.ts';
import { isDay } from '../ui/calendar.rules.ts';
import { DatePicker } from '../ui/date-picker.tsx';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Filter } from '../ui/toolbar.tsx';

const pageSize = 50;

export function Component() {
  const api = useApi();
  const state = useListState();
  const members = useQuery(api.members.list.queryOptions({ id: useProject().id })).data ?? [];
  const people = members.flatMap(({ userId, email, status }) =>
    userId !== null && status === 'ACTIVE' ? { value: userId, label: shownAddress(email) } : [],
  );
  const who = state.filter('who', people);
  const [from, to] = [state.param('from'), state.param('to')];
  const asked = { ...(isDay(from) && { from }), ...(isDay(to) && { to }) };
  const list = useInfiniteQuery(
    api.audit.list.infiniteQueryOptions(
      { limit: pageSize, ...(who && { actorId: who }), ...asked },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  return (
    <Page
      title="Audit log"
      intro="Who changed what in this project. Entries are kept for 400 days."
      actions={
        <ExportButton
          request={{ type: 'audit', ...asked }}
          what={isDay(from) || isDay(to) ? 'the audit log of these days' : 'the audit log'}
        />
      }
    >
      <ListFrame
        label="Audit log"
        filters={
          <>
            {people.length > 0 && (
              <Filter
                label="Who"
                value={who}
                options={people}
                onChange={(value) => state.setFilter('who', value)}
              />
            )}
            <DatePicker
              small
              optional
              label="From"
              value={from}
              onChange={(day) => state.setFilter('from', day)}
            />
            <DatePicker
              small
              optional
              label="To"
              value={to}
              {...(from && { min: from })}
              onChange={(day) => state.setFilter('to', day)}
            />
          </>
        }
        aside={total > 0 && plural(total, 'entry', 'entries')}
        query={list}
        shown={entries.length}
        isFiltered={state.isFiltered('who', 'from', 'to')}
        onClear={state.clear}
        empty={{ icon: 'audit', title: 'Nothing has been changed yet' }}
        more={{ query: list, total }}
      >
        <AuditTable entries={entries} />
      </ListFrame>
    </Page>
  );
}
