import { CreateGoalForm } from '../features/insight/goals/create-goal-form.tsx';
import { useProjectPath } from '../lib/current.ts';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';

export function Component() {
  const to = useProjectPath();
  return (
    <Page title="New goal" back={{ to: to('goals'), label: 'Goals' }}>
      <Frame label="Goal" padded>
        <CreateGoalForm />
      </Frame>
    </Page>
  );
}
