import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { WorkflowFigures } from '../features/insight/analytics/workflow-figures.tsx';
import { WorkflowTabs } from '../features/workflows/pages/workflow-tabs.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { Page } from '../ui/page.tsx';

/** What the executions of one workflow did. */
export function Component() {
  const { workflowId = '' } = useParams();
  const to = useProjectPath();
  const workflow = useQuery(useApi().workflows.get.queryOptions({ id: workflowId }));
  const name = workflow.data?.name;
  return (
    <Page
      title="Figures"
      wide
      back={{ to: to(`workflows/${workflowId}`), label: name ?? 'Workflow' }}
      {...(name && { intro: `What happened to those who entered “${name}”, in all and at each step.` })}
    >
      <WorkflowTabs workflowId={workflowId} />
      <WorkflowFigures workflowId={workflowId} />
    </Page>
  );
}
