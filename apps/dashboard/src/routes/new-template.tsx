import { Link } from 'react-router';
import { useSender } from '../features/domains/use-sender.ts';
import { CreateTemplateForm } from '../features/templates/create-template-form.tsx';
import { useProjectPath } from '../lib/current.ts';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function NewTemplateRoute() {
  const to = useProjectPath();
  const { address, isRefused, isKnown } = useSender();
  return (
    <Page title="New template" back={{ to: to('templates'), label: 'Templates' }}>
      {isRefused && (
        <Notice tone="warn" title="No verified domain yet">
          <p>
            You can save a template once you have <Link to={to('domains')}>verified the sender's domain</Link>
            .
          </p>
        </Notice>
      )}
      <Panel title="Template">
        {isKnown ? (
          <CreateTemplateForm from={isRefused ? '' : address} />
        ) : (
          <Skeleton lines={10} label="Loading the form" />
        )}
      </Panel>
    </Page>
  );
}
