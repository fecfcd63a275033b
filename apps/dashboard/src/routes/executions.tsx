import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { CancelAllExecutions } from '../features/workflows/executions/cancel-all-executions.tsx';
import { executionStatuses } from '../features/workflows/executions/execution-status.tsx';
import { ExecutionTable } from '../features/workflows/executions/execution-table.tsx';
import { useActiveCount, useExecutions } from '../features/workflows/executions/use-executions.ts';
import { WorkflowTabs } from '../features/workflows/pages/workflow-tabs.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { formatCount } from '../lib/format.ts';
import { keysOf } from '../lib/keys-of.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Filter } from '../ui/toolbar.tsx';

const statusOptions = keysOf(executionStatuses).map((value) => ({
  value,
  label: executionStatuses[value].label,
}));

/** All executions of one workflow. */
export function Component() {
  const { workflowId = '' } = useParams();
  const state = useListState();
  const { page } = state;
  const to = useProjectPath();
  const status = state.filter('status', statusOptions);
  const workflow = useQuery(useApi().workflows.get.queryOptions({ id: workflowId }));
  const list = useExecutions({ workflowId, status: status || undefined, page });
  const active = useActiveCount(workflowId);
  const name = workflow.data?.name;
  return (
    <Page
      title="Executions"
      wide
      back={{ to: to(`workflows/${workflowId}`), label: name ?? 'Workflow' }}
      {...(name && { intro: `Everyone who entered “${name}” and where they are now.` })}
      actions={<CancelAllExecutions workflowId={workflowId} count={active} />}
    >
      <WorkflowTabs workflowId={workflowId} />
      <ListFrame
        label="Executions"
        filters={
          <Filter
            label="Status"
            value={status}
            options={statusOptions}
            onChange={(value) => state.setFilter('status', value)}
          />
        }
        aside={`${formatCount(active)} active`}
        query={list}
        shown={list.data?.executions.length ?? 0}
        isFiltered={state.isFiltered('status')}
        onClear={state.clear}
        empty={{
          icon: 'workflow',
          title: 'No executions yet',
          text: workflow.data && (
            <p>
              {workflow.data.enabled
                ? 'The next contact that triggers the workflow appears here.'
                : 'The workflow is disabled, so contacts cannot enter it.'}
            </p>
          ),
        }}
        pages={state.pagesOf(list.data)}
      >
        <ExecutionTable executions={list.data?.executions ?? []} />
      </ListFrame>
    </Page>
  );
}
