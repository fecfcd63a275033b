import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { plural } from '../../lib/format.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm, typedFor } from '../../ui/dialog.tsx';
import { picturedText } from '../../ui/mail-picture.rules.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AudienceSummary } from './audience-summary.tsx';
import { choiceOf, useAudience } from './use-live-audience.ts';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';
import { useSendGate } from './use-send-gate.tsx';

/** Sends now, after a confirmation. */
export function SendCampaign({ campaign }: { campaign: Campaign }) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button kind="primary" icon="send" onClick={() => setAsked(true)}>
        Send now
      </Button>
      {asked && <SendDialog campaign={campaign} onClose={() => setAsked(false)} />}
    </>
  );
}

interface SendDialogProps {
  campaign: Campaign;
  onClose: () => void;
  /** Called in place of `onClose` once sending has started. */
  onSent?: () => void;
}

/** Asks with a fresh count of the recipients, because the stored one may be outdated. */
export function SendDialog({ campaign, onClose, onSent = onClose }: SendDialogProps) {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const send = useMutation({
    ...useApi().campaigns.send.mutationOptions(),
    async onSuccess() {
      await refresh();
      onSent();
      announce('Sending started');
    },
  });
  const audience = useAudience(choiceOf(campaign));
  const gate = useSendGate(campaign, false);
  const isPending = !audience.data && !audience.error;
  const count = audience.data?.willSend ?? campaign.totalRecipients;
  const recipients = `${audience.data?.estimated ? 'about ' : ''}${plural(count, 'recipient')}`;
  return (
    <Confirm
      title={`Send to ${recipients}?`}
      action={`Send to ${recipients}`}
      typed={typedFor(count)}
      isReady={gate.isOpen}
      pending={send.isPending || isPending || gate.isChecking}
      failure={send.error ? failureOf(send.error) : null}
      onConfirm={() => send.mutate({ id: campaign.id, acknowledge: gate.acknowledge })}
      onClose={onClose}
    >
      <p>
        <strong>{picturedText(campaign.subject)}</strong>, from {campaign.from}.
      </p>
      {gate.notice}
      {isPending && <Skeleton lines={2} label="Counting the audience" />}
      {audience.data && <AudienceSummary audience={audience.data} busy={audience.isFetching} />}
      <p>Everyone in the audience when sending starts will receive it. Sent emails can't be recalled.</p>
    </Confirm>
  );
}
