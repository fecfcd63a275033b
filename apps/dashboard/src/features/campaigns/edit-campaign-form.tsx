import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CampaignForm } from './campaign-form.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

export function EditCampaignForm({ campaign }: { campaign: Campaign }) {
  const to = useProjectPath();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const page = to(`campaigns/${campaign.id}`);
  const draft = useDraft(`campaign.${campaign.id}`);
  const update = useMutation({
    ...useApi().campaigns.update.mutationOptions(),
    async onSuccess() {
      draft.saved();
      await refresh();
      await navigate(page);
      announce('Saved');
    },
  });
  return (
    <CampaignForm
      label="Campaign"
      campaign={campaign}
      failure={useFailure(update.error)}
      draft={draft}
      onSubmit={(fields) => update.mutate({ id: campaign.id, ...fields })}
    >
      <Button kind="primary" type="submit" pending={update.isPending}>
        {campaign.status === 'SCHEDULED' ? 'Save and keep schedule' : 'Save draft'}
      </Button>
      <ButtonLink to={page}>Cancel</ButtonLink>
    </CampaignForm>
  );
}
