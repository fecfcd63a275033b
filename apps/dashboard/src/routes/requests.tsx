import { sampleSize } from '@postrider/core/insight/requests/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { browserZone, startOf } from '../features/insight/analytics/period.rules.ts';
import { RequestTable } from '../features/insight/requests/request-table.tsx';
import { useApi } from '../lib/api.ts';
import { formatCount, plural } from '../lib/format.ts';
import { useListState } from '../lib/use-list-state.ts';
import { addDays, isDay } from '../ui/calendar.rules.ts';
import { DayRange } from '../ui/day-range.tsx';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Filter } from '../ui/toolbar.tsx';

const pageSize = 50;

const statusOptions = [
  { value: '2xx', label: 'Accepted' },
  { value: '4xx', label: 'Refused (4xx)' },
  { value: '5xx', label: 'Failed (5xx)' },
] as const;

/** The days of the address as instants in the zone of the browser; the last day is included. */
function timesOf(from: string, to: string): { from?: string; to?: string } {
  const at = (day: string): string => new Date(startOf(day, browserZone())).toISOString();
  return { ...(isDay(from) && { from: at(from) }), ...(isDay(to) && { to: at(addDays(to, 1)) }) };
}

const optionsOf = (values: readonly (string | null)[], chosen: string) =>
  [...new Set([...values, chosen])]
    .filter((value): value is string => value !== null && value !== '')
    .sort()
    .map((value) => ({ value, label: value }));

/** All requests of the last 24 hours, which the entries are a sample of. */
function inAll(counts: readonly { status: number; count: number }[]): string {
  const sum = (rows: typeof counts): number => rows.reduce((total, { count }) => total + count, 0);
  const refused = sum(counts.filter(({ status }) => status >= 400));
  return `${plural(sum(counts), 'request')} in 24 hours, ${formatCount(refused)} refused`;
}

export function Component() {
  const state = useListState();
  const status = state.filter('status', statusOptions);
  const [code, operation] = [state.param('code'), state.param('operation')];
  const [emailId, keyId] = [state.param('email'), state.param('key')];
  const [from, to] = [state.param('from'), state.param('to')];
  const counts = useQuery(useApi().requests.stats.queryOptions({})).data?.data ?? [];
  const list = useInfiniteQuery(
    useApi().requests.list.infiniteQueryOptions(
      {
        ...(status && { status }),
        ...(code && { code }),
        ...(operation && { operation }),
        ...(emailId && { emailId }),
        ...(keyId && { keyId }),
        ...timesOf(from, to),
        limit: pageSize,
      },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const codes = optionsOf(
    counts.map((row) => row.code),
    code,
  );
  const operations = optionsOf(
    counts.map((row) => row.operation),
    operation,
  );
  return (
    <Page
      title="Requests"
      intro={
        emailId
          ? 'Requests that made or asked for one email.'
          : `What programs asked of the API with a key of this project. It is a sample: of each minute the first ${sampleSize.refused} requests that were refused and ${sampleSize.accepted} that were accepted, and how many others were like them. Texts and addresses are not kept.`
      }
    >
      <ListFrame
        label="Requests"
        filters={
          <>
            <Filter
              label="Status"
              value={status}
              options={statusOptions}
              onChange={(value) => state.setFilter('status', value)}
            />
            {codes.length > 0 && (
              <Filter
                label="Code"
                value={code}
                options={codes}
                onChange={(value) => state.setFilter('code', value)}
              />
            )}
            {operations.length > 0 && (
              <Filter
                label="Operation"
                value={operation}
                options={operations}
                onChange={(value) => state.setFilter('operation', value)}
              />
            )}
            <DayRange from={from} to={to} onChange={state.setFilter} />
          </>
        }
        aside={counts.length > 0 && inAll(counts)}
        query={list}
        shown={entries.length}
        isFiltered={state.isFiltered('status', 'code', 'operation', 'email', 'key', 'from', 'to')}
        onClear={state.clear}
        empty={{
          icon: 'terminal',
          title: 'No requests yet',
          text: 'Requests with a key of this project appear here a moment after they are answered.',
        }}
        more={{ query: list, total: list.data?.pages[0]?.total ?? 0 }}
      >
        <RequestTable entries={entries} />
      </ListFrame>
    </Page>
  );
}
