import { CreateSegmentForm } from '../features/audience/segments/create-segment-form.tsx';
import { useProjectPath } from '../lib/current.ts';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';

export function Component() {
  const to = useProjectPath();
  return (
    <Page title="New segment" back={{ to: to('segments'), label: 'Segments' }}>
      <Frame label="Segment" padded>
        <CreateSegmentForm />
      </Frame>
    </Page>
  );
}
