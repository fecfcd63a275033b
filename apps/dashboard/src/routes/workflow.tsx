import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { WorkflowPage } from '../features/workflows/pages/workflow-page.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Component() {
  const { workflowId = '' } = useParams();
  const to = useProjectPath();
  const workflow = useQuery(useApi().workflows.get.queryOptions({ id: workflowId }));
  if (workflow.data) return <WorkflowPage key={workflowId} workflow={workflow.data} />;
  return (
    <Page title="Workflow" back={{ to: to('workflows'), label: 'Workflows' }}>
      {workflow.isError ? (
        <LoadFailure error={workflow.error} retry={workflow.refetch} />
      ) : (
        <Skeleton lines={8} label="Loading the workflow" />
      )}
    </Page>
  );
}
