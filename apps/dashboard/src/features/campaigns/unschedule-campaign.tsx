import { useMutation } from '@tanstack/react-query';
import { type Campaign, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import type { Action } from '../../ui/menu.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

/** Makes a scheduled campaign a draft again. Nothing is lost, so it asks no confirmation. */
export function useUnscheduleCampaign(
  { id }: Campaign,
  onUnscheduled?: (campaign: Campaign) => void,
): Required<Pick<Action, 'label' | 'icon' | 'pending' | 'run'>> {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const unschedule = useMutation({
    ...useApi().campaigns.unschedule.mutationOptions(),
    onError: (error) => announce(failureOf(error).message, 'note'),
    onSuccess(campaign) {
      onUnscheduled?.(campaign);
      announce('Unscheduled. The campaign is a draft again');
    },
    // After a refusal too: the campaign has then started, or is no longer scheduled.
    onSettled: refresh,
  });
  return {
    label: 'Unschedule',
    icon: 'undo',
    pending: unschedule.isPending,
    run: () => unschedule.mutate({ id }),
  };
}
