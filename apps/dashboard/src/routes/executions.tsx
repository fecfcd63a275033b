import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { CancelAllExecutions } from '../features/workflows/executions/cancel-all-executions.tsx';
import { CancelAtStep } from '../features/workflows/executions/cancel-at-step.tsx';
import { ExecutionSelectionBar } from '../features/workflows/executions/execution-selection-bar.tsx';
import { executionStatuses } from '../features/workflows/executions/execution-status.tsx';
import { ExecutionTable } from '../features/workflows/executions/execution-table.tsx';
import { RetryFailed } from '../features/workflows/executions/retry-failed.tsx';
import { useCounts, useExecutions } from '../features/workflows/executions/use-executions.ts';
import { WorkflowTabs } from '../features/workflows/pages/workflow-tabs.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { formatCount } from '../lib/format.ts';
import { keysOf } from '../lib/keys-of.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Filter } from '../ui/toolbar.tsx';

const holdoutOptions = [
  { value: 'true', label: 'Held out' },
  { value: 'false', label: 'Not held out' },
];

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
  const { workflows } = useApi();
  const workflow = useQuery(workflows.get.queryOptions({ id: workflowId }));
  const versions = useQuery(workflows.listVersions.queryOptions({ id: workflowId, limit: 100 }));
  const stepOptions = (workflow.data?.steps ?? []).flatMap((step) =>
    step.type === 'TRIGGER' ? [] : { value: step.key, label: step.name },
  );
  const versionOptions = (versions.data?.data ?? []).map(({ version }) => ({
    value: String(version),
    label: String(version),
  }));
  const stepKey = state.param('step');
  const version = state.param('version');
  const heldOut = state.filter('heldOut', holdoutOptions);
  // Executions of earlier versions may have been held out as well.
  const hasHoldout =
    heldOut !== '' ||
    (workflow.data?.steps ?? []).some(
      ({ type, config }) => type === 'SPLIT' && config['holdout'] !== undefined,
    );
  const step = workflow.data?.steps.find(({ key }) => key === stepKey);
  const list = useExecutions({
    ...{ workflowId, page },
    status: status || undefined,
    stepKey: stepKey || undefined,
    version: Number(version) || undefined,
    heldOut: heldOut === '' ? undefined : heldOut === 'true',
  });
  const executions = list.data?.executions ?? [];
  const { active, failed } = useCounts(workflowId);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = executions.filter(({ id }) => selected.has(id));
  const clear = () => setSelected(new Set());
  const filter = (name: string, value: string) => {
    state.setFilter(name, value);
    clear();
  };
  const name = workflow.data?.name;
  const failedHere = status === 'FAILED' && step ? (list.data?.total ?? 0) : failed;
  return (
    <Page
      title="Executions"
      wide
      back={{ to: to(`workflows/${workflowId}`), label: name ?? 'Workflow' }}
      {...(name && { intro: `Everyone who entered “${name}” and where they are now.` })}
      actions={
        <>
          <RetryFailed
            workflowId={workflowId}
            count={failedHere}
            step={status === 'FAILED' ? step : undefined}
          />
          {step && step.type !== 'TRIGGER' ? (
            <CancelAtStep workflowId={workflowId} step={step} />
          ) : (
            <CancelAllExecutions workflowId={workflowId} count={active} />
          )}
        </>
      }
    >
      <WorkflowTabs workflowId={workflowId} />
      <ListFrame
        label="Executions"
        filters={
          <>
            <Filter
              label="Status"
              value={status}
              options={statusOptions}
              onChange={(value) => filter('status', value)}
            />
            <Filter
              label="Step"
              value={stepKey}
              options={stepOptions}
              onChange={(value) => filter('step', value)}
            />
            {hasHoldout && (
              <Filter
                label="Holdout"
                value={heldOut}
                options={holdoutOptions}
                onChange={(value) => filter('heldOut', value)}
              />
            )}
            {versionOptions.length > 1 && (
              <Filter
                label="Version"
                value={version}
                options={versionOptions}
                onChange={(value) => filter('version', value)}
              />
            )}
          </>
        }
        selection={
          chosen.length > 0 && (
            <ExecutionSelectionBar workflowId={workflowId} chosen={chosen} onClear={clear} />
          )
        }
        aside={`${formatCount(active)} active`}
        query={list}
        shown={executions.length}
        isFiltered={state.isFiltered('status', 'step', 'version', 'heldOut')}
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
        <ExecutionTable executions={executions} selected={selected} onSelect={setSelected} />
      </ListFrame>
    </Page>
  );
}
