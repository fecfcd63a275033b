import { useMutation } from '@tanstack/react-query';
import { type Campaign, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import type { Action } from '../../ui/menu.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

type PauseAction = Required<Pick<Action, 'label' | 'icon' | 'pending' | 'run'>>;

/** Pauses a campaign that is being sent, or resumes it. Each undoes the other, so neither asks for a confirmation. */
export function usePauseCampaign({ id, pausedAt }: Pick<Campaign, 'id' | 'pausedAt'>): PauseAction {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const { campaigns } = useApi();
  const rest = {
    onError: (error: unknown) => announce(failureOf(error).message, 'note'),
    // After a refusal too: the campaign has then ended, or another member was faster.
    onSettled: refresh,
  };
  const pause = useMutation({
    ...campaigns.pause.mutationOptions(),
    ...rest,
    onSuccess: () => announce('Campaign paused'),
  });
  const resume = useMutation({
    ...campaigns.resume.mutationOptions(),
    ...rest,
    onSuccess: () => announce('Campaign resumed'),
  });
  return pausedAt === null
    ? { label: 'Pause', icon: 'pause', pending: pause.isPending, run: () => pause.mutate({ id }) }
    : { label: 'Resume', icon: 'play', pending: resume.isPending, run: () => resume.mutate({ id }) };
}

/** The same as a button of the campaign's page. */
export function PauseCampaign({ campaign }: { campaign: Campaign }) {
  const { label, icon, pending, run } = usePauseCampaign(campaign);
  return (
    <Button
      kind={campaign.pausedAt === null ? 'plain' : 'primary'}
      icon={icon}
      pending={pending}
      onClick={run}
    >
      {label}
    </Button>
  );
}
