import { useParams } from 'react-router';
import { useEditedWorkflow } from '../features/workflows/canvas/use-edited-workflow.ts';
import { WorkflowPage } from '../features/workflows/pages/workflow-page.tsx';
import { useProjectPath } from '../lib/current.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Component() {
  const { workflowId = '' } = useParams();
  return <Loaded key={workflowId} id={workflowId} />;
}

function Loaded({ id }: { id: string }) {
  const to = useProjectPath();
  const { live, edited, failed } = useEditedWorkflow(id);
  if (live && edited) return <WorkflowPage live={live} edited={edited} />;
  return (
    <Page title="Workflow" back={{ to: to('workflows'), label: 'Workflows' }}>
      {failed ? (
        <LoadFailure error={failed.error} retry={failed.refetch} />
      ) : (
        <Skeleton lines={8} label="Loading the workflow" />
      )}
    </Page>
  );
}
