import { useSearchParams } from 'react-router';
import { emailStatuses, StatusLegend } from '../features/emails/email-status.tsx';
import { EmailTable } from '../features/emails/email-table.tsx';
import { sourceNames } from '../features/emails/source.ts';
import { useEmailList } from '../features/emails/use-email-list.ts';
import { RequestExample } from '../features/keys/request-example.tsx';
import { sendRequest } from '../features/keys/requests.ts';
import { keysOf } from '../lib/keys-of.ts';
import { useSearchText } from '../lib/use-search-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadMore } from '../ui/list-end.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Filter, Search, Toolbar } from '../ui/toolbar.tsx';

const statusOptions = keysOf(emailStatuses).map((value) => ({ value, label: emailStatuses[value].label }));
const sourceOptions = keysOf(sourceNames).map((value) => ({ value, label: sourceNames[value] }));

/** Filters are kept in the URL, so that a filtered list can be shared and survives Back. */
export function EmailsRoute() {
  const [search, setSearch] = useSearchParams();
  const status = statusOptions.find(({ value }) => value === search.get('status'))?.value;
  const sourceType = sourceOptions.find(({ value }) => value === search.get('source'))?.value;
  const campaignId = search.get('campaign') ?? undefined;
  const [text, setText, mention] = useSearchText();
  const list = useEmailList({ status, sourceType, campaignId, ...(mention && { search: mention }) });
  const isFiltered =
    status !== undefined || sourceType !== undefined || campaignId !== undefined || mention !== '';

  const setFilter = (name: string, value: string) =>
    setSearch(
      (now) => {
        if (value === '') now.delete(name);
        else now.set(name, value);
        return now;
      },
      { replace: true },
    );
  return (
    <Page
      title="Emails"
      intro={campaignId ? 'Emails of one campaign and their status.' : 'All emails and their status.'}
    >
      <Frame
        label="Emails"
        head={
          <Toolbar>
            <Search label="Search addresses and subjects" value={text} onChange={setText} />
            <Filter
              label="Status"
              value={status ?? ''}
              options={statusOptions}
              onChange={(value) => setFilter('status', value)}
            />
            <Filter
              label="Origin"
              value={sourceType ?? ''}
              options={sourceOptions}
              onChange={(value) => setFilter('source', value)}
            />
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={8} label="Loading emails" />}
        {list.isError && list.emails.length === 0 && <LoadFailure error={list.error} retry={list.refetch} />}
        {list.emails.length > 0 && <EmailTable emails={list.emails} />}
        {list.isSuccess && list.emails.length === 0 && (
          <EmptyState title={isFiltered ? 'No emails match your search' : 'No emails yet'}>
            {!isFiltered && <RequestExample title="Send your first email" build={sendRequest} />}
          </EmptyState>
        )}
      </Frame>
      {list.emails.length > 0 && (
        <LoadMore
          shown={list.emails.length}
          total={list.total}
          hasMore={list.hasNextPage}
          pending={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
      <StatusLegend />
    </Page>
  );
}
