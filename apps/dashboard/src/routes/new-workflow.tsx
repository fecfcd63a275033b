import { CreateWorkflowForm } from '../features/workflows/create-workflow-form.tsx';
import { useProjectPath } from '../lib/current.ts';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';

export function NewWorkflowRoute() {
  const to = useProjectPath();
  return (
    <Page title="New workflow" back={{ to: to('workflows'), label: 'Workflows' }} narrow>
      <Panel title="Workflow">
        <CreateWorkflowForm />
      </Panel>
    </Page>
  );
}
