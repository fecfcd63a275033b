import type { Campaign } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { ActionMenu } from '../../ui/menu.tsx';
import { useCancelCampaign } from './cancel-campaign.tsx';
import { useDeleteCampaign } from './delete-campaign.tsx';
import { useDuplicateCampaign } from './duplicate-campaign.tsx';
import { usePauseCampaign, useResumeUnguarded } from './pause-campaign.tsx';
import { useScheduleCampaign } from './schedule-campaign.tsx';
import { useTestCampaign } from './test-campaign.tsx';
import { useUnscheduleCampaign } from './unschedule-campaign.tsx';
import { useSendToRest } from './use-send-to-rest.ts';

interface CampaignActionsProps {
  campaign: Campaign;
  label?: string;
  /** In a row of a list: offers what its page has buttons for, to edit and pause it and to send it to the rest. */
  inRow?: boolean;
}

/** What can be done with a campaign in its status, except for sending it. */
export function CampaignActions({ campaign, label, inRow = false }: CampaignActionsProps) {
  const to = useProjectPath();
  const schedule = useScheduleCampaign(campaign);
  const unschedule = useUnscheduleCampaign(campaign);
  const test = useTestCampaign(campaign);
  const duplicate = useDuplicateCampaign(campaign);
  const pause = usePauseCampaign(campaign);
  const unguarded = useResumeUnguarded(campaign);
  const cancel = useCancelCampaign(campaign);
  const rest = useSendToRest(campaign);
  const remove = useDeleteCampaign(campaign);
  const { id, status } = campaign;
  const canStart = status === 'DRAFT' || status === 'SCHEDULED';
  const isActive = status === 'SCHEDULED' || status === 'SENDING';
  return (
    <ActionMenu
      small={inRow}
      {...(label !== undefined && { label })}
      actions={[
        inRow && canStart && { label: 'Edit', icon: 'settings', to: to(`campaigns/${id}/edit`) },
        inRow && rest,
        canStart && schedule,
        status === 'SCHEDULED' && unschedule,
        inRow && status === 'SENDING' && pause,
        status === 'SENDING' && unguarded,
        test,
        duplicate,
        isActive ? cancel : remove,
      ]}
    />
  );
}
