import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { CancelAllExecutions } from '../features/executions/cancel-all-executions.tsx';
import { executionStatuses } from '../features/executions/execution-status.tsx';
import { ExecutionTable } from '../features/executions/execution-table.tsx';
import { useActiveCount, useExecutions } from '../features/executions/use-executions.ts';
import { WorkflowTabs } from '../features/workflows/workflow-tabs.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { formatCount } from '../lib/format.ts';
import { keysOf } from '../lib/keys-of.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/list-end.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Filter, Toolbar } from '../ui/toolbar.tsx';

const statusOptions = keysOf(executionStatuses).map((value) => ({
  value,
  label: executionStatuses[value].label,
}));

/** All executions of one workflow. The filter is kept in the URL, so that it can be shared and survives Back. */
export function ExecutionsRoute() {
  const { workflowId = '' } = useParams();
  const [search, setSearch] = useSearchParams();
  const [page, setPage] = useState(1);
  const to = useProjectPath();
  const status = statusOptions.find(({ value }) => value === search.get('status'))?.value;
  const workflow = useQuery(useApi().workflows.get.queryOptions({ id: workflowId }));
  const list = useExecutions({ workflowId, status, page });
  const active = useActiveCount(workflowId);
  const name = workflow.data?.name;
  return (
    <Page
      title="Executions"
      back={{ to: to(`workflows/${workflowId}`), label: name ?? 'Workflow' }}
      {...(name && { intro: `Everyone who entered “${name}” and where they are now.` })}
      actions={<CancelAllExecutions workflowId={workflowId} count={active} />}
    >
      <WorkflowTabs workflowId={workflowId} />
      <Frame
        label="Executions"
        head={
          <>
            <Toolbar>
              <Filter
                label="Status"
                value={status ?? ''}
                options={statusOptions}
                onChange={(value) => {
                  setPage(1);
                  setSearch(value === '' ? {} : { status: value }, { replace: true });
                }}
              />
            </Toolbar>
            <span>{formatCount(active)} active</span>
          </>
        }
      >
        {list.isPending && <Skeleton lines={8} label="Loading executions" />}
        {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
        {list.data && list.data.executions.length > 0 && <ExecutionTable executions={list.data.executions} />}
        {list.data?.total === 0 && (
          <EmptyState title={status ? 'No executions match your filter' : 'No executions yet'}>
            {!status && workflow.data && (
              <p>
                {workflow.data.enabled
                  ? 'The next contact that triggers the workflow appears here.'
                  : 'The workflow is disabled, so contacts cannot enter it.'}
              </p>
            )}
          </EmptyState>
        )}
      </Frame>
      {list.data && list.data.total > 0 && (
        <Pager page={page} totalPages={list.data.totalPages} total={list.data.total} onPage={setPage} />
      )}
    </Page>
  );
}
