import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Template, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { Button } from '../../ui/button.tsx';
import { blankContent } from '../templates/content.rules.ts';
import { CampaignForm } from './campaign-form.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

interface CreateCampaignFormProps {
  /** The suggested sender. */
  from: string;
  /** The template to copy the content from. */
  template: Template | null;
}

export function CreateCampaignForm({ from, template }: CreateCampaignFormProps) {
  const to = useProjectPath();
  const navigate = useNavigate();
  const refresh = useRefreshCampaigns();
  const draft = useDraft(template ? `campaign.new.${template.id}` : 'campaign.new');
  const create = useMutation({
    ...useApi().campaigns.create.mutationOptions(),
    async onSuccess({ id }) {
      draft.saved();
      await refresh();
      await navigate(to(`campaigns/${id}`));
    },
  });
  return (
    <CampaignForm
      label="New campaign"
      campaign={{
        ...(template ?? blankContent(from, 'MARKETING')),
        name: template?.name ?? '',
        description: null,
        audienceType: 'ALL',
        segmentId: null,
        audienceCondition: null,
        templateId: template?.id ?? null,
      }}
      failure={useFailure(create.error)}
      draft={draft}
      onSubmit={(campaign) => create.mutate(campaign)}
    >
      <Button kind="primary" type="submit" pending={create.isPending}>
        Save draft
      </Button>
      <span>Nothing will be sent yet.</span>
    </CampaignForm>
  );
}
