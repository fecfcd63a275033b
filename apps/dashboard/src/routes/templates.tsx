import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { RequestExample } from '../features/keys/request-example.tsx';
import { templateRequest } from '../features/keys/requests.ts';
import { TemplateTable } from '../features/templates/template-table.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { useSearchText } from '../lib/use-search-text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/list-end.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Search, Toolbar } from '../ui/toolbar.tsx';

export function TemplatesRoute() {
  const to = useProjectPath();
  const [page, setPage] = useState(1);
  const [text, setText, search] = useSearchText();
  const list = useQuery({
    ...useApi().templates.list.queryOptions({ page, ...(search && { search }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Templates"
      intro="Reusable emails, sent by ID from your code, a campaign or a workflow."
      actions={
        <ButtonLink kind="primary" icon="plus" to={to('templates/new')}>
          New template
        </ButtonLink>
      }
    >
      <Frame
        label="Templates"
        head={
          <Toolbar>
            <Search
              label="Search templates"
              value={text}
              onChange={(next) => {
                setText(next);
                setPage(1);
              }}
            />
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={6} label="Loading templates" />}
        {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
        {list.data && list.data.data.length > 0 && <TemplateTable templates={list.data.data} />}
        {list.data?.data.length === 0 && (
          <EmptyState title={search === '' ? 'No templates yet' : 'No templates match your search'}>
            {search === '' && <RequestExample title="Create one with the API" build={templateRequest} />}
          </EmptyState>
        )}
      </Frame>
      {list.data && list.data.total > 0 && (
        <Pager page={page} totalPages={list.data.totalPages} total={list.data.total} onPage={setPage} />
      )}
    </Page>
  );
}
