import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { WorkflowTabs } from '../features/workflows/pages/workflow-tabs.tsx';
import { useWorkflowVersions } from '../features/workflows/versions/use-workflow-versions.ts';
import { VersionTable } from '../features/workflows/versions/version-table.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';

/** The versions of one workflow. */
export function Component() {
  const { workflowId = '' } = useParams();
  const to = useProjectPath();
  const workflow = useQuery(useApi().workflows.get.queryOptions({ id: workflowId }));
  const { list, versions, total } = useWorkflowVersions(workflowId);
  const name = workflow.data?.name;
  return (
    <Page
      title="Versions"
      wide
      back={{ to: to(`workflows/${workflowId}`), label: name ?? 'Workflow' }}
      intro="What was published, and who entered with it. A version never changes; an earlier one can be published again."
    >
      <WorkflowTabs workflowId={workflowId} />
      <ListFrame
        label="Versions"
        query={list}
        shown={versions.length}
        empty={{
          icon: 'history',
          title: 'No version yet',
          text: <p>The first one is published when the workflow is enabled for the first time.</p>,
        }}
        more={{ query: list, total }}
      >
        <VersionTable workflowId={workflowId} versions={versions} />
      </ListFrame>
    </Page>
  );
}
