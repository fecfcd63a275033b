import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { campaignStatusNames } from '../features/campaigns/campaign-status.tsx';
import { CampaignTable } from '../features/campaigns/campaign-table.tsx';
import { RequestExample } from '../features/keys/request-example.tsx';
import { campaignRequest } from '../features/keys/requests.ts';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { keysOf } from '../lib/keys-of.ts';
import { everySecond, idle } from '../lib/polling.ts';
import { useSearchText } from '../lib/use-search-text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/list-end.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Filter, Search, Toolbar } from '../ui/toolbar.tsx';

const statusOptions = keysOf(campaignStatusNames).map((value) => ({
  value,
  label: campaignStatusNames[value],
}));

export function CampaignsRoute() {
  const to = useProjectPath();
  const [params, setParams] = useSearchParams();
  const status = statusOptions.find(({ value }) => value === params.get('status'))?.value;
  const page = Number(params.get('page') ?? 1);
  const [text, setText, search] = useSearchText();
  const list = useQuery({
    ...useApi().campaigns.list.queryOptions({ page, ...(status && { status }), ...(search && { search }) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((campaign) => campaign.status === 'SENDING') ? everySecond : idle,
  });
  const isFiltered = status !== undefined || search !== '';
  return (
    <Page
      title="Campaigns"
      intro="One email to many contacts, with a status for every recipient."
      actions={
        <ButtonLink kind="primary" icon="plus" to={to('campaigns/new')}>
          New campaign
        </ButtonLink>
      }
    >
      <Frame
        label="Campaigns"
        head={
          <Toolbar>
            <Search label="Search campaigns" value={text} onChange={setText} />
            <Filter
              label="Status"
              value={status ?? ''}
              options={statusOptions}
              onChange={(value) => setParams(value === '' ? {} : { status: value }, { replace: true })}
            />
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={6} label="Loading campaigns" />}
        {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
        {list.data && list.data.data.length > 0 && <CampaignTable campaigns={list.data.data} />}
        {list.data?.data.length === 0 && (
          <EmptyState title={isFiltered ? 'No campaigns match your search' : 'No campaigns yet'}>
            {!isFiltered && (
              <>
                <p>Create one here, or create it with the API and send it from here.</p>
                <RequestExample title="Create a draft" build={campaignRequest} />
              </>
            )}
          </EmptyState>
        )}
      </Frame>
      {list.data && list.data.total > 0 && (
        <Pager
          page={page}
          totalPages={list.data.totalPages}
          total={list.data.total}
          onPage={(next) => setParams({ ...(status && { status }), page: String(next) })}
        />
      )}
    </Page>
  );
}
