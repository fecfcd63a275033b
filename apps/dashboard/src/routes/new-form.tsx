import { FormEditor } from '../features/audience/forms/form-editor.tsx';
import { useProjectPath } from '../lib/current.ts';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';

export function Component() {
  const to = useProjectPath();
  return (
    <Page title="New form" back={{ to: to('forms'), label: 'Forms' }}>
      <Frame label="Form" padded>
        <FormEditor />
      </Frame>
    </Page>
  );
}
