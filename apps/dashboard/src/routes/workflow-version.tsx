import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useEditedWorkflow } from '../features/workflows/canvas/use-edited-workflow.ts';
import { VersionPage } from '../features/workflows/versions/version-page.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** One version of a workflow. */
export function Component() {
  const { workflowId = '', version: number = '' } = useParams();
  const to = useProjectPath();
  const { live, edited, failed } = useEditedWorkflow(workflowId);
  const version = useQuery(
    useApi().workflows.getVersion.queryOptions({ id: workflowId, version: Number(number) }),
  );
  if (live && edited && version.data)
    return <VersionPage live={live} edited={edited} version={version.data} />;
  const failure = failed ?? (version.isError ? version : null);
  return (
    <Page
      title={`Version ${number}`}
      back={{ to: to(`workflows/${workflowId}/versions`), label: 'Versions' }}
    >
      {failure ? (
        <LoadFailure error={failure.error} retry={failure.refetch} />
      ) : (
        <Skeleton lines={8} label="Loading the version" />
      )}
    </Page>
  );
}
