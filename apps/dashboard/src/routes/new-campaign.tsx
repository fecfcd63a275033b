import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { CreateCampaignForm } from '../features/campaigns/create-campaign-form.tsx';
import { SandboxNotice } from '../features/settings/domains/sandbox-notice.tsx';
import { useSender } from '../features/settings/domains/use-sender.ts';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** `?template=<id>` starts with the content of that template. */
export function Component() {
  const to = useProjectPath();
  const [search] = useSearchParams();
  const templateId = search.get('template');
  const { address, isSandbox, isKnown } = useSender();
  const template = useQuery({
    ...useApi().templates.get.queryOptions({ id: templateId ?? '' }),
    enabled: templateId !== null,
  });
  const isReady = isKnown && (templateId === null || template.data !== undefined);
  return (
    <Page
      wide
      title="New campaign"
      back={{ to: to('campaigns'), label: 'Campaigns' }}
      intro="Sent to everyone in the audience who can receive this type of email. The audience is locked when sending starts."
    >
      {isSandbox && <SandboxNotice address={address} />}
      {isReady && <CreateCampaignForm from={address} template={template.data ?? null} />}
      {!isReady && template.isError && <LoadFailure error={template.error} retry={template.refetch} />}
      {!isReady && !template.isError && <Skeleton lines={10} label="Loading the form" />}
    </Page>
  );
}
