import { SandboxNotice } from '../features/settings/domains/sandbox-notice.tsx';
import { useSender } from '../features/settings/domains/use-sender.ts';
import { CreateTemplateForm } from '../features/templates/create-template-form.tsx';
import { useProjectPath } from '../lib/current.ts';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Component() {
  const to = useProjectPath();
  const { address, isSandbox, isKnown } = useSender();
  return (
    <Page wide title="New template" back={{ to: to('templates'), label: 'Templates' }}>
      {isSandbox && <SandboxNotice address={address} />}
      {isKnown ? <CreateTemplateForm from={address} /> : <Skeleton lines={10} label="Loading the form" />}
    </Page>
  );
}
