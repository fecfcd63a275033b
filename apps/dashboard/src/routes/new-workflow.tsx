import { RecipeGallery } from '../features/workflows/pages/recipe-gallery.tsx';
import { CreateWorkflowForm } from '../features/workflows/panels/create-workflow-form.tsx';
import { useProjectPath } from '../lib/current.ts';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';

export function Component() {
  const to = useProjectPath();
  return (
    <Page
      title="New workflow"
      back={{ to: to('workflows'), label: 'Workflows' }}
      intro="Start with a recipe, which comes with its emails, or with an empty workflow."
    >
      <RecipeGallery />
      <Panel title="Empty workflow">
        <CreateWorkflowForm />
      </Panel>
    </Page>
  );
}
