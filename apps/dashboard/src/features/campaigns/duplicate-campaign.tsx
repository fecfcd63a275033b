import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import type { Action } from '../../ui/menu.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

/** Creates a draft with the same content and audience, from a campaign of any status. */
export function useDuplicateCampaign(
  campaign: Campaign,
): Required<Pick<Action, 'label' | 'icon' | 'pending' | 'run'>> {
  const to = useProjectPath();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const duplicate = useMutation({
    ...useApi().campaigns.duplicate.mutationOptions(),
    onError: (error) => announce(failureOf(error).message, 'note'),
    async onSuccess({ id, name }) {
      await refresh();
      await navigate(to(`campaigns/${id}`));
      announce(`Created the copy “${name}”`);
    },
  });
  return {
    label: 'Duplicate',
    icon: 'copy',
    pending: duplicate.isPending,
    run: () => duplicate.mutate({ id: campaign.id }),
  };
}
