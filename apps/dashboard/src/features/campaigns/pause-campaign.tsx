import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
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

/** Goes on with a campaign that its guard has paused, without it from now on; null where that has not paused it. */
export function useResumeUnguarded({ id, pauseReason }: Pick<Campaign, 'id' | 'pauseReason'>): Action | null {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const [isAsked, setAsked] = useState(false);
  const resume = useMutation({
    ...useApi().campaigns.resume.mutationOptions(),
    async onSuccess() {
      setAsked(false);
      announce('Campaign resumed without its guard');
    },
    onSettled: refresh,
  });
  if (pauseReason === null || pauseReason === 'user') return null;
  return {
    label: 'Resume without guard',
    icon: 'play',
    run: () => setAsked(true),
    dialog: isAsked && (
      <Confirm
        title="Resume without guard?"
        action="Resume without guard"
        pending={resume.isPending}
        failure={resume.error ? failureOf(resume.error) : null}
        onConfirm={() => resume.mutate({ id, guard: false })}
        onClose={() => setAsked(false)}
      >
        <p>
          The rest is sent, and the campaign does not pause by itself again, however many emails bounce, are
          marked as spam or lead to an opt-out. Too many of them can have the whole project disabled.
        </p>
      </Confirm>
    ),
  };
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
