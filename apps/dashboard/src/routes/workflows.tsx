import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { WorkflowTable } from '../features/workflows/workflow-table.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { idle } from '../lib/polling.ts';
import { useSearchText } from '../lib/use-search-text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/list-end.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Filter, Search, Toolbar } from '../ui/toolbar.tsx';

const states = [
  { value: 'active', label: 'Enabled' },
  { value: 'disabled', label: 'Disabled' },
] as const;

export function WorkflowsRoute() {
  const to = useProjectPath();
  const [params, setParams] = useSearchParams();
  const status = states.find(({ value }) => value === params.get('status'))?.value;
  const page = Number(params.get('page') ?? 1);
  const [text, setText, search] = useSearchText();
  const list = useQuery({
    ...useApi().workflows.list.queryOptions({ page, ...(status && { status }), ...(search && { search }) }),
    placeholderData: keepPreviousData,
    refetchInterval: idle,
  });
  const isFiltered = status !== undefined || search !== '';
  return (
    <Page
      title="Workflows"
      intro="Automated emails and actions, triggered by what people do."
      actions={
        <ButtonLink kind="primary" icon="plus" to={to('workflows/new')}>
          New workflow
        </ButtonLink>
      }
    >
      <Frame
        label="Workflows"
        head={
          <Toolbar>
            <Search label="Search workflows" value={text} onChange={setText} />
            <Filter
              label="Status"
              value={status ?? ''}
              options={states}
              onChange={(value) => setParams(value === '' ? {} : { status: value }, { replace: true })}
            />
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={6} label="Loading workflows" />}
        {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
        {list.data && list.data.data.length > 0 && <WorkflowTable workflows={list.data.data} />}
        {list.data?.data.length === 0 && (
          <EmptyState title={isFiltered ? 'No workflows match your search' : 'No workflows yet'}>
            {!isFiltered && (
              <p>
                A workflow takes contacts through a series of steps: emails, delays, conditions and calls to
                other services. An event that your code tracks can start it.
              </p>
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
