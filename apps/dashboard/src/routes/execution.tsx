import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useParams } from 'react-router';
import { boundsOf, layoutGraph, stepSizes } from '../features/workflows/canvas/layout-graph.ts';
import { WorkflowGraph } from '../features/workflows/canvas/workflow-graph.tsx';
import { CancelExecution } from '../features/workflows/executions/cancel-execution.tsx';
import { ExecutionFacts } from '../features/workflows/executions/execution-facts.tsx';
import { ExecutionHeadline } from '../features/workflows/executions/execution-headline.tsx';
import styles from '../features/workflows/executions/execution-page.module.css';
import { isActive } from '../features/workflows/executions/execution-status.tsx';
import { ExecutionTimeline } from '../features/workflows/executions/execution-timeline.tsx';
import { ExplainExecution } from '../features/workflows/executions/explain-execution.tsx';
import { marksOf, wayThrough } from '../features/workflows/executions/marks.rules.ts';
import { RetryExecution } from '../features/workflows/executions/retry-execution.tsx';
import { useDefinitionRun } from '../features/workflows/executions/use-definition-run.ts';
import { type ExecutionDetail, useApi, type WorkflowDefinition } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { shownAddress } from '../lib/shown-address.rules.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame, Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** One contact's path through a workflow. */
export function Component() {
  const { workflowId = '', executionId = '' } = useParams();
  const to = useProjectPath();
  const { workflows } = useApi();
  const execution = useQuery(workflows.getExecution.queryOptions({ id: workflowId, executionId }));
  const run = useDefinitionRun(workflowId, execution.data);
  const back = { to: to(`workflows/${workflowId}/executions`), label: 'Executions' };
  if (!execution.data) {
    return (
      <Page title="Execution" back={back}>
        {execution.isError ? (
          <LoadFailure error={execution.error} retry={execution.refetch} />
        ) : (
          <Skeleton lines={10} label="Loading the execution" />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={shownAddress(execution.data.contact.email) || 'Deleted contact'}
      back={back}
      intro={<ExecutionHeadline execution={execution.data} />}
      actions={isActive(execution.data) && <CancelExecution execution={execution.data} />}
    >
      {execution.data.status === 'FAILED' && (
        <Notice
          tone="bad"
          title={`Failed at ${execution.data.currentStep ? `“${execution.data.currentStep.name}”` : 'a deleted step'}`}
        >
          <p>{execution.data.exitReason}</p>
          <RetryExecution execution={execution.data} />
        </Notice>
      )}
      <Way execution={execution.data} run={run} />
    </Page>
  );
}

/** The graph with the path taken, next to a log of what each step did. */
function Way({ execution, run }: { execution: ExecutionDetail; run: ReturnType<typeof useDefinitionRun> }) {
  const { version, definition: workflow, steps, failed } = run;
  const [selected, setSelected] = useState<string | null>(null);
  const marks = useMemo(() => workflow && marksOf(execution, workflow), [execution, workflow]);
  const taken = useMemo(() => workflow && wayThrough(execution, workflow), [execution, workflow]);
  const height = useMemo(() => workflow && graphHeight(workflow), [workflow]);
  return (
    <div className={styles.way}>
      <div className={styles.graph}>
        {failed && <LoadFailure error={failed.error} retry={failed.refetch} />}
        <Frame label="Path through the workflow">
          <div className={styles.canvas} style={{ height }}>
            {workflow && marks && taken ? (
              <WorkflowGraph
                label="Path through the workflow"
                workflow={workflow}
                marks={marks}
                taken={taken}
                selected={selected}
                onSelect={setSelected}
              />
            ) : (
              <Skeleton lines={10} label="Loading the workflow" />
            )}
          </div>
        </Frame>
      </div>
      <div className={styles.story}>
        <ExecutionTimeline
          execution={execution}
          steps={steps}
          exits={workflow?.exits ?? noExits}
          selected={selected}
          onSelect={setSelected}
        />
      </div>
      <div className={styles.rest}>
        <ExplainExecution execution={execution} />
        <Panel title="Details">
          <ExecutionFacts execution={execution} version={version} />
        </Panel>
        <Panel title="Context">
          <CodeBlock title="Variables for conditions and templates" code={pretty(execution.context)} />
        </Panel>
      </div>
    </div>
  );
}

const noExits: [] = [];

const margin = 32;

/** The height of the whole graph at full size, in CSS pixels. */
function graphHeight({ steps, transitions }: WorkflowDefinition): number {
  return boundsOf(layoutGraph(steps, transitions, { size: stepSizes.tall })).height + 2 * margin;
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
